import { useEffect, useState } from 'preact/hooks';
import { ActionButton, TextField } from '../../components/controls.tsx';
import { Card, Load } from '../../components/panel.tsx';
import { callControl } from '../../control-api/client.ts';
import type { Limits, ListedKey } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';

/** `PATCH /limits` without a field changes nothing and returns the limits. */
const readLimits = (): Promise<Limits> => callControl('PATCH', 'limits', {});

const toLimit = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text.trim());

interface KeyList {
  readonly keys: readonly ListedKey[];
}

/** The limits, which can be changed, and how much of them each key has used. */
export function LimitsCard() {
  const list = useControl<KeyList>('keys', ['request', 'clock', 'record', 'sandbox']);
  const [limits, setLimits] = useState<Limits>();
  useEffect(() => {
    readLimits().then(setLimits, () => {});
  }, [list.loaded.data]);
  return (
    <Card title="Limits">
      <Load from={list}>
        {({ keys }) =>
          limits === undefined ? (
            <p class="loading">Loading…</p>
          ) : (
            <>
              <Gauges keys={keys} limits={limits} />
              <LimitsForm
                limits={limits}
                changed={(changed) => {
                  setLimits(changed);
                  list.reload();
                }}
              />
            </>
          )
        }
      </Load>
    </Card>
  );
}

function Gauges({ keys, limits }: { readonly keys: readonly ListedKey[]; readonly limits: Limits }) {
  const usage = keys[0]?.usage;
  const busy = keys.filter((key) => key.usage.lastMinute > 0);
  return (
    <div class="gauges">
      {usage !== undefined && (
        <Gauge
          label={`Requests in ${usage.month}`}
          used={usage.thisMonth}
          limit={usage.monthlyLimit ?? 'off'}
        />
      )}
      {busy.map(({ key, name, usage: { lastMinute } }) => (
        <Gauge key={key} label={`${name}, last minute`} used={lastMinute} limit={limits.rateLimit} />
      ))}
      {busy.length === 0 && (
        <p class="nothing">
          {limits.rateLimit === 'off'
            ? 'Requests per minute are not limited, so they are not counted.'
            : 'No key sent a request in the last minute.'}
        </p>
      )}
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
          label="Per minute per key"
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
