import { useEffect, useState } from 'preact/hooks';
import { ActionButton, TextField } from '../../components/controls.tsx';
import { Badge, Card, Load, Panel } from '../../components/panel.tsx';
import { callControl } from '../../control-api/client.ts';
import type { ClockReading } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { LimitsCard } from './limits-card.tsx';

const minute = 60_000;
const steps: readonly (readonly [string, number])[] = [
  ['1 minute', minute],
  ['1 hour', 60 * minute],
  ['1 day', 24 * 60 * minute],
  ['31 days', 31 * 24 * 60 * minute],
];

export function ClockPanel() {
  const clock = useControl<ClockReading>('clock', ['clock']);
  const move = async (change: object): Promise<void> => {
    await callControl('POST', 'clock', change);
    clock.reload();
  };
  return (
    <Panel
      title="Clock and limits"
      about="Limits, quotas and times follow the clock of the mock, which you can move."
    >
      <div class="cards">
        <Card title="Clock">
          <Load from={clock}>{(reading) => <ClockCard reading={reading} move={move} />}</Load>
        </Card>
        <LimitsCard />
      </div>
    </Panel>
  );
}

interface ClockCardProps {
  readonly reading: ClockReading;
  readonly move: (change: object) => Promise<void>;
}

function ClockCard({ reading, move }: ClockCardProps) {
  const now = useNow(reading);
  const [moment, setMoment] = useState('');
  return (
    <>
      <div class="clock">
        <p>
          <time dateTime={new Date(now).toISOString()}>
            {new Date(now).toISOString().slice(0, 19).replace('T', ' ')}
          </time>{' '}
          <span class="quiet">UTC</span> {reading.frozen && <Badge tone="info">frozen</Badge>}
        </p>
        <ActionButton
          action={() => move({ frozen: !reading.frozen })}
          done={reading.frozen ? 'The clock runs.' : 'The clock is frozen.'}
        >
          {reading.frozen ? 'Let it run' : 'Freeze it'}
        </ActionButton>
      </div>
      <div class="buttons" role="group" aria-label="Move the clock forward">
        {steps.map(([title, advanceMs]) => (
          <ActionButton key={title} action={() => move({ advanceMs })} done={`Moved forward by ${title}.`}>
            + {title}
          </ActionButton>
        ))}
      </div>
      <form class="field-and-button" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Set to"
          placeholder="2026-05-01T00:00:00Z"
          hint="A date and time, or milliseconds since 1970."
          value={moment}
          onInput={setMoment}
        />
        <ActionButton
          action={() => move({ now: /^\d+$/.test(moment) ? Number(moment) : moment })}
          done="The clock is set."
          disabled={moment.trim() === ''}
        >
          Set the clock
        </ActionButton>
      </form>
    </>
  );
}

/** The time of a clock that runs on after it was read. */
function useNow({ now, frozen }: ClockReading): number {
  const [, tick] = useState(0);
  const [readAt, setReadAt] = useState(() => Date.now());
  useEffect(() => {
    setReadAt(Date.now());
    if (frozen) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [now, frozen]);
  return frozen ? now : now + Math.max(0, Date.now() - readAt);
}
