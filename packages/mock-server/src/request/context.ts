import type {
  addKeywordsInput,
  ChangeChatInput,
  ChatReadInput,
  OperationName,
  StudioReadInput,
} from '@orgchat/spec';
import type * as z from 'zod';
import type { FaultTarget } from '../faults/target.ts';
import type { Body } from '../http/body.ts';
import type { Outcome, PlainRequest, PlainResponse } from '../http/message.ts';
import type { NewOperation, Operations } from '../operations/operations.ts';
import type { Organization } from '../records/organization.ts';
import type { Trace } from '../request-log/request-log.ts';
import type { Key } from '../world/key.ts';
import type { World } from '../world/world.ts';

/** The operation of a method and a path. */
export interface Route {
  readonly operation: OperationName;
  /** The site, in the one path that names a site. */
  readonly siteId?: string;
}

/** The key that a request is made with, and its organization. */
export interface Caller {
  readonly key: Key;
  readonly organization: Organization;
}

/** What a request asks for, parsed and valid. */
export type Command =
  | { readonly operation: 'getAccount' }
  | {
      readonly operation: 'addSeoKeywords';
      readonly siteId: string;
      readonly input: z.output<typeof addKeywordsInput>;
    }
  | { readonly operation: 'readChat'; readonly input: ChatReadInput }
  | { readonly operation: 'changeChat'; readonly input: ChangeChatInput }
  | { readonly operation: 'readStudio'; readonly input: StudioReadInput };

/** The command of one operation. */
export type CommandOf<O extends Command['operation']> = Extract<Command, { operation: O }>;

/** A change whose operationId this request owns until the change is applied, refused or uncertain. */
export interface Claim {
  readonly operations: Operations;
  readonly operation: NewOperation;
}

/** What applying a command comes to: a success, or an outcome that a fault makes unknown to the client. */
export type ApplyResult =
  | { readonly status: number; readonly body: string }
  | { readonly lost: 'reset' | 500 | 502 };

/** One request on its way through the pipeline. Each step reads what earlier steps found and adds what it finds. */
export class RequestContext {
  readonly world: World;
  readonly request: PlainRequest;
  /** Below the base URL; empty if the request is not below it, so that no path is known (clause 1.4). */
  readonly path: string;
  readonly body: Body;
  /** The entry of the request log that the steps fill in. */
  readonly trace: Trace;
  /** The key as it was sent; undefined if there was none. */
  readonly secret: string | undefined;
  /** The time of the world's clock in milliseconds: on arrival, and later after a delay. */
  now: number;
  /** What armed faults are matched with; undefined if no fault was armed on arrival. */
  faultTarget: FaultTarget | undefined;
  /** How long a fault delays the request. */
  delayMs: number | undefined;
  /** Whether a fault keeps the change out of the audit log. */
  skipsAudit = false;
  /** What applying came to; set before the request is applied if the answer is a replay. */
  result: ApplyResult | undefined;
  /** Set by the step that ends the request. */
  outcome: Outcome | undefined;
  #route: Route | undefined;
  #caller: Caller | undefined;
  #command: Command | undefined;
  #claim: Claim | undefined;
  #response: PlainResponse | undefined;

  constructor(
    world: World,
    request: PlainRequest,
    path: string,
    body: Body,
    trace: Trace,
    secret: string | undefined,
    now: number,
  ) {
    this.world = world;
    this.request = request;
    this.path = path;
    this.body = body;
    this.trace = trace;
    this.secret = secret;
    this.now = now;
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
