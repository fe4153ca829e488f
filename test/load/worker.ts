import { Load } from './load.ts';
import { keyOf, visitorsAWorld } from './seed.ts';
import type { FromWorker, ToWorker, WorkerOrders } from './worker-process.ts';

/* A part of the connections, in a process of its own. */

const orders = JSON.parse(process.argv[2] ?? '{}') as WorkerOrders;
let goesOn = false;
const load = new Load({ ...orders, goesOn: () => goesOn });

const tell = (message: FromWorker): void => void process.send?.(message);
const said: Record<ToWorker, () => void> = {
  run: () => void run(),
  rest: () => {
    goesOn = false;
  },
  hold: () => void hold(),
};
process.on('message', (message: ToWorker) => said[message]());
process.on('disconnect', () => process.exit());

/** One more request on each connection, to be answered when the server stops. */
async function hold(): Promise<void> {
  const roles = ['reader', 'writer', 'viewer', 'greedy'] as const;
  const answers = await Promise.all(
    load.connections.map((connection, i) => {
      const key = keyOf(roles[Math.floor(i / visitorsAWorld) % roles.length] ?? 'reader', i % visitorsAWorld);
      return connection.send(orders.baseUrl, { method: 'GET', path: '/me', key });
    }),
  );
  tell({ held: answers.filter((answer) => answer?.status === 200).length });
  load.close();
  process.disconnect();
}

/** Scenes until it is told to rest. */
async function run(): Promise<void> {
  goesOn = true;
  const timer = setInterval(() => tell({ problems: load.totals.problems.length }), 1_000);
  await load.run();
  clearInterval(timer);
  const { kinds, statuses, ...totals } = load.totals;
  tell({
    totals: { ...totals, kinds: Object.fromEntries(kinds), statuses: Object.fromEntries(statuses) },
  });
}
