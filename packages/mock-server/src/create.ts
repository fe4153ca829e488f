import { limits } from '@orgchat/spec';
import { createCodeOf } from './codes.ts';
import type { Sleep } from './doors/fetch.ts';
import { DataFileError } from './durable/file.ts';
import { Keeper } from './durable/keeper.ts';
import type { Mock } from './mock.ts';
import { MockServer } from './mock-server.ts';
import { type FileMockOptions, type MockOptions, MockOptionsError } from './options.ts';
import { completeDemo } from './seed/demo.ts';
import { loadComplete, loadDocument, type Surroundings } from './seed/document.ts';
import { resolveNames } from './seed/names.ts';
import { saveState } from './state/save.ts';
import type { Rules, World } from './world.ts';

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

/** A data file that cannot be written is no error in the mock, so nobody needs its stack. */
const reportError = (error: unknown): void =>
  console.error(error instanceof DataFileError ? `orgchat mock server: ${error.message}` : error);

const counter = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${(++count).toString(36).padStart(8, '0')}`;
};

let mocks = 0;

/**
 * Each mock of a process has a host of its own. Clients pace themselves and bind their journal entries by base URL and
 * key, so two mocks with one address would share both.
 */
function nextOrigin(): string {
  mocks++;
  return mocks === 1 ? 'http://orgchat.mock' : `http://orgchat-${mocks}.mock`;
}

/**
 * Makes a mock server. With no options it is the demo organization in memory, with the limits of the contract.
 *
 * Throws a `SeedError` if the seed or the state does not fit its format, a `DataFileError` if the data file cannot be
 * used, and a `MockOptionsError` if another option is not valid. A seed that is a file is read first: then what is returned is a promise, which rejects with them.
 */
export function createMock(options: FileMockOptions & { readonly seed: string }): Promise<Mock>;
export function createMock(options?: MockOptions): Mock;
export function createMock(options: FileMockOptions): Mock | Promise<Mock>;
export function createMock(options: FileMockOptions = {}): Mock | Promise<Mock> {
  const surroundings = surroundingsOf(options);
  const source = options.state ?? options.seed;
  if (typeof source === 'string') {
    return readSeedFile(source, surroundings).then((origin) => assemble(options, surroundings, origin));
  }
  return assemble(options, surroundings, loadSource(source, surroundings));
}

function surroundingsOf(options: FileMockOptions): Surroundings {
  const now = options.now ?? Date.now;
  if (options.controlToken === '') {
    throw new MockOptionsError(
      'controlToken must not be empty. Leave it out to have one made beyond loopback.',
    );
  }
  const rules: Rules = {
    codeOf: createCodeOf(options.codes),
    perMinute: options.rateLimit === 'off' ? undefined : (options.rateLimit ?? limits.requestsPerMinute),
    monthly: options.monthlyLimit ?? 'plan',
    journalSize: options.journalSize ?? 10_000,
    // What is kept over a restart names requests; those of another run must have other names.
    nextRequestId: counter(options.data === undefined ? 'req-' : `req-${now().toString(36)}-`),
    onError: options.onError ?? reportError,
  };
  return { rules, now, randomSeed: options.randomSeed ?? 1 };
}

/** What a mock starts from. The demo is known to be valid (a test holds it to its schema) and is not parsed. */
const loadSource = (source: unknown, surroundings: Surroundings): World =>
  source === undefined
    ? loadComplete(resolveNames(completeDemo), surroundings)
    : loadDocument(source, surroundings);

/** The parser of YAML is only loaded where there is a file to read. */
async function readSeedFile(file: string, surroundings: Surroundings): Promise<World> {
  const { loadSeedFile } = await import('./seed/read.ts');
  return loadSeedFile(file, surroundings);
}

function assemble(options: FileMockOptions, surroundings: Surroundings, origin: World): Mock {
  if (options.data === undefined) return serve(options, surroundings, origin);
  const keeper = new Keeper(options.data);
  try {
    return serve(options, surroundings, origin, keeper, loadKept(options.data, keeper, surroundings));
  } catch (error) {
    keeper.close();
    throw error;
  }
}

/** What a data file holds; undefined if it is new. */
function loadKept(path: string, keeper: Keeper, surroundings: Surroundings): World | undefined {
  try {
    const kept = keeper.load();
    return kept === undefined ? undefined : loadDocument(kept, surroundings);
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    const { message } = error as Error;
    throw new DataFileError(
      `${path} holds data that this version of the mock server cannot read (${message}). It was left untouched; name another file.`,
      { cause: error },
    );
  }
}

function serve(
  options: FileMockOptions,
  surroundings: Surroundings,
  origin: World,
  keeper?: Keeper,
  begun?: World,
): Mock {
  const { codeOf, nextRequestId, onError } = surroundings.rules;
  const family = {
    codeOf,
    sandboxes: new Map(),
    origin: nextOrigin(),
    sleep: options.sleep ?? realSleep,
    onError,
    nextRequestId,
    nextSandboxId: counter('sandbox-'),
    controlToken: options.controlToken,
    load: (state: unknown) => loadDocument(state, surroundings),
    save: saveState,
    keeper,
  };
  return new MockServer(family, origin, undefined, begun);
}
