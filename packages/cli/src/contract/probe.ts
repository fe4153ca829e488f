import type { ReadableResource } from '@orgchat/spec';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import type { ProbeResult } from './probe-result.ts';
import type { TopicName } from './topics.ts';
import type { Writer } from './writer.ts';

/** The groups of probes, in the order in which they are asked. */
export const groups = [
  'account',
  'auth',
  'invalid',
  'path',
  'missing',
  'lists',
  'paging',
  'one',
  'studio',
  'people',
  'forbidden',
  'write',
  'minute',
] as const;
export type Group = (typeof groups)[number];

/** What a probe can use. */
export interface Asking {
  /** Sends a request: counted before, paced, and repeated after a 429. */
  send(request: ContractRequest): Promise<ContractAnswer>;
  /** Sends a request at once, and only once: the pacing and the budget are not for it. */
  sendNow(request: ContractRequest): Promise<ContractAnswer>;
  /** The time in milliseconds since 1970. */
  now(): number;
  /** The account of the key of the run. */
  readonly account: { readonly organizationId: string; readonly perMinute: number };
  /** The id of a change: the same whenever this run is continued. */
  toOperationId(name: string): string;
  /** Creates, changes and reads records of its own, which are removed at the end. */
  readonly writer: Writer;
  /** The first page of a list. It is asked for once in a run of the command, unless `again`. */
  readList(resource: ReadableResource, again?: 'again'): Promise<ContractAnswer>;
}

/** One question to a server. */
export interface Probe {
  /** The group and what is asked about, such as `lists/tags`. */
  readonly name: string;
  readonly group: Group;
  /** The topics that it can say something about. */
  readonly topics: readonly TopicName[];
  /** The clauses that it asks about: a violation names one of them. */
  readonly clauses: readonly string[];
  /** The most requests that it sends, with those that remove what it creates; undefined if it creates nothing. */
  readonly requests?: number;
  /** Sends requests and says what their answers mean. It is asked again if the command ends in between. */
  ask(asking: Asking): Promise<readonly ProbeResult[]>;
}
