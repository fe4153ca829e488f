import { afterAll, expect, vi } from 'vitest';

/*
 * The files of a worker share its process. A file fails if it leaves a clock, a mock, a global, a listener or a
 * variable of the environment behind. Otherwise a later file would fail, depending on the order.
 */

const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT', 'unhandledRejection', 'uncaughtException'] as const;

const named = (kind: string, values: Readonly<Record<string, unknown>>): [name: string, value: unknown][] =>
  Object.entries(values).map(([name, value]) => [`${kind} ${name}`, value]);

/** Names of globals. Libraries keep state of their own under names with two underscores. */
const globalNames = (): string[] =>
  Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__'));

/** What tests may change in their process, by name. */
const readState = (): Map<string, unknown> =>
  new Map<string, unknown>([
    ['fake timers', vi.isFakeTimers()],
    ['working directory', process.cwd()],
    ['process.platform', process.platform],
    ['process.kill', process.kill],
    ['process.cwd', process.cwd],
    ['performance.now', performance.now],
    ['Math.random', Math.random],
    ['console.log', console.log],
    ...named('environment variable', process.env),
    ...named('global', Object.fromEntries(globalNames().map((name) => [name, true]))),
    ...named('global', { fetch, setTimeout, clearTimeout, setImmediate, Date, performance }),
    ...events.map((event): [string, unknown] => [`listeners of ${event}`, process.listenerCount(event)]),
  ]);

const before = readState();

// The hook registered first runs last. Only names are shown: the environment may have secrets.
afterAll(() => {
  const after = readState();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  expect(changed, 'what the file left behind in its process').toEqual([]);
});
