import { useState } from 'preact/hooks';
import { ActionButton, ConfirmButton, CopyButton, TextField } from '../../components/controls.tsx';
import { Card, Load, Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { callControl } from '../../control-api/client.ts';
import type { SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';

/** Sandboxes that are listed. A test run may make thousands. */
const mostShown = 200;

export function SandboxesPanel() {
  const list = useControl<{ readonly sandboxes: readonly SandboxEntry[] }>('sandboxes', ['sandbox']);
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    await callControl('POST', 'sandboxes', name.trim() === '' ? {} : { name: name.trim() });
    setName('');
    list.reload();
  };
  const dropAll = async (): Promise<void> => {
    await callControl('DELETE', 'sandboxes');
    list.reload();
  };
  const count = list.loaded.data?.sandboxes.length ?? 0;
  return (
    <Panel
      title="Sandboxes"
      about="A sandbox is a mock of its own in this server, for one test or one try. It has its own address, data, faults and clock."
      actions={
        count > 0 && (
          <ConfirmButton question={`Drop all ${count}`} action={dropAll} done="All sandboxes are dropped.">
            Drop all
          </ConfirmButton>
        )
      }
    >
      <div class="cards">
        <Card title={`Sandboxes${count > 0 ? ` (${count})` : ''}`}>
          <Load from={list}>
            {({ sandboxes }) =>
              sandboxes.length === 0 ? (
                <p class="nothing">No sandbox. Create one here; test fixtures make one for each test.</p>
              ) : (
                <>
                  <ul class="plain-list">
                    {sandboxes
                      .slice(-mostShown)
                      .toReversed()
                      .map((sandbox) => (
                        <li key={sandbox.id}>
                          <SandboxItem sandbox={sandbox} reload={list.reload} />
                        </li>
                      ))}
                  </ul>
                  {sandboxes.length > mostShown && (
                    <p class="nothing">{sandboxes.length - mostShown} older ones are not shown.</p>
                  )}
                </>
              )
            }
          </Load>
        </Card>
        <Card title="New sandbox">
          <form class="field-and-button" onSubmit={(event) => event.preventDefault()}>
            <TextField
              label="Name"
              placeholder="such as the title of a test"
              hint="What this list shows. It may be empty."
              value={name}
              onInput={setName}
            />
            <ActionButton kind="primary" action={create} done="The sandbox is created.">
              Create
            </ActionButton>
          </form>
        </Card>
      </div>
    </Panel>
  );
}

function SandboxItem({ sandbox, reload }: { readonly sandbox: SandboxEntry; readonly reload: () => void }) {
  const { id, name, baseUrl, controlUrl, expiresAt } = sandbox;
  const title = name ?? id;
  const drop = async (): Promise<void> => {
    await callControl('DELETE', `sandboxes/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <article class="entry">
      <header class="entry-head">
        <h3>{title}</h3>
        <a class="button" href={`${controlUrl}/`}>
          Open <span class="visually-hidden">{title}</span>
        </a>
        <ActionButton kind="quiet" action={drop} done="Dropped.">
          Drop <span class="visually-hidden">{title}</span>
        </ActionButton>
      </header>
      <div class="key-text">
        <code>{baseUrl}</code>
        <CopyButton text={baseUrl} label="Copy" />
      </div>
      {expiresAt !== null && (
        <p class="quiet small">
          Kept until <Time at={expiresAt} withDate /> if no request comes.
        </p>
      )}
    </article>
  );
}
