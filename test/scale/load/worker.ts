import { Load } from './run-load.ts';
import { clientsPerWorld, getKey } from './seed.ts';
import type { FromWorker, ToWorker, WorkerOptions } from './worker-process.ts';

/* Runs a part of the connections in its own process. */

const options = JSON.parse(process.argv[2] ?? '{}') as WorkerOptions;
let shouldContinue = false;
const load = new Load({ ...options, shouldContinue: () => shouldContinue });

const report = (message: FromWorker): void => void process.send?.(message);
const said: Record<ToWorker, () => void> = {
  run: () => void run(),
  rest: () => {
    shouldContinue = false;
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
      const key = getKey(
        roles[Math.floor(i / clientsPerWorld) % roles.length] ?? 'reader',
        i % clientsPerWorld,
      );
      return connection.send(options.baseUrl, { method: 'GET', path: '/me', key });
    }),
  );
  report({ held: answers.filter((answer) => answer?.status === 200).length });
  load.close();
  process.disconnect();
}

/** Runs sessions until the parent sends `rest`. */
async function run(): Promise<void> {
  shouldContinue = true;
  const timer = setInterval(() => report({ problems: load.totals.problems.length }), 1_000);
  await load.run();
  clearInterval(timer);
  const { kinds, statuses, ...totals } = load.totals;
  report({
    totals: { ...totals, kinds: Object.fromEntries(kinds), statuses: Object.fromEntries(statuses) },
  });
}
