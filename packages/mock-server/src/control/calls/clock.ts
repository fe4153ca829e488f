import { lastMoment, readMoment } from '@orgchat/spec';
import * as z from 'zod';
import { invalid } from '../../input-checks/control-error.ts';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import { maxAdvanceMs } from '../../mock-limits.ts';
import { type ClockReading, toIsoString } from '../../primitives/clock.ts';
import type { World } from '../../world/world.ts';
import type { ControlCalls } from '../call.ts';

/* The clock that limits, quotas and times follow. */

const clockMove = memoize(() =>
  z
    .strictObject({
      advanceMs: z
        .int()
        .min(0)
        .max(maxAdvanceMs)
        .optional()
        .meta({ description: 'Milliseconds to move the clock forward.' }),
      now: z
        .union(
          [z.int().min(0).max(lastMoment), z.string()],
          'must be milliseconds since 1970, or a date and time',
        )
        .optional()
        .meta({ description: 'Milliseconds since 1970, or a date and time with its zone (RFC 3339).' }),
      frozen: z.boolean().optional().meta({ description: 'Whether the clock is frozen.' }),
    })
    .check((ctx) => {
      const { now } = ctx.value;
      const problem = typeof now === 'string' ? readMoment(now).problem : undefined;
      if (problem !== undefined)
        ctx.issues.push({ code: 'custom', message: problem, path: ['now'], input: now });
    })
    .meta({ id: 'ClockMove', description: 'Moves the clock, then freezes or unfreezes it.' }),
);

/** How to move the clock, and whether to freeze it. */
export type ClockMove = z.input<ReturnType<typeof clockMove>>;

export const clockReading = memoize(() =>
  z
    .object({
      now: z.int().meta({ description: 'Milliseconds since 1970.' }),
      iso: z.string().meta({ format: 'date-time' }),
      frozen: z.boolean(),
    })
    .meta({ id: 'ClockReading', description: "The time of the mock's clock." }),
);

function readClock({ clock }: World): ClockReading {
  const now = clock.now();
  return { now, iso: toIsoString(now), frozen: clock.frozen };
}

export const clockCalls = {
  getClock: {
    method: 'GET',
    path: '/clock',
    tag: 'Clock',
    summary: "The time of the mock's clock",
    answer: clockReading,
    mock: 'clock.read',
    run: ({ world }) => readClock(world),
  },
  moveClock: {
    method: 'POST',
    path: '/clock',
    body: clockMove,
    tag: 'Clock',
    summary: 'Move, freeze or unfreeze the clock',
    description: 'Limits and quotas follow the clock.',
    example: { advanceMs: 60_000 },
    answer: clockReading,
    mock: 'clock.move',
    run: ({ world }, value) => {
      const { now: given, advanceMs = 0, frozen } = parseControl(clockMove(), value);
      const { clock } = world;
      const now = typeof given === 'string' ? readMoment(given).at : given;
      const from = now ?? clock.now();
      if (from + advanceMs > lastMoment)
        throw invalid(
          `advanceMs must be at most ${lastMoment - from}: no date-time is later than the year 9999, and the clock would advance from ${toIsoString(from)}.`,
        );
      clock.move({ now, advanceMs, frozen });
      world.recorder?.('world', '', 'clock', clock.setting);
      const reading = readClock(world);
      world.events?.add('clock', reading);
      return reading;
    },
  },
} as const satisfies ControlCalls;
