import { setTimeout as sleep } from 'node:timers/promises';
import type { Mock } from '@orgchat/mock-server';
import { Random } from '../../test-support/random.ts';
import type { SharedEngines } from './engines.ts';
import { engineKinds, monotonicMs, organizations } from './plan.ts';
import type { WorkerProcesses } from './worker-processes.ts';

/** What goes wrong during a soak. */
export interface Chaos {
  /** Lets something go wrong if it is time for it, by how many requests were applied and how many had a refused key so far. */
  step(applied: number, refused: number): Promise<void>;
  describe(): string;
  counts(): Record<string, number>;
}

/** How many intents lie between two events: about 250 events in 10,000 intents. */
const intentsBetween = 40;
/** While nothing is applied, as in a full window, something still goes wrong this often. In milliseconds. */
const longestQuietMs = 6_000;

/** How many requests are refused before a key is accepted again, and how long that takes at most, in milliseconds. */
const refusals = 5;
const longestRevokedMs = 15_000;

/** How many replies are lost one after the other. */
const repliesInRow = 4;

export type ChaosEvent = 'revoke' | 'kill' | 'crash' | 'break' | 'lose reply' | 'cut' | 'swallow' | 'pause';

/** A round of everything that goes wrong. */
export const allEvents: readonly ChaosEvent[] = [
  ...(['revoke', 'kill', 'kill', 'kill', 'lose reply', 'lose reply', 'lose reply'] as const),
  ...(['break', 'break', 'cut', 'swallow', 'pause', 'crash'] as const),
];

export function createChaos(parts: {
  readonly seed: number;
  readonly intents: number;
  readonly workers: WorkerProcesses;
  readonly workerCount: number;
  readonly engines: SharedEngines;
  readonly mock: Mock;
  /** How often each event comes in a round. The first one of a soak is the first of these. */
  readonly round: readonly ChaosEvent[];
}): Chaos {
  const { seed, intents, workers, workerCount, engines, mock, round } = parts;
  const random = new Random(seed);
  const done = Object.fromEntries(allEvents.map((event) => [event, 0])) as Record<ChaosEvent, number>;
  // In the end the workers have to be able to finish.
  const quietAfter = intents * 0.95;
  const between = Math.min(intentsBetween, Math.floor(quietAfter / (round.length + 1)));
  let queue = [...round];
  let [next, lastAt] = [between, monotonicMs()];

  /** Loses some replies one after the other, of any connection, so that every kind of statement is hit. */
  async function loseReplies(): Promise<void> {
    for (let n = 0; n < repliesInRow; n++) {
      pickNetwork().loseReply();
      await sleep(50 + random.below(100));
    }
  }

  const pickNetwork = () => engines[random.pick(engineKinds)].network;

  /** The key that is refused, and until when: some requests have to have it, if there are any. */
  let revoked: { apiKey: string; refused: number; since: number } | undefined;
  function revoke(refused: number): void {
    if (revoked) return;
    revoked = {
      apiKey: random.pick(organizations).apiKey,
      refused: refused + refusals,
      since: monotonicMs(),
    };
    mock.patchKey(revoked.apiKey, { revoked: true });
  }
  function restore(refused: number): void {
    if (!revoked) return;
    const passed = monotonicMs() - revoked.since;
    if (passed < longestRevokedMs && (refused < revoked.refused || passed < 1_000)) return;
    mock.patchKey(revoked.apiKey, { revoked: false });
    revoked = undefined;
  }

  async function run(event: ChaosEvent, refused: number): Promise<void> {
    done[event]++;
    if (event === 'revoke') revoke(refused);
    if (event === 'kill') workers.kill(random.below(workerCount));
    if (event === 'pause') workers.pause(random.below(workerCount), 1_000 + random.below(4_000));
    if (event === 'break') pickNetwork().breakAll();
    if (event === 'lose reply') await loseReplies();
    if (event === 'cut') setTimeout(pickNetwork().cut(), 500 + random.below(3_000));
    if (event === 'swallow') pickNetwork().swallow();
    if (event === 'crash') await engines[random.pick(engineKinds)].crash();
  }

  return {
    async step(applied, refused) {
      restore(refused);
      if (applied < next && monotonicMs() - lastAt < longestQuietMs) return;
      [next, lastAt] = [Math.max(next, applied) + between, monotonicMs()];
      if (queue.length === 0) queue = [...round];
      const isFirst = Object.values(done).every((count) => count === 0);
      const [event] = queue.splice(isFirst ? 0 : random.below(queue.length), 1);
      if (event && applied < quietAfter) await run(event, refused);
    },
    describe: () =>
      Object.entries(done)
        .map(([event, count]) => `${event} ${count}`)
        .join(', '),
    counts: () => ({
      'keys revoked for a while': done.revoke,
      'workers killed': workers.kills,
      'workers stopped for a while': done.pause,
      'engine crashes': done.crash,
      'times all connections broken': done.break,
      'times all connections silent': done.swallow,
      'times the network was down': done.cut,
      'replies lost': done['lose reply'] * repliesInRow,
    }),
  };
}
