import type { addKeywordsInput, ChangeChatInput, ChatReadInput, StudioReadInput } from '@orgchat/spec';
import type * as z from 'zod';
import type { FaultMatch, FaultTarget } from '../faults/faults.ts';
import type { Route } from '../http/known-paths.ts';
import type { AdapterAction, PlainRequest, PlainResponse } from '../http/message.ts';
import type { StoredAnswer } from '../operations/lifecycle.ts';
import type { NewOperation, Operations } from '../operations/operations.ts';
import type { Key } from '../records/key.ts';
import type { Organization } from '../records/organization.ts';
import type { Trace } from '../request-log/trace.ts';
import type { World } from '../world/world.ts';
import type { ApiError } from './api-error.ts';
import { Body } from './body.ts';
import type { PlannedChange } from './planned-change.ts';

/** The key that a request is made with, and its organization. */
export interface Caller {
  readonly key: Key;
  readonly organization: Organization;
}

/** What a request asks for, parsed and valid. */
export type Command =
  | { readonly endpoint: 'getAccount' }
  | {
      readonly endpoint: 'addSeoKeywords';
      readonly siteId: string;
      readonly input: z.output<typeof addKeywordsInput>;
    }
  | { readonly endpoint: 'readChat'; readonly input: ChatReadInput }
  | { readonly endpoint: 'changeChat'; readonly input: ChangeChatInput }
  | { readonly endpoint: 'readStudio'; readonly input: StudioReadInput };

/** The command of one endpoint. */
export type CommandOf<E extends Command['endpoint']> = Extract<Command, { endpoint: E }>;

/** A change whose operationId this request owns until the change is applied, refused or uncertain. */
export interface Claim {
  readonly operations: Operations;
  readonly operation: NewOperation;
}

/** The result of applying a command: a success, or an outcome that a fault makes unknown to the client. */
export type ApplyResult =
  | {
      readonly status: number;
      readonly body: string;
      /** The stored answer that the body was made from. */
      readonly answer?: StoredAnswer;
    }
  | { readonly lost: 'reset' | 500 | 502; readonly faultId: string; readonly applied: boolean };

/** The state of one request in the pipeline. Each step reads the results of earlier steps and adds its own. */
export class RequestContext {
  readonly world: World;
  readonly request: PlainRequest;
  /** The path below the base URL, or why there is none (clause 1.4). */
  readonly path: string | ApiError;
  /** The entry of the request log that the steps fill in. */
  readonly trace: Trace;
  /** The key as it was sent; undefined if there was none. */
  readonly secret: string | undefined;
  /** The time of the world's clock in milliseconds: on arrival, and later after a delay. */
  now: number;
  /** When the request arrived, in milliseconds that only grow. */
  readonly startedAt: number | undefined;
  /** What armed faults are matched with; undefined if no fault was armed on arrival. */
  faultTarget: FaultTarget | undefined;
  /** How long faults delay the request before it is applied. */
  delayMs: number | undefined;
  /** How long faults delay its answer after that. */
  answerDelayMs: number | undefined;
  /** Whether a fault keeps the change out of the audit log. */
  skipsAudit = false;
  /** Whether a fault leaves the change out, so that it is answered without being applied. */
  isLeftOut = false;
  /** The fault that makes the outcome of the change unknown. */
  uncertainFault: FaultMatch<'uncertain'> | undefined;
  /** A new change that passed its checks and is about to be written. */
  plannedChange: PlannedChange | undefined;
  /** The result of applying the command; set before the request is applied if the answer is a replay. */
  result: ApplyResult | undefined;
  /** Set by the step that ends the request. */
  adapterAction: AdapterAction | undefined;
  #body: Body | undefined;
  #route: Route | undefined;
  #caller: Caller | undefined;
  #command: Command | undefined;
  #claim: Claim | undefined;
  #response: PlainResponse | undefined;

  constructor(
    world: World,
    request: PlainRequest,
    path: string | ApiError,
    trace: Trace,
    secret: string | undefined,
    now: number,
    startedAt: number | undefined,
  ) {
    this.world = world;
    this.request = request;
    this.path = path;
    this.trace = trace;
    this.secret = secret;
    this.now = now;
    this.startedAt = startedAt;
  }

  get body(): Body {
    this.#body ??= new Body(this.request);
    return this.#body;
  }

  /** The text of the body; undefined if it was not read. */
  get bodyText(): string | undefined {
    return this.#body?.text;
  }

  get route(): Route {
    return this.#route ?? notYetKnown('route');
  }

  set route(route: Route) {
    this.#route = route;
  }

  get caller(): Caller {
    return this.#caller ?? notYetKnown('caller');
  }

  set caller(caller: Caller) {
    this.#caller = caller;
  }

  get command(): Command {
    return this.#command ?? notYetKnown('command');
  }

  set command(command: Command) {
    this.#command = command;
  }

  /** Only of a change that is not a replay. */
  get claim(): Claim {
    return this.#claim ?? notYetKnown('claim');
  }

  set claim(claim: Claim) {
    this.#claim = claim;
  }

  /** Whether this request claimed an operationId and did not apply its change. */
  get isClaimOpen(): boolean {
    return this.#claim !== undefined && this.result === undefined;
  }

  get response(): PlainResponse {
    return this.#response ?? notYetKnown('response');
  }

  set response(response: PlainResponse) {
    this.#response = response;
  }
}

function notYetKnown(name: string): never {
  throw new Error(
    `The ${name} of the request is not known yet: the steps of the pipeline are in a wrong order.`,
  );
}
