import { Fragment } from 'preact';
import { ActionButton, CopyButton } from '../../components/controls.tsx';
import { Facts } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { callControl, controlPath } from '../../control-api/client.ts';
import type { SandboxEntry } from '../../control-api/types.ts';
import { LastRequests } from './last-requests.tsx';
import { splitAddress } from './sandbox-words.ts';

interface SandboxDetailProps {
  readonly sandbox: SandboxEntry;
  /** Reads the list of sandboxes again. */
  readonly reload: () => void;
}

/** What happened in a sandbox, and how to reach it. */
export function SandboxDetail({ sandbox, reload }: SandboxDetailProps) {
  const { id, baseUrl, controlUrl, expiresAt, requests, lastRequestAt } = sandbox;
  const drop = async (): Promise<void> => {
    await callControl('DELETE', `sandboxes/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <>
      <section>
        <h3>What happened</h3>
        {requests === 0 ? (
          <p>No request came yet. Let a client send one to the base URL below.</p>
        ) : (
          <LastRequests sandbox={sandbox} />
        )}
      </section>
      <div class="buttons">
        <a class="button button-primary" href={`${controlPath(controlUrl)}/`}>
          Open its inspector
        </a>
      </div>
      <section>
        <h3>Facts</h3>
        <Facts
          facts={[
            [
              'Base URL',
              <span class="key-text">
                <code>
                  {splitAddress(baseUrl).map((piece, index) => (
                    <Fragment key={index}>
                      <wbr />
                      <span class="whole">{piece}</span>
                    </Fragment>
                  ))}
                </code>
                <CopyButton text={baseUrl} label="Copy" />
              </span>,
            ],
            ['Id', <code>{id}</code>],
            ['Last request', lastRequestAt === null ? null : <Time at={lastRequestAt} withDate />],
            ['Kept', expiresAt === null ? 'until you drop it' : <Expiry at={expiresAt} />],
          ]}
        />
      </section>
      <div class="buttons">
        <ActionButton kind="danger" action={drop} done="Dropped.">
          Drop this sandbox
        </ActionButton>
      </div>
    </>
  );
}

const Expiry = ({ at }: { readonly at: string }) => (
  <>
    until <Time at={at} withDate /> if no request comes
  </>
);
