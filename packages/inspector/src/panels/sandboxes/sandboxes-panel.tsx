import { useEffect, useState } from 'preact/hooks';
import { ActionButton, ConfirmButton, TextField } from '../../components/controls.tsx';
import { Load, Panel } from '../../components/panel.tsx';
import { callControl } from '../../control-api/client.ts';
import type { SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { formatNumber } from '../../text/count.ts';
import { SandboxList } from './sandbox-list.tsx';

/** The events of a mock are not about the requests of its sandboxes, so the list is read again while it is shown. */
const readAgainMs = 2000;

export function SandboxesPanel() {
  const list = useControl<{ readonly sandboxes: readonly SandboxEntry[] }>('sandboxes', ['sandbox']);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && list.reload(), readAgainMs);
    return () => clearInterval(timer);
  }, [list.reload]);
  const number = list.loaded.data?.sandboxes.length ?? 0;
  const dropAll = async (): Promise<void> => {
    await callControl('DELETE', 'sandboxes');
    list.reload();
  };
  return (
    <Panel
      title="Sandboxes"
      about="A sandbox is a mock of its own in this server, for one test or one try. It has its own address, data, faults and clock."
      fill
      actions={
        <>
          <NewSandbox reload={list.reload} />
          {number > 0 && (
            <ConfirmButton
              kind="danger-quiet"
              question={`Drop all ${formatNumber(number)}`}
              action={dropAll}
              done="All sandboxes are dropped."
            >
              Drop all {formatNumber(number)}
            </ConfirmButton>
          )}
        </>
      }
    >
      <Load from={list}>{({ sandboxes }) => <SandboxList sandboxes={sandboxes} reload={list.reload} />}</Load>
    </Panel>
  );
}

function NewSandbox({ reload }: { readonly reload: () => void }) {
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    await callControl('POST', 'sandboxes', name.trim() === '' ? {} : { name: name.trim() });
    setName('');
    reload();
  };
  return (
    <form class="new-sandbox" onSubmit={(event) => event.preventDefault()}>
      <TextField label="New sandbox" placeholder="name, or nothing" value={name} onInput={setName} />
      <ActionButton kind="primary" action={create} done="The sandbox is created.">
        Create
      </ActionButton>
    </form>
  );
}
