import { useState } from 'preact/hooks';
import { ActionButton } from '../../components/controls.tsx';
import { Badge, Card, Load, Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { callControl } from '../../control-api/client.ts';
import type { ArmedFault } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { RequestLink } from '../requests/request-link.tsx';
import { describeFault } from './describe-fault.ts';
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
          <Card title="Armed faults">
            <Load from={list}>
              {({ faults }) =>
                faults.length === 0 ? (
                  <p class="nothing">No fault is armed. Choose a common one, then send a request.</p>
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

function ArmedEntry({ fault, reload }: { readonly fault: ArmedFault; readonly reload: () => void }) {
  const { id, effect, remaining, hits } = fault;
  const disarm = async (): Promise<void> => {
    await callControl('DELETE', `faults/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <article class={remaining === 0 ? 'entry entry-done' : 'entry'}>
      <header class="entry-head">
        <h3>{effect}</h3>
        <Badge tone={remaining === 0 ? 'plain' : 'warn'}>
          {remaining === 'always' ? 'hits always' : remaining === 0 ? 'used up' : `hits ${remaining} more`}
        </Badge>
        <ActionButton kind="quiet" action={disarm} done="Disarmed.">
          {remaining === 0 ? 'Remove' : 'Disarm'} <span class="visually-hidden">{effect}</span>
        </ActionButton>
      </header>
      <p class="terms">
        {describeFault(fault).map(([name, value]) => (
          <span key={name}>
            <span class="quiet">{name}</span> {value}
          </span>
        ))}
      </p>
      {hits.length === 0 ? (
        <p class="nothing">No requests hit yet.</p>
      ) : (
        <ul class="hits">
          {hits.slice(-mostHits).map(({ requestId, at, operation }) => (
            <li key={requestId}>
              <RequestLink id={requestId} /> {operation} <Time at={at} />
            </li>
          ))}
        </ul>
      )}
      {hits.length > mostHits && <p class="nothing">{hits.length - mostHits} earlier hits are not shown.</p>}
    </article>
  );
}
