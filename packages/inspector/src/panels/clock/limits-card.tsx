import { useEffect, useState } from 'preact/hooks';
import { ActionButton, TextField } from '../../components/controls.tsx';
import { LargeStateNotice } from '../../components/large-state.tsx';
import { Card, Load } from '../../components/panel.tsx';
import { callControl } from '../../control-api/client.ts';
import type { ClockReading, Limits } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { useWorldState, type WorldState } from '../../live/world-state.ts';

/** `PATCH /limits` without a field changes nothing and returns the limits. */
const readLimits = (): Promise<Limits> => callControl('PATCH', 'limits', {});

const toLimit = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text.trim());

/** The limits, which can be changed, and how much of them each key has used. */
export function LimitsCard() {
  const world = useWorldState(['request', 'clock', 'sandbox']);
  const clock = useControl<ClockReading>('clock', ['clock', 'request']);
  const [limits, setLimits] = useState<Limits>();
  useEffect(() => {
    readLimits().then(setLimits, () => {});
  }, [world.loaded.data]);
  return (
    <Card title="Limits">
      <Load from={world}>
        {(state) =>
          limits === undefined ? (
            <p class="loading">Loading…</p>
          ) : (
            <>
              <Gauges state={state} limits={limits} now={clock.loaded.data?.now ?? 0} />
              <LargeStateNotice />
              <LimitsForm limits={limits} changed={setLimits} />
            </>
          )
        }
      </Load>
    </Card>
  );
}

const windowMs = 60_000;

function Gauges({
  state,
  limits,
  now,
}: {
  readonly state: WorldState;
  readonly limits: Limits;
  readonly now: number;
}) {
  const [organization] = state.organizations;
  const monthly =
    limits.monthlyLimit === 'plan'
      ? (state.plans[organization.plan]?.monthlyRequests ?? 'off')
      : limits.monthlyLimit;
  const used = (key: string): number =>
    (state.windows[key] ?? []).filter((at) => at > now - windowMs && at <= now).length;
  const busy = organization.keys.filter(({ key }) => used(key) > 0);
  return (
    <div class="gauges">
      <Gauge
        label={`Requests in ${organization.usage.month}`}
        used={organization.usage.used}
        limit={monthly}
      />
      {busy.map(({ key, name }) => (
        <Gauge key={key} label={`${name}, last minute`} used={used(key)} limit={limits.rateLimit} />
      ))}
      {busy.length === 0 && <p class="nothing">No key sent a request in the last minute.</p>}
    </div>
  );
}

function Gauge({
  label,
  used,
  limit,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number | string;
}) {
  return (
    <div class="gauge">
      <span class="gauge-label">{label}</span>
      <span class="gauge-value">
        {used.toLocaleString('en-US')}{' '}
        {typeof limit === 'number' ? `of ${limit.toLocaleString('en-US')}` : '· no limit'}
      </span>
      {typeof limit === 'number' && (
        <meter
          aria-label={label}
          min={0}
          max={Math.max(1, limit)}
          high={limit * 0.8}
          optimum={0}
          value={used}
        />
      )}
    </div>
  );
}

function LimitsForm({
  limits,
  changed,
}: {
  readonly limits: Limits;
  readonly changed: (limits: Limits) => void;
}) {
  const [rateLimit, setRateLimit] = useState(String(limits.rateLimit));
  const [monthlyLimit, setMonthlyLimit] = useState(String(limits.monthlyLimit));
  const save = async (): Promise<void> => {
    const patch = { rateLimit: toLimit(rateLimit), monthlyLimit: toLimit(monthlyLimit) };
    changed(await callControl<Limits>('PATCH', 'limits', patch));
  };
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <div class="fields">
        <TextField
          label="Per minute and key"
          hint="A number, or off."
          value={rateLimit}
          onInput={setRateLimit}
        />
        <TextField
          label="Per month"
          hint="A number, plan or off."
          value={monthlyLimit}
          onInput={setMonthlyLimit}
        />
      </div>
      <div class="form-actions">
        <ActionButton action={save} done="The limits are changed.">
          Change the limits
        </ActionButton>
      </div>
    </form>
  );
}
