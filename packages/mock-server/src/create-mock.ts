import { limits } from '@orgchat/spec';
import { DataFileError } from './data-file/database.ts';
import { type LoadedFile, loadDataFile } from './data-file/load-data-file.ts';
import type { StateWriter } from './data-file/state-writer.ts';
import { resolveDescription } from './described-server/resolve-description.ts';
import { EventLog } from './events/event-log.ts';
import { EventStreams } from './events/event-streams.ts';
import { assembleMock } from './mock.ts';
import type { Mock } from './mock-interface.ts';
import { defaultLogBytes, defaultRequestLogSize, maxKeptEvents } from './mock-limits.ts';
import { checkOptions } from './options/check-options.ts';
import type { Sleep } from './options/options.ts';
import { type FileMockOptions, type MockOptions, MockOptionsError } from './options/options.ts';
import type { OnDelete } from './records/on-delete.ts';
import type { StartTimer } from './sandbox-lifetime.ts';
import { GoneSandboxes } from './sandboxes/gone-sandboxes.ts';
import { saveState } from './saved-state/save.ts';
import { completeDemo } from './seed/demo.ts';
import { type LoadOptions, loadComplete, loadDocument } from './seed/load-world.ts';
import { resolveNames } from './seed/names.ts';
import type { SharedServices } from './served-mock.ts';
import type { Rules, World } from './world/world.ts';

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

/** A timer that does not keep the process alive. */
const startRealTimer: StartTimer = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** A data file that cannot be written is not an error in the mock, so its stack is not printed. */
const reportError = (error: unknown): void =>
  console.error(error instanceof DataFileError ? `orgchat mock server: ${error.message}` : error);

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

/**
 * Creates a mock server. Without options it has the demo organization in memory and the limits of the contract.
 *
 * Throws a `SeedError` if the seed or the state is invalid, a `DataFileError` if the data file cannot be used, and a
 * `MockOptionsError` if another option is invalid. If `seed` is a path, the file is read first: the result is then a
 * promise, which rejects with these errors.
 */
export function createMock(options: FileMockOptions & { readonly seed: string }): Promise<Mock>;
export function createMock(options?: MockOptions): Mock;
export function createMock(options: FileMockOptions): Mock | Promise<Mock>;
export function createMock(options: FileMockOptions = {}): Mock | Promise<Mock> {
  checkOptions(options);
  const loadOptions = createLoadOptions(options);
  const source = options.state ?? options.seed;
  if (typeof source === 'string') {
    return readSeedFile(source, loadOptions).then((initialWorld) =>
      assemble(options, loadOptions, initialWorld),
    );
  }
  return assemble(options, loadOptions, loadSource(source, loadOptions));
}

/** What a deletion does to references: the option, then the described server; undefined if the seed decides. */
const getOnDelete = ({ onDelete, server }: FileMockOptions): OnDelete | undefined =>
  onDelete ?? server?.behavior?.onDelete;

function createLoadOptions(options: FileMockOptions): LoadOptions {
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
const loadSource = (source: unknown, loadOptions: LoadOptions): World =>
  source === undefined
    ? loadComplete(resolveNames(completeDemo), loadOptions)
    : loadDocument(source, loadOptions);

/** Loads the YAML parser only if there is a file to read. */
async function readSeedFile(file: string, loadOptions: LoadOptions): Promise<World> {
  const { loadSeedFile } = await import('./seed/read.ts');
  return loadSeedFile(file, loadOptions);
}

function assemble(options: FileMockOptions, loadOptions: LoadOptions, initialWorld: World): Mock {
  const onDelete = getOnDelete(options);
  if (onDelete !== undefined) initialWorld.onDelete = onDelete;
  if (options.data === undefined) return serve(options, loadOptions, initialWorld);
  const { onError } = loadOptions.rules;
  const file = loadDataFile(options.data, options.dataAcceptLoss ?? false, onError);
  const savedWorld = loadSaved(options.data, file, loadOptions);
  if (onDelete !== undefined && savedWorld !== undefined) savedWorld.onDelete = onDelete;
  const stateWriter = file.open();
  try {
    return serve(options, loadOptions, initialWorld, stateWriter, savedWorld);
  } catch (error) {
    stateWriter.close();
    throw error;
  }
}

/** Loads the state of a data file; undefined if the file is new. */
function loadSaved(path: string, file: LoadedFile, loadOptions: LoadOptions): World | undefined {
  try {
    const saved = file.getDocument();
    return saved === undefined ? undefined : loadDocument(saved, loadOptions);
  } catch (error) {
    const { message } = error as Error;
    throw new DataFileError(
      `${path} contains data that this version of the mock server cannot read (${message}). It was not modified; choose another file.`,
      { cause: error },
    );
  }
}

function serve(
  options: FileMockOptions,
  loadOptions: LoadOptions,
  initialWorld: World,
  stateWriter?: StateWriter,
  savedWorld?: World,
): Mock {
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
    stateWriter,
  };
  return assembleMock(services, initialWorld, undefined, savedWorld);
}
