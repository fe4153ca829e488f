import { deepStrictEqual } from 'node:assert/strict';
import type { Json } from '../model/resources.ts';
import { Draw, seedOf } from '../support/chance.ts';
import type { Connection } from './connection.ts';
import type { Control } from './control.ts';
import type { Inventory } from './inventory.ts';
import { move } from './moves.ts';
import { keyOf } from './seed.ts';
import type { Memory } from './step.ts';
import { faultOf, toll } from './storm.ts';
import { count, type Mood, newTally, stepOf, type Tally, take } from './visitor.ts';

/** A world for a while: the mock itself, or a sandbox of it. */
export interface World {
  readonly baseUrl: string;
  readonly control: Control;
}

export interface Scene {
  readonly seed: number;
  readonly world: World;
  readonly inventory: Inventory;
  readonly connections: readonly Connection[];
  /** Requests of each visitor. */
  readonly steps: number;
}

/** What came of a scene, and what is wrong with it. */
export interface Played {
  readonly mood: Mood;
  readonly tally: Tally;
  /** Requests that a fault hit. */
  readonly hits: number;
  readonly problems: readonly string[];
}

/** Requests a minute that the contract allows a key (8.1). */
const perMinute = 60;

/** Visitors, each with its connection and its keys, in one world; then its books are audited. */
export async function play(scene: Scene): Promise<Played> {
  const { seed, world, inventory, connections } = scene;
  const draw = new Draw(seed);
  const mood = draw.of<Mood>(['calm', 'stormy', 'stormy', 'shifting']);
  const tally = newTally();
  const problems: string[] = [];
  // Minutes do not pass, however long the scene takes, so the limit of a key is certain.
  await world.control.call('POST', '/clock', { frozen: true });
  if (mood === 'stormy')
    for (let i = 0; i < 6; i++) await world.control.call('POST', '/faults', faultOf(draw));
  await Promise.all(
    connections.map(async (connection, number) => {
      const memory: Memory = {
        number,
        inventory,
        draw: new Draw(seedOf(seed, number)),
        intended: 0,
        own: [],
        gone: [],
        applied: [],
        friend: undefined,
        cursor: undefined,
      };
      const report = (what: string): void => {
        problems.push(`scene ${seed} (${mood}), visitor ${number}: ${what}`);
      };
      await visit(scene, mood, memory, connection, tally, report);
    }),
  );
  const hits = await audit(scene, mood, tally).catch((error: unknown) => {
    problems.push(`scene ${seed} (${mood}), its books: ${String(error)}`);
    return 0;
  });
  return { mood, tally, hits, problems };
}

async function visit(
  { world, steps }: Scene,
  mood: Mood,
  memory: Memory,
  connection: Connection,
  tally: Tally,
  report: (what: string) => void,
): Promise<void> {
  const { draw, number } = memory;
  const { baseUrl, control } = world;
  if (mood === 'calm' && draw.percent(5)) await exceed(scene(baseUrl, connection, tally), number, report);
  for (let i = 0; i < steps; i++) {
    if (mood === 'stormy' && draw.percent(2)) await control.call('POST', '/faults', faultOf(draw));
    if (mood === 'shifting' && draw.percent(3)) await move(control, memory);
    const step = stepOf(memory);
    if (mood === 'shifting' && draw.percent(3)) {
      await connection.abandon(baseUrl, step.request);
      continue;
    }
    const wrong = await take(step, { connection, baseUrl, mood, tally }).catch(String);
    if (wrong !== undefined)
      report(`${step.kind}: ${wrong}\n${JSON.stringify(step.request).slice(0, 1_000)}`);
  }
}

const scene = (baseUrl: string, connection: Connection, tally: Tally) => ({ baseUrl, connection, tally });

/** More requests than a key may make in a minute: the first sixty pass, the rest are told when to come again. */
async function exceed(
  to: { readonly baseUrl: string; readonly connection: Connection; readonly tally: Tally },
  number: number,
  report: (what: string) => void,
): Promise<void> {
  const request = { method: 'GET', path: '/me', key: keyOf('greedy', number) };
  for (let i = 0; i < perMinute + 5; i++) {
    const expected = [i < perMinute ? '200' : '429 RATE_LIMITED'];
    const step = { kind: 'greedy', request, expected };
    const wrong = await take(step, { ...to, mood: 'calm' }).catch(String);
    if (wrong !== undefined) report(`request ${i + 1} of a greedy key: ${wrong}`);
  }
}

/** Holds what the visitors saw against what the world recorded. */
async function audit({ world }: Scene, mood: Mood, tally: Tally): Promise<number> {
  if (mood === 'shifting') return 0;
  const faults = (await world.control.call('GET', '/faults')).faults as Json[];
  const { broken, undeclared } = toll(faults);
  const journal = (await world.control.call('GET', '/requests')).requests as Json[];
  // What is asked at the address of a dropped sandbox is an unknown path of the mock itself.
  const requests = journal.filter(({ path }) => !String(path).startsWith('/_sandbox/'));
  const timesApplied = new Map<string, number>();
  for (const { applied, operationId } of requests) {
    // Keywords are added without an operationId.
    if (applied === true && operationId !== null) count(timesApplied, String(operationId));
  }
  deepStrictEqual(
    {
      received: requests.length,
      broken: tally.statuses.get(0) ?? 0,
      undeclared: tally.statuses.get(418) ?? 0,
      appliedMoreThanOnce: [...timesApplied].filter(([, times]) => times > 1),
      answeredButNotApplied: [...tally.applied].filter((id) => !timesApplied.has(id)),
    },
    { received: tally.sent, broken, undeclared, appliedMoreThanOnce: [], answeredButNotApplied: [] },
  );
  return faults.reduce((sum, { hits }) => sum + (hits as unknown[]).length, 0);
}
