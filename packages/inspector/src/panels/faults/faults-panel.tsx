import { useState } from 'preact/hooks';
import { ActionButton } from '../../components/controls.tsx';
import { Badge, Card, Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { callControl } from '../../control-api/client.ts';
import type { ArmedFault } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { toHref } from '../../shell/route.ts';
import { FaultFields } from './fault-fields.tsx';
import { emptyForm, presets, toFault } from './fault-form.ts';

interface FaultList {
  readonly faults: readonly ArmedFault[];
}

/** Hits that are shown of a fault. */
const mostHits = 20;

export function FaultsPanel() {
  const list = useControl<FaultList>('faults', ['fault', 'sandbox']);
  const [form, setForm] = useState(emptyForm);
  const arm = async (fault: object): Promise<void> => {
    await callControl('POST', 'faults', fault);
    list.reload();
  };
  const count = list.loaded.data?.faults.length ?? 0;
  return (
    <Panel
      title="Faults"
      about="A fault makes the next matching requests go wrong, so that you see what your client does then."
      actions={
        count > 0 && (
          <ActionButton
            action={async () => {
              await callControl('DELETE', 'faults');
              list.reload();
            }}
            done="No fault is armed."
          >
            Disarm all
          </ActionButton>
        )
      }
    >
      <div class="cards cards-two">
        <div class="stack">
          <Card title="Armed faults">
            <Load from={list}>
              {({ faults }) =>
                faults.length === 0 ? (
                  <Empty title="No fault is armed">
                    <p>Choose one below, then send a request.</p>
                  </Empty>
                ) : (
                  <ul class="plain-list">
                    {faults.toReversed().map((fault) => (
                      <li key={fault.id}>
                        <ArmedEntry fault={fault} reload={list.reload} />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Load>
          </Card>
          <Card title="Common faults">
            <ul class="plain-list presets">
              {presets.map(({ title, fault }) => (
                <li key={title}>
                  <ActionButton action={() => arm(fault)} done={`Armed: ${title}.`}>
                    {title}
                  </ActionButton>
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <Card title="Arm a fault">
          <form class="form" onSubmit={(event) => event.preventDefault()}>
            <FaultFields form={form} change={(changes) => setForm({ ...form, ...changes })} />
            <div class="form-actions">
              <ActionButton kind="primary" action={() => arm(toFault(form))} done="The fault is armed.">
                Arm the fault
              </ActionButton>
              <button type="button" class="button button-quiet" onClick={() => setForm(emptyForm)}>
                Start over
              </button>
            </div>
          </form>
        </Card>
      </div>
    </Panel>
  );
}

/** Fields that are shown elsewhere in an entry. */
const shownFields = new Set(['id', 'effect', 'seen', 'remaining', 'hits']);

const isDefault = (name: string, value: unknown): boolean =>
  (name === 'after' && value === 0) ||
  (name === 'probability' && value === 1) ||
  (name === 'times' && value === 1);

function ArmedEntry({ fault, reload }: { readonly fault: ArmedFault; readonly reload: () => void }) {
  const { id, effect, remaining, hits } = fault;
  const fields = Object.entries(fault).filter(
    ([name, value]) => !shownFields.has(name) && !isDefault(name, value),
  );
  const disarm = async (): Promise<void> => {
    await callControl('DELETE', `faults/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <article class="entry">
      <header class="entry-head">
        <h3>{effect}</h3>
        <Badge tone={remaining === 0 ? 'plain' : 'warn'}>
          {remaining === 'always' ? 'hits always' : remaining === 0 ? 'used up' : `hits ${remaining} more`}
        </Badge>
        <ActionButton kind="quiet" action={disarm} done="Disarmed.">
          Disarm <span class="visually-hidden">{effect}</span>
        </ActionButton>
      </header>
      {fields.length > 0 && (
        <Facts
          facts={fields.map(([name, value]) => [
            name,
            typeof value === 'object' ? JSON.stringify(value) : String(value),
          ])}
        />
      )}
      {hits.length === 0 ? (
        <p class="nothing">It hit no request yet.</p>
      ) : (
        <ul class="hits">
          {hits.slice(-mostHits).map(({ requestId, at, operation }) => (
            <li key={requestId}>
              <a href={toHref('requests', requestId)}>{requestId}</a> {operation} <Time at={at} />
            </li>
          ))}
        </ul>
      )}
      {hits.length > mostHits && <p class="nothing">{hits.length - mostHits} earlier hits are not shown.</p>}
    </article>
  );
}
