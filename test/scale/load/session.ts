import { deepStrictEqual } from 'node:assert/strict';
import type { Json } from '../../models/reference-model/resources.ts';
import { combineSeeds, Random } from '../../test-support/random.ts';
import type { ClientState } from './client-step.ts';
import type { Connection } from './connection.ts';
import type { Control } from './control.ts';
import { callControl } from './control-calls.ts';
import type { Inventory } from './inventory.ts';
import { countFaultHits, randomFault } from './random-faults.ts';
import { getKey } from './seed.ts';
import { count, type Interference, newTally, nextStep, sendStep, type Tally } from './send-step.ts';

/** A world: the mock itself or one of its sandboxes. */
export interface World {
  readonly baseUrl: string;
  readonly control: Control;
}

export interface Session {
  readonly seed: number;
  readonly world: World;
  readonly inventory: Inventory;
  readonly connections: readonly Connection[];
  /** Requests of each client. */
  readonly steps: number;
}

/** Results and problems of a session. */
export interface SessionResult {
  readonly interference: Interference;
  readonly tally: Tally;
  /** Requests that a fault hit. */
  readonly hits: number;
  readonly problems: readonly string[];
}

/** Requests per minute and key (8.1). */
const perMinute = 60;

/** Runs clients with their own connections and keys in one world, then compares their counts with the request log. */
export async function runSession(session: Session): Promise<SessionResult> {
  const { seed, world, inventory, connections } = session;
  const random = new Random(seed);
  const interference = random.pick<Interference>(['none', 'faults', 'faults', 'control-calls']);
  const tally = newTally();
  const problems: string[] = [];
  // The clock is frozen, so the rate limit does not depend on the session's duration.
  await world.control.call('POST', '/clock', { frozen: true });
  if (interference === 'faults')
    for (let i = 0; i < 6; i++) await world.control.call('POST', '/faults', randomFault(random));
  await Promise.all(
    connections.map(async (connection, number) => {
      const state: ClientState = {
        number,
        inventory,
        random: new Random(combineSeeds(seed, number)),
        intended: 0,
        own: [],
        gone: [],
        applied: [],
        friend: undefined,
        cursor: undefined,
      };
      const report = (what: string): void => {
        problems.push(`session ${seed} (${interference}), client ${number}: ${what}`);
      };
      await runClient(session, interference, state, connection, tally, report);
    }),
  );
  const hits = await audit(session, interference, tally).catch((error: unknown) => {
    problems.push(`session ${seed} (${interference}), request log: ${String(error)}`);
    return 0;
  });
  return { interference, tally, hits, problems };
}

async function runClient(
  { world, steps }: Session,
  interference: Interference,
  state: ClientState,
  connection: Connection,
  tally: Tally,
  report: (what: string) => void,
): Promise<void> {
  const { random, number } = state;
  const { baseUrl, control } = world;
  if (interference === 'none' && random.percent(5))
    await exceedRateLimit(session(baseUrl, connection, tally), number, report);
  for (let i = 0; i < steps; i++) {
    if (interference === 'faults' && random.percent(2))
      await control.call('POST', '/faults', randomFault(random));
    if (interference === 'control-calls' && random.percent(3)) await callControl(control, state);
    const step = nextStep(state);
    if (interference === 'control-calls' && random.percent(3)) {
      await connection.abandon(baseUrl, step.request);
      continue;
    }
    const wrong = await sendStep(step, { connection, baseUrl, interference, tally }).catch(String);
    if (wrong !== undefined)
      report(`${step.kind}: ${wrong}\n${JSON.stringify(step.request).slice(0, 1_000)}`);
  }
}

const session = (baseUrl: string, connection: Connection, tally: Tally) => ({ baseUrl, connection, tally });

/** Sends more requests than the rate limit: the first 60 pass, the rest get 429. */
async function exceedRateLimit(
  to: { readonly baseUrl: string; readonly connection: Connection; readonly tally: Tally },
  number: number,
  report: (what: string) => void,
): Promise<void> {
  const request = { method: 'GET', path: '/me', key: getKey('greedy', number) };
  for (let i = 0; i < perMinute + 5; i++) {
    const expected = [i < perMinute ? '200' : '429 RATE_LIMITED'];
    const step = { kind: 'greedy', request, expected };
    const wrong = await sendStep(step, { ...to, interference: 'none' }).catch(String);
    if (wrong !== undefined) report(`request ${i + 1} of a greedy key: ${wrong}`);
  }
}

/** Compares what the clients saw with the request log. */
async function audit({ world }: Session, interference: Interference, tally: Tally): Promise<number> {
  if (interference === 'control-calls') return 0;
  const faults = (await world.control.call('GET', '/faults')).faults as Json[];
  const { broken, undeclared } = countFaultHits(faults);
  const journal = (await world.control.call('GET', '/requests')).requests as Json[];
  // A request to a deleted sandbox is an unknown path of the mock itself.
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
