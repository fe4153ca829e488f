import { createMock, type FaultInput, type FileMockOptions, type Mock } from '@orgchat/mock-server';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { StartOptions } from './options.ts';

export interface Running {
  readonly mock: Mock;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string | undefined;
  arm(fault: Record<string, unknown>): void;
  /** Finishes what is in flight, then stops. */
  close(): Promise<void>;
}

const limitOf = (given: number | false | undefined): number | 'off' | undefined =>
  given === false ? 'off' : given;

/** The options of `createMock`, without those that were not given. */
function mockOptions(options: StartOptions): FileMockOptions {
  const { seed, randomSeed, data, controlToken, journalSize } = options;
  const rateLimit = limitOf(options.rateLimit);
  const monthlyLimit = limitOf(options.monthlyLimit);
  return {
    ...(seed !== undefined && { seed }),
    ...(randomSeed !== undefined && { randomSeed }),
    ...(data !== undefined && { data }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(monthlyLimit !== undefined && { monthlyLimit }),
    ...(controlToken !== undefined && { controlToken }),
    ...(journalSize !== undefined && { journalSize }),
  };
}

/** Makes a mock and lets it take connections. */
export async function runMock(options: StartOptions): Promise<Running> {
  const { port, host } = options;
  try {
    const mock = await createMock(mockOptions(options));
    const { baseUrl, controlUrl, controlToken, close } = await mock.listen({ port, host });
    return {
      mock,
      baseUrl,
      controlUrl,
      controlToken,
      // What a fault must be is the mock's to say; it refuses what it does not know.
      arm: (fault) => void mock.faults.arm(fault as FaultInput),
      close,
    };
  } catch (error) {
    throw startFailure(error, port, host);
  }
}

function startFailure(error: unknown, port: number, host: string): Failure {
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new Failure(`Port ${port} of ${host} is in use.`, {
      code: 'PORT_IN_USE',
      exit: exitCodes.failed,
      hint: `Take a free one: orgchat mock start --port 0 (npm start -- --port 0). Or stop what listens there: Ctrl-C in its terminal; orgchat mock stop ends a detached mock`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new Failure(`Nothing can listen on port ${port} of ${host}: ${message}`, {
      code: 'ADDRESS_UNAVAILABLE',
      exit: exitCodes.failed,
      hint: 'Choose a port above 1023 and an address of this machine: --port 4010 --host 127.0.0.1',
      cause: error,
    });
  }
  if (name === 'SeedError' || code === 'ENOENT') {
    return new Failure(message, {
      code: 'INVALID_SEED',
      exit: exitCodes.usage,
      hint: 'A seed that works, to start from: orgchat mock seed > seed.json',
      cause: error,
    });
  }
  if (name === 'DataFileError') {
    return new Failure(message, {
      code: 'DATA_FILE_UNUSABLE',
      exit: exitCodes.failed,
      hint: 'Without --data the same server runs in memory: orgchat mock start',
      cause: error,
    });
  }
  return new Failure(`The mock server could not be started: ${message}`, {
    code: 'MOCK_NOT_STARTED',
    exit: exitCodes.failed,
    hint: 'Run it again with --debug to see where it failed.',
    cause: error,
  });
}
