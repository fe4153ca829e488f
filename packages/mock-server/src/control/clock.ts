import { parseControl } from '../control-input/parse-control.ts';
import { type ClockReading, toIsoString } from '../primitives/clock.ts';
import type { World } from '../world/world.ts';
import { clockMove } from './input.ts';

export function readClock({ clock }: World): ClockReading {
  const now = clock.now();
  return { now, iso: toIsoString(now), frozen: clock.frozen };
}

/** Moves the clock of a world, then freezes or unfreezes it. */
export function moveClock(world: World, value: unknown): ClockReading {
  const { now, advanceMs, frozen } = parseControl(clockMove(), value);
  const { clock } = world;
  clock.move({ now: typeof now === 'string' ? Date.parse(now) : now, advanceMs, frozen });
  world.recorder?.('world', '', 'clock', clock.setting);
  const reading = readClock(world);
  world.events?.add('clock', reading);
  return reading;
}
