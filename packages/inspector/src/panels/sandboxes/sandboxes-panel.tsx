import { useState } from 'preact/hooks';
import { ActionButton, ConfirmButton, TextField } from '../../components/controls.tsx';
import { Card, Empty, Facts, Load, Panel } from '../../components/panel.tsx';
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
                <Empty title="No sandbox">
                  <p>Create one here. Test fixtures make one for each test.</p>
                </Empty>
              ) : (
                <>
                  <ul class="plain-list">
                    {sandboxes.slice(-mostShown).map((sandbox) => (
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
          <form class="form" onSubmit={(event) => event.preventDefault()}>
            <TextField
              label="Name"
              placeholder="none"
              hint="What this list shows."
              value={name}
              onInput={setName}
            />
            <div class="form-actions">
              <ActionButton kind="primary" action={create} done="The sandbox is created.">
                Create
              </ActionButton>
            </div>
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
        <a href={`${controlUrl}/`}>
          Open <span class="visually-hidden">{title}</span>
        </a>
        <ActionButton kind="quiet" action={drop} done="Dropped.">
          Drop <span class="visually-hidden">{title}</span>
        </ActionButton>
      </header>
      <Facts
        facts={[
          ...(name === null ? [] : [['Id', id] as const]),
          ['Base URL', <code>{baseUrl}</code>],
          ...(expiresAt === null ? [] : [['Dropped at', <Time at={expiresAt} withDate />] as const]),
        ]}
      />
    </article>
  );
}
