import type { ServerDescription } from '@orgchat/mock-server';
import type { AccessLogFormat } from './access-log.ts';

/** Options of `mock start`. */
export interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly seed?: string;
  readonly randomSeed?: number;
  readonly data?: string;
  /** Starts with what can be read of a damaged data file. */
  readonly dataAcceptLoss?: true;
  readonly rateLimit?: number | false;
  readonly monthlyLimit?: number | false;
  /** Refuses bodies without the content type JSON. */
  readonly requireJson?: true;
  /** Number of states that the mock keeps for "mock rewind". */
  readonly history?: number;
  readonly controlToken?: string;
  readonly detach?: true;
  /** Default: text, or off with `--json` or `--quiet`. */
  readonly accessLog?: AccessLogFormat;
  /** The server that the mock stands for, from `--server` or `ORGCHAT_SERVER`. */
  readonly server?: ServerDescription;
  /** Number of requests that the log of the mock keeps. */
  readonly requestLogSize?: number;
  /** Bytes of bodies that the log of the mock keeps. */
  readonly logBytes?: number;
}

export interface ExecOptions
  extends Omit<
    StartOptions,
    'port' | 'host' | 'publicUrl' | 'data' | 'dataAcceptLoss' | 'detach' | 'controlToken'
  > {
  /** The file for all requests: an HTTP archive, or lines of JSON. */
  readonly log?: string;
  readonly fault?: readonly string[];
  /** The key for the command. Default: a key of the seed with write scope. */
  readonly key?: string;
}

/** Options of `mock drill`; those below apply only to a command. */
export interface DrillOptions extends Omit<ExecOptions, 'requestLogSize' | 'log' | 'accessLog'> {
  readonly delay?: number;
  readonly jobs?: number;
  readonly junit?: string;
}

/** Environment variable of a detached server: it then reports to its parent process, not on stdout. */
export const detachedMark = 'ORGCHAT_MOCK_DETACHED';
