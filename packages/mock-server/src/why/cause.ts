import type { OperationName } from '@orgchat/spec';
import type * as z from 'zod';
import type { AuditEntry } from '../generated/public-types.ts';
import type { Operation } from '../operations/lifecycle.ts';
import type { ForkableMap } from '../primitives/forkable-map.ts';
import type { Editor } from '../records/editor.ts';
import type { Key } from '../records/key.ts';
import type { Organization } from '../records/organization.ts';
import type { Tree } from '../records/tree.ts';
import type { GoneSandbox } from '../sandboxes/gone-sandboxes.ts';
import type { BodyProblems } from './body-problems.ts';
import type { BodyProblem, ListedProblems } from './list-problems.ts';

/*
 * Why a request ended as it did. What a request keeps of it is a reason and references; the sentences are made only when
 * someone reads the request log.
 */

/** Why a request was answered as it was, or not answered. */
export interface DecidedBy {
  /** The step of the pipeline that decided, as `pipeline.ts` lists them. */
  readonly step: string;
  /** A clause of spec/SPECIFICATION.md. There is always a clause or a decision. */
  readonly clause?: string;
  /** A decision of spec/DECISIONS.md. */
  readonly decision?: string;
  /** Why, and for a refusal what would have passed. */
  readonly because: string;
  /** What is wrong with a body that does not match, the likely cause of others first. */
  readonly problems?: readonly BodyProblem[];
  /** Number of further problems that are not listed. Absent if there are none. */
  readonly moreProblems?: number;
}

type NoDetails = Readonly<Record<never, never>>;

/** A record that a request named. */
interface NamedRecord {
  /** `tag`, `friend`, `project`. */
  readonly record: string;
  readonly id: string;
}

interface MissingReference extends NamedRecord {
  /** The path in the body. */
  readonly path: readonly PropertyKey[];
}

/** A record whose revision or label is not the expected one. */
interface StaleGuard {
  readonly record: string;
  readonly id: string;
  readonly version: number;
  readonly revision: string;
  readonly label: string;
  readonly expectedRevision: string;
  readonly expectedLabel: string;
  /** Who edited the record, unless it was a request of the API. */
  readonly editor: Editor | undefined;
}

/** The keywords of a site, or of all sites, and how many a request adds. */
export interface KeywordTotal {
  readonly siteId: string;
  readonly limit: number;
  readonly held: number;
  readonly added: number;
}

/** What each reason for a refusal keeps. */
interface RefusalDetails {
  'outside-base-url': NoDetails;
  'gone-sandbox': { readonly gone: GoneSandbox };
  'unknown-sandbox': { readonly id: string };
  'unknown-path': NoDetails;
  'wrong-method': { readonly allowed: string };
  'no-key': NoDetails;
  'no-bearer-key': NoDetails;
  'unknown-key': NoDetails;
  'revoked-key': { readonly keyName: string };
  'deleted-organization': { readonly organizationId: string };
  'plan-without-access': { readonly plan: string };
  'suspended-creator': { readonly keyName: string };
  'monthly-quota': { readonly limit: number; readonly acceptedAt: number };
  'minute-limit': { readonly limit: number; readonly acceptedAt: number };
  'read-only-key': { readonly keyName: string };
  'creator-cannot-edit': { readonly keyName: string };
  'body-too-large': { readonly maxBytes: number };
  'body-not-utf8': NoDetails;
  'body-not-json': NoDetails;
  'body-not-object': NoDetails;
  'body-encoded': { readonly encoding: string };
  'content-type': { readonly sent: string | undefined };
  'invalid-field': { readonly problems: BodyProblems; readonly schema: z.ZodType };
  'foreign-cursor': NoDetails;
  'runtime-down': NoDetails;
  'studio-disabled': NoDetails;
  'other-input': { readonly operation: Operation };
  'operation-running': { readonly operation: Operation };
  'operation-uncertain': { readonly operation: Operation };
  'unknown-site': { readonly siteId: string; readonly organizationId: string };
  'unknown-record': NamedRecord;
  'unassigned-account': NamedRecord;
  'other-project': NamedRecord & { readonly projectId: string };
  'unknown-reference': MissingReference;
  'unassigned-reference': MissingReference;
  /** Other records refer to it, and the world refuses to delete such records. */
  'still-used': NamedRecord & { readonly users: readonly string[]; readonly more: number };
  'other-account': NamedRecord & { readonly accountId: string };
  'duplicate-name': NamedRecord;
  'stale-revision': StaleGuard;
  'stale-label': StaleGuard;
  'site-keyword-limit': KeywordTotal;
  'plan-keyword-limit': KeywordTotal;
  /** An enrollment that was running already: not refused, but nothing new. */
  'already-enrolled': {
    readonly automationId: string;
    readonly friend: string;
    readonly scenario: string;
  };
  /** A set of tags that the friend had already: applied, but nobody is notified. */
  'same-tags': { readonly friend: string };
  'mock-error': NoDetails;
  'unwritten-state': { readonly message: string };
}

