import type { CodeMeaning } from '@orgchat/spec';

/** A request that a probe sends. */
export interface ContractRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body as it is sent, if it is not JSON. */
  readonly text?: string;
  readonly language?: 'en' | 'ja';
  /** The key to send. Default: that of the run. */
  readonly key?: 'none' | 'wrong' | 'read';
}

/** What a probe sees of an answer. It is not kept. */
export interface ContractAnswer {
  readonly status: number;
  /** The body as JSON; undefined if it is not. */
  readonly json: unknown;
  /** What its code means, as decided or as the description of the server says; undefined if that is not known. */
  readonly meaning: CodeMeaning | undefined;
  readonly hasRequestId: boolean;
  /** How `Retry-After` is written. */
  readonly retryAfter: 'seconds' | 'date' | 'none' | 'other';
  /** The request in a few words without any value, for a report. */
  readonly request: string;
}
