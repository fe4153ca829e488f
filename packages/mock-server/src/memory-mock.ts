import { limits } from '@orgchat/spec';
import { resolveDescription } from './described-server/resolve-description.ts';
import { EventLog } from './events/event-log.ts';
import { EventStreams } from './events/event-streams.ts';
import { assembleMock } from './mock.ts';
import { defaultLogBytes, defaultRequestLogSize, maxKeptEvents } from './mock-limits.ts';
import type { Sleep } from './options/options.ts';
import { type FileMockOptions, MockOptionsError } from './options/options.ts';
import type { OnDelete } from './records/on-delete.ts';
import { GoneSandboxes } from './sandboxes/gone-sandboxes.ts';
import type { StartTimer } from './sandboxes/sandbox-lifetime.ts';
import { saveState } from './saved-state/save.ts';
import { completeDemo } from './seed/demo.ts';
import { type LoadOptions, loadComplete, loadDocument } from './seed/load-world.ts';
import { resolveNames } from './seed/resolve-names.ts';
import type { ServedMock, SharedServices } from './served-mock.ts';
import type { Rules, World } from './world/world.ts';

/* What creating a mock has in common on Node and in a browser: the world in memory, and the mock around it. */

const realSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener('abort', wake);
  });

/** A timer that does not keep the process alive. In a browser, it is a number. */
const startRealTimer: StartTimer = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  timer.unref?.();
  return () => clearTimeout(timer);
};

const counter = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${(++count).toString(36).padStart(8, '0')}`;
};

const createNumbers = (): (() => number) => {
  let count = 0;
  return () => ++count;
};

let mocks = 0;

/**
 * Each mock of a process has its own host. Clients share pacing and journal entries by base URL and key, so two mocks
 * with the same address would share both.
 */
function nextOrigin(): string {
  mocks++;
  return mocks === 1 ? 'http://orgchat.mock' : `http://orgchat-${mocks}.mock`;
}

/** What a deletion does to references: the option, then the described server; undefined if the seed decides. */
export const getOnDelete = ({ onDelete, server }: FileMockOptions): OnDelete | undefined =>
  onDelete ?? server?.behavior?.onDelete;

export function createLoadOptions(
  options: FileMockOptions,
  reportError: (error: unknown) => void,
): LoadOptions {
  const now = options.now ?? Date.now;
  const server = resolveDescription(options.server, (problem) => new MockOptionsError(problem));
  const rateLimit = options.rateLimit ?? server.perMinute ?? limits.requestsPerMinute;
  const rules: Rules = {
    server,
    perMinute: rateLimit === 'off' ? undefined : rateLimit,
    monthly: options.monthlyLimit ?? 'plan',
    history: options.history ?? 0,
    onDelete: getOnDelete(options) ?? 'keep',
    requiresJson: options.requireJson ?? false,
    monotonicNow: options.monotonicNow ?? (() => performance.now()),
    hasOwnClock: options.monotonicNow !== undefined,
    requestLog: {
      capacity: options.requestLogSize ?? defaultRequestLogSize,
      bodyBytes: options.logBytes ?? defaultLogBytes,
      nextId: createNumbers(),
    },
    // Saved operations refer to request ids, so the ids of different runs must differ.
    nextRequestId: counter(options.data === undefined ? 'req-' : `req-${now().toString(36)}-`),
    onError: options.onError ?? reportError,
  };
  return { rules, now, randomSeed: options.randomSeed ?? 1 };
}

/** The initial state of a mock. The demo is not parsed: a test checks it against the schema. */
export const loadSource = (source: unknown, loadOptions: LoadOptions): World =>
  source === undefined
    ? loadComplete(resolveNames(completeDemo), loadOptions)
    : loadDocument(source, loadOptions);

/** What a mock on Node has besides its world in memory. */
type Surroundings = Partial<Pick<SharedServices, 'node' | 'stateWriter'>> & {
  readonly savedWorld?: World | undefined;
};

export function serveWorld(
  options: FileMockOptions,
  loadOptions: LoadOptions,
  initialWorld: World,
  { node, stateWriter, savedWorld }: Surroundings = {},
): ServedMock {
  const { server, nextRequestId, onError } = loadOptions.rules;
  const services: SharedServices = {
    toServerCode: server.toServerCode,
    sandboxes: new Map(),
    goneSandboxes: new GoneSandboxes(),
    origin: nextOrigin(),
    sleep: options.sleep ?? realSleep,
    machineTime: {
      now: loadOptions.now,
      monotonicNow: loadOptions.rules.monotonicNow,
      startTimer: options.startTimer ?? startRealTimer,
    },
    onError,
    nextRequestId,
    nextSandboxId: counter('sandbox-'),
    controlToken: options.controlToken,
    rootEvents: new EventLog(maxKeptEvents),
    eventStreams: new EventStreams(),
    load: (state) => loadDocument(state, loadOptions),
    save: saveState,
    createSandbox: (world, identity) => assembleMock(services, world, identity),
    node,
    stateWriter,
  };
  return assembleMock(services, initialWorld, undefined, savedWorld);
}