/** An armed fault that decided. */
interface DecidingFault {
  readonly faultId: string;
}

/** What each fault that decides keeps. */
interface FaultDetails {
  'dropped-request': DecidingFault;
  'fault-answer': DecidingFault & { readonly status: number };
  'lost-response': DecidingFault;
  'cut-response': DecidingFault;
  'failed-response': DecidingFault & { readonly status: number };
  'not-applied': DecidingFault;
  'unknown-outcome': DecidingFault & { readonly applied: boolean };
}

export type RefusalReason = keyof RefusalDetails;
export type FaultReason = keyof FaultDetails;
export type Reason = RefusalReason | FaultReason;

type CauseOf<R extends Reason> = { readonly reason: R } & (RefusalDetails & FaultDetails)[R];
export type Cause<R extends Reason = Reason> = { readonly [N in R]: CauseOf<N> }[R];

/** What explanations need of a world. */
export interface DecidingWorld {
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly plans: ReadonlyMap<string, { readonly apiAccess: boolean }>;
  readonly audit: Tree<number, AuditEntry>;
  /** The records that a fault deleted as a rival, by their ids, with the id of the fault. */
  readonly rivalDeletions: Pick<ForkableMap<string>, 'get'>;
  listKeys(): Key[];
}

/** What decided a request that did not simply succeed. */
export interface Decision {
  readonly step: string;
  readonly cause: Cause;
  /** The world at that time: its keys, its plans and its audit log. */
  readonly world: DecidingWorld;
  /** The headers of the answer beside those that every answer has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What an explanation is made from. */
export interface ExplanationInput<R extends Reason> {
  readonly cause: Cause<R>;
  readonly world: DecidingWorld;
  readonly request: DecidedRequest;
}

/** What the request log knows about a request. */
export interface DecidedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | undefined;
  readonly action: string | undefined;
  readonly resource: string | undefined;
  readonly operationId: string | undefined;
  /** By the clock of the mock. */
  readonly receivedAt: number;
  readonly organizationId: string | undefined;
  /** The key as it was sent. */
  readonly key: string | undefined;
  readonly keyName: string | undefined;
  readonly status: number | undefined;
  readonly applied: boolean;
  readonly replayOf: string | undefined;
  /** Of a rewind: the request that it went back to. */
  readonly rewoundTo: string | undefined;
  /** False for a call of the control API that has an entry in the log. */
  readonly isRequest: boolean;
  readonly recordId: string | undefined;
  readonly revisionBefore: string | undefined;
  readonly revisionAfter: string | undefined;
  readonly faultHits: readonly FaultHit[] | undefined;
  /** The header `Content-Type`. */
  readonly contentType: string | undefined;
  /** The body as a JSON value; undefined unless the log has all of it. */
  readJson(): unknown;
}

/** An armed fault that hit a request. */
export interface FaultHit {
  readonly id: string;
  readonly effect: string;
}

/** Which clause or decision a reason follows from, and what it means for a request. */
export interface Explanation<R extends Reason> {
  readonly clause?: string | ((input: ExplanationInput<R>) => string);
  readonly decision?: string;
  /** One or two sentences. */
  readonly because: (input: ExplanationInput<R>) => string;
  readonly problems?: (input: ExplanationInput<R>) => ListedProblems;
}

export type Explanations<R extends Reason> = { readonly [N in R]: Explanation<N> };
