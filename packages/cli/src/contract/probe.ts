import type { ReadableResource } from '@orgchat/spec';
import type { Fact, TopicName } from './topics.ts';

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
  'minute',
] as const;
export type Group = (typeof groups)[number];

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
  readonly hasRequestId: boolean;
  /** How `Retry-After` is written. */
  readonly retryAfter: 'seconds' | 'date' | 'none' | 'other';
  /** The request in a few words without any value, for a report. */
  readonly request: string;
}

/** What an answer says about a topic. */
export interface Observation {
  readonly topic: TopicName;
  /** Where it was seen: a resource, an endpoint, or a case. */
  readonly place: string;
  readonly fact: Fact;
}

/** Something that contradicts the contract. */
export interface Violation {
  /** The topic that it is about. */
  readonly topic: TopicName;
  /** A clause of spec/SPECIFICATION.md. */
  readonly clause: string;
  readonly what: string;
  readonly requests: readonly string[];
}

/** Why nothing was learned about a topic. */
export interface Gap {
  readonly topic: TopicName;
  readonly place: string;
  readonly unknown: string;
}

export type Finding = Observation | Violation | Gap;

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
  /** The first page of a list. It is asked for once in a run of the command. */
  readList(resource: ReadableResource): Promise<ContractAnswer>;
}

/** One question to a server. */
export interface Probe {
  /** The group and what is asked about, such as `lists/tags`. */
  readonly name: string;
  readonly group: Group;
  /** The topics that it can say something about. */
  readonly topics: readonly TopicName[];
  /** Sends requests and says what their answers mean. It is asked again if the command ends in between. */
  ask(asking: Asking): Promise<readonly Finding[]>;
}
