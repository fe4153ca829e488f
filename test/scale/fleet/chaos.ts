import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyNetwork } from '../../../packages/fleet/test-support/faulty-network.ts';
import { Random } from '../../test-support/random.ts';
import type { SharedEngine } from './engines.ts';
import { monotonicMs } from './messages.ts';
import type { WorkerProcesses } from './worker-processes.ts';

/** What goes wrong during a soak. */
export interface Chaos {
  /** Lets something go wrong if it is time for it. */
  step(applied: number): Promise<void>;
  describe(): string;
  counts(): Record<string, number>;
}

/** How many intents lie between two events: about 250 events in 10,000 intents. */
const intentsBetween = 40;
/** While nothing is applied, as in a full window, something still goes wrong this often. In milliseconds. */
const longestQuietMs = 6_000;

/** How many replies are lost one after the other. */
const repliesInRow = 4;

type Event = 'kill' | 'engine' | 'break' | 'lose reply' | 'cut' | 'pause';

/** How often each of them comes in a round. */
const round: readonly Event[] = [
  ...(['kill', 'kill', 'kill', 'kill', 'kill', 'kill'] as const),
  ...(['lose reply', 'lose reply', 'lose reply', 'lose reply', 'lose reply', 'lose reply'] as const),
  ...(['break', 'break', 'break', 'cut', 'pause', 'engine'] as const),
];

export function createChaos(parts: {
  readonly seed: number;
  readonly intents: number;
  readonly workers: WorkerProcesses;
  readonly workerCount: number;
  readonly engine: SharedEngine;
  readonly network: FaultyNetwork;
}): Chaos {
  const { seed, intents, workers, workerCount, engine, network } = parts;
  const random = new Random(seed);
  const done: Record<Event, number> = { kill: 0, engine: 0, break: 0, 'lose reply': 0, cut: 0, pause: 0 };
  const between = Math.min(intentsBetween, Math.ceil(intents / round.length));
  let queue: Event[] = [];
  let [next, lastAt] = [between, monotonicMs()];

  /** Loses some replies one after the other, of any connection, so that every kind of statement is hit. */
  async function loseReplies(): Promise<void> {
    for (let n = 0; n < repliesInRow; n++) {
      network.loseReply();
      await sleep(50 + random.below(100));
    }
  }

  async function run(event: Event): Promise<void> {
    done[event]++;
    if (event === 'kill') workers.kill(random.below(workerCount));
    if (event === 'pause') workers.pause(random.below(workerCount), 1_000 + random.below(4_000));
    if (event === 'break') network.breakAll();
    if (event === 'lose reply') await loseReplies();
    if (event === 'cut') setTimeout(network.cut(), 500 + random.below(3_000));
    if (event === 'engine') {
      await engine.kill();
      await engine.start();
    }
  }

  return {
    async step(applied) {
      if (applied < next && monotonicMs() - lastAt < longestQuietMs) return;
      [next, lastAt] = [Math.max(next, applied) + between, monotonicMs()];
      if (queue.length === 0) queue = [...round];
      const [event] = queue.splice(random.below(queue.length), 1);
      // In the end the workers have to be able to finish.
      if (event && applied < intents * 0.98) await run(event);
    },
    describe: () =>
      Object.entries(done)
        .map(([event, count]) => `${event} ${count}`)
        .join(', '),
    counts: () => ({
      'workers killed': workers.kills,
      'workers paused': done.pause,
      'engine restarts': done.engine,
      'times all connections broken': done.break,
      'times the network was down': done.cut,
      'replies lost': done['lose reply'] * repliesInRow,
    }),
  };
}
