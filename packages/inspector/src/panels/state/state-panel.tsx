import { useRef, useState } from 'preact/hooks';
import { ActionButton, ConfirmButton, Field } from '../../components/controls.tsx';
import { downloadJson } from '../../components/download.ts';
import { Card, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { ControlCallError, callControl } from '../../control-api/client.ts';
import type { Limits } from '../../control-api/types.ts';
import { useHistorySize } from '../../live/history-size.ts';

export function StatePanel() {
  return (
    <Panel
      title="State"
      about="The state is everything the mock knows: records, keys, operations, audit log, clock and randomness."
    >
      <div class="cards">
        <Card title="Save">
          <p>
            Keep the state as a file, to load it later or to start a mock with it:{' '}
            <code>orgchat mock start --seed FILE</code>.
          </p>
          <p class="quiet">The file contains the keys of this mock.</p>
          <div class="buttons">
            <ActionButton kind="primary" action={save} done="The state is saved.">
              Save the state
            </ActionButton>
          </div>
        </Card>
        <LoadCard />
        <HistoryCard />
        <Card title="Reset">
          <p>
            Go back to the data that the mock started with. Armed faults, the clock and the request log are
            reset too.
          </p>
          <div class="buttons">
            <ConfirmButton
              question="Reset everything"
              action={() => callControl('POST', 'reset')}
              done="The mock is as it was at its start."
            >
              Reset
            </ConfirmButton>
          </div>
        </Card>
      </div>
    </Panel>
  );
}

/** Requests of which the state before is kept, if the page turns history on. */
const keptStates = 100;

function HistoryCard() {
  const [size, setSize] = useHistorySize();
  const change = async (history: number): Promise<void> => {
    const limits = await callControl<Limits>('PATCH', 'limits', { history });
    setSize(limits.history);
  };
  return (
    <Card title="History">
      <p>
        Keep the state before each change, to go back to it or to make a sandbox of it. Both are in the detail
        of a <a href={toHref('requests')}>request</a>.
      </p>
      {size === undefined ? (
        <p class="loading">Loading…</p>
      ) : (
        <>
          <p class="quiet">
            {size === 0 ? 'History is off.' : `The states before the last ${size} changes are kept.`}
          </p>
          <div class="buttons">
            {size === 0 ? (
              <ActionButton action={() => change(keptStates)} done="History is on.">
                Turn history on
              </ActionButton>
            ) : (
              <ActionButton action={() => change(0)} done="History is off.">
                Turn history off
              </ActionButton>
            )}
          </div>
        </>
      )}
    </Card>
  );
}

async function save(): Promise<void> {
  downloadJson('orgchat-state.json', await callControl('GET', 'state'));
}

function LoadCard() {
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const load = async (): Promise<void> => {
    if (file === undefined) return;
    await callControl('PUT', 'state', parseState(await file.text(), file.name));
    setFile(undefined);
    if (input.current !== null) input.current.value = '';
  };
  return (
    <Card title="Load">
      <p>Replace the state with that of a file. A seed in JSON is accepted too.</p>
      <Field label="File" hint="JSON, up to 256 MiB.">
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".json,application/json"
            ref={input}
            onInput={(event) => setFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div class="buttons">
        <ActionButton action={load} disabled={file === undefined} done="The state is loaded.">
          Replace the state
        </ActionButton>
      </div>
    </Card>
  );
}

function parseState(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlCallError(`${name} is not JSON. Convert a YAML seed to JSON first.`);
  }
}
