import { createMock, type FaultInput, type FileMockOptions, type Mock } from '@orgchat/mock-server';
import type { Context } from '../context.ts';
import { toCliError } from '../error-conversion/to-cli-error.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { writeError } from '../output/streams.ts';
import { isBeside } from '../settings/installed-packages.ts';
import { readServer } from '../settings/server-file.ts';
import type { ExecOptions, StartOptions } from './mock-options.ts';

export interface Running {
  readonly mock: Mock;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly inspectorUrl: string;
  readonly controlToken: string | undefined;
  /** The URL on this machine, even if --public-url is set. */
  readonly url: string;
  readonly loopbackOnly: boolean;
  arm(fault: Record<string, unknown>): void;
  /** Finishes requests in progress, then stops. */
  close(): Promise<void>;
}

const toLimit = (given: number | false | undefined): number | 'off' | undefined =>
  given === false ? 'off' : given;

/** The options of `createMock`, without those that were not given. */
function mockOptions(options: StartOptions): FileMockOptions {
  const { seed, randomSeed, data, history, controlToken, requestLogSize, logBytes, server } = options;
  const { dataAcceptLoss, requireJson } = options;
  const rateLimit = toLimit(options.rateLimit);
  const monthlyLimit = toLimit(options.monthlyLimit);
  return {
    ...(seed !== undefined && { seed }),
    ...(randomSeed !== undefined && { randomSeed }),
    ...(data !== undefined && { data }),
    ...(dataAcceptLoss !== undefined && { dataAcceptLoss }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(monthlyLimit !== undefined && { monthlyLimit }),
    ...(requireJson !== undefined && { requireJson }),
    ...(history !== undefined && { history }),
    ...(controlToken !== undefined && { controlToken }),
    ...(requestLogSize !== undefined && { requestLogSize }),
    ...(logBytes !== undefined && { logBytes }),
    ...(server !== undefined && { server }),
    onError: reportError,
  };
}

/** Reports an error of a running mock. A problem with the data file needs no stack. */
function reportError(error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  writeError(`orgchat: mock: ${name === 'DataFileError' ? message : stack}\n`);
}

/** Node would look for the package in the folders above this command, too: what is there belongs to others. */
function requireDatabase(): void {
  if (isBeside('libsql')) return;
  throw new CliError('--data requires the package libsql, which is not installed beside this command.', {
    code: 'DATA_FILE_UNUSABLE',
    exit: exitCodes.failed,
    hint: 'Install it in the same way as this command: npm install libsql, or npm install --global libsql. Or run the server in memory, without --data.',
  });
}

/** Creates a mock server and starts it. */
export async function runMock(options: StartOptions): Promise<Running> {
  const { port, host, publicUrl } = options;
  if (options.data !== undefined) requireDatabase();
  try {
    const mock = await createMock(mockOptions(options));
    const listening = await mock.listen({ port, host, ...(publicUrl !== undefined && { publicUrl }) });
    return {
      mock,
      ...listening,
      // The mock validates the fault.
      arm: (fault) => void mock.faults.arm(fault as FaultInput),
    };
  } catch (error) {
    throw mockStartError(error, options);
  }
}

/**
 * Starts a mock on a free port for a command that this process runs, and prepares it. An error has the exit code 125, to
 * distinguish it from those of the command.
 */
export async function runMockFor<T>(
  context: Context,
  options: ExecOptions,
  prepare: (running: Running) => T,
): Promise<T> {
  try {
    const server = await readMockServer(context);
    const running = await runMock({ ...options, ...server, port: 0, host: '127.0.0.1' });
    try {
      return prepare(running);
    } catch (error) {
      await running.close();
      throw error;
    }
  } catch (error) {
    const failure = await toCliError(error);
    throw new CliError(`The mock server could not be started: ${failure.message}`, {
      code: failure.code,
      exit: exitCodes.mockNotStarted,
      hint: failure.hint,
      cause: error,
    });
  }
}

/** The server that the mock stands for: that of `--server`, as for every other command. */
export async function readMockServer({ options, env }: Context): Promise<Pick<StartOptions, 'server'>> {
  const server = await readServer(options, env);
  return server === undefined ? {} : { server };
}

/** Chooses the key for a command: the requested one, or one with write scope. */
export function chooseKey(mock: Mock, asked: string | undefined): string {
  const key = asked ?? mock.writeKey;
  if (key !== undefined && mock.keys.includes(key)) return key;
  const problem =
    asked === undefined
      ? 'The seed has no key with write scope.'
      : `The seed has no key ${JSON.stringify(asked)}.`;
  const hint =
    mock.keys.length === 0
      ? 'Add a key to the seed: keys: [{ key: my-write-key, name: Tests, scope: write }]'
      : `Choose one with --key: ${mock.keys.slice(0, maxKeys).join(', ')}${mock.keys.length > maxKeys ? ', …' : ''}`;
  throw usageError(problem, hint, 'UNKNOWN_MOCK_KEY');
}

/** Maximum number of keys that an error lists. */
const maxKeys = 20;

function mockStartError(error: unknown, { port, host, seed }: StartOptions): CliError {
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new CliError(`Port ${port} of ${host} is already in use.`, {
      code: 'PORT_IN_USE',
      exit: exitCodes.failed,
      hint: `Use a free port: orgchat mock start --port 0 (npm start -- --port 0). Or stop the other server; for a detached mock: orgchat mock stop`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new CliError(`Cannot listen on port ${port} of ${host}: ${message}`, {
      code: 'ADDRESS_UNAVAILABLE',
      exit: exitCodes.failed,
      hint: 'Use a port above 1023 and an address of this machine: --port 4010 --host 127.0.0.1',
      cause: error,
    });
  }
  if (name === 'MockOptionsError') {
    return new CliError(message, {
      code: 'INVALID_OPTIONS',
      exit: exitCodes.usage,
      hint: 'See the options with --help.',
      cause: error,
    });
  }
  if (name === 'SeedError' || code === 'ENOENT') {
    const isMissing = code === 'ENOENT' && seed !== undefined;
    return new CliError(isMissing ? `Cannot read ${seed}: no such file.` : message, {
      code: 'INVALID_SEED',
      exit: exitCodes.usage,
      hint: 'Start from a valid seed: orgchat mock seed > seed.json',
      cause: error,
    });
  }
  if (name === 'DataFileError') {
    return new CliError(message, {
      code: 'DATA_FILE_UNUSABLE',
      exit: exitCodes.failed,
      hint: 'Run the server in memory, without --data: orgchat mock start',
      cause: error,
    });
  }
  return new CliError(`The mock server could not be started: ${message}`, {
    code: 'MOCK_NOT_STARTED',
    exit: exitCodes.failed,
    hint: 'Run the command with --debug to see where it failed.',
    cause: error,
  });
}
