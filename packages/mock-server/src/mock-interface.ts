import type { ListedNotification, ListedOperation } from './control/named-lists.ts';
import type { ListedKey, OrganizationEntry } from './control/organizations.ts';
import type { RecordsPage } from './control/records.ts';
import type { EventStream } from './events/event-types.ts';
import type { ArmedFault } from './faults/faults.ts';
import type {
  AuditEntry,
  ClickInput,
  ClockMove,
  DocumentInput,
  EditInput,
  EventsInput,
  FaultInput,
  FriendInput,
  InOrganization,
  KeyInput,
  KeyPatch,
  LimitsPatch,
  MessageInput,
  OrganizationPatch,
  ProjectInput,
  RecordsQuery,
  RequestPage,
  RewindInput,
  SandboxInput,
  SiteInput,
  SubmissionInput,
  Verification,
} from './generated/public-types.ts';
import type { FriendName, InjectedRecord } from './inject/target.ts';
import type { ClockReading } from './primitives/clock.ts';
import type { Key, KeyEntry } from './records/key.ts';
import type { Keyword } from './records/keywords.ts';
import type { Settings } from './records/organization.ts';
import type { SandboxRefusal } from './request-log/describe-refusal.ts';
import type { RequestDetail } from './request-log/request-detail.ts';
import type { DroppedRequests } from './request-log/request-log.ts';
import type { RequestLogEntry } from './request-log/trace.ts';

/** The addresses of a mock. */
export interface Addresses {
  readonly id: string | undefined;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

export interface ListenOptions {
  /** 0 picks a free port. Default: 4010. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /**
   * The public address of the server if it differs from the `Host` header that callers send: behind TLS, or behind a
   * path of a proxy. Addresses in answers begin with it. An http or https URL without credentials, query or fragment.
   */
  readonly publicUrl?: string;
}

/** A mock that accepts connections. */
export interface Listening extends Addresses {
  readonly port: number;
  /** Scheme and authority of the socket on this machine, also if there is a `publicUrl`. */
  readonly url: string;
  /** The address of the inspector, for a browser. If the control API requires a token, it follows as `#token=`. */
  readonly inspectorUrl: string;
  /** Whether only this machine can reach it. */
  readonly loopbackOnly: boolean;
  /** The bearer token that the control API requires; undefined if it requires none. */
  readonly controlToken: string | undefined;
  /** Finishes requests in flight, stops, and closes the data file if there is one. */
  readonly close: () => Promise<void>;
}

/** The limits and the history of a mock, as in its options: `plan` stands for the number of the organization's plan. */
export interface Limits {
  readonly rateLimit: number | 'off';
  readonly monthlyLimit: number | 'plan' | 'off';
  /** Number of states that the history keeps; 0 if it is off. */
  readonly history: number;
}

/** A request that a rewind went back to. */
export interface RewoundRequest {
  readonly id: number;
  readonly requestId: string;
}

/** A sandbox in a list. */
export interface SandboxEntry {
  readonly id: string;
  /** The name that it was created with; null if it has none. */
  readonly name: string | null;
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** When it is dropped if no request comes, as an RFC 3339 date and time; null if it has no `ttlMs`. */
  readonly expiresAt: string | null;
  /** Number of requests of its API since it was created or reset, or its log was cleared. */
  readonly requests: number;
  /** How many of them were answered with an error. */
  readonly refused: number;
  /** When the last of them came, by the clock of the sandbox; null if there was none. */
  readonly lastRequestAt: string | null;
  /** The last refusal; null if there is none. */
  readonly lastRefusal: SandboxRefusal | null;
}

/**
 * Adds records that the API itself cannot create, such as a message from a friend, and returns them. Each has the fields
 * of a seed; ids and times may be omitted, and a name may be used instead of an id. Nothing enrolls, tags or notifies. The
 * methods throw a `ControlError`: 400 if a record is invalid, 404 if what it belongs to does not exist, 409 if it exists
 * already.
 */
export interface Injector {
  /** Adds a friend. Default: of the first account, with a new `userId`. */
  friend(input: FriendInput, options?: InOrganization): InjectedRecord & FriendName;
  /** Adds a message to the conversation with a friend, which becomes the newest. Default: incoming, now. */
  message(friend: FriendName, input: MessageInput, options?: InOrganization): InjectedRecord;
  /** Adds a submission of a form. Default: from the newest friend, now. */
  submission(formId: string, input: SubmissionInput, options?: InOrganization): InjectedRecord;
  /** Adds a click on a link. Default: by an unknown visitor, now. */
  click(linkId: string, input?: ClickInput, options?: InOrganization): InjectedRecord;
  /** Adds a Studio project, with documents. */
  project(input: ProjectInput, options?: InOrganization): InjectedRecord;
  /** Adds a document to a Studio project. */
  document(projectId: string, input: DocumentInput, options?: InOrganization): InjectedRecord;
  /** Adds a site. Default: with a new id, for 1,000 keywords. */
  site(input?: SiteInput, options?: InOrganization): InjectedRecord;
  /** Adds an API key. Default: with a new text. */
  key(input: KeyInput, options?: InOrganization): KeyEntry;
}

/**
 * A mock server: its API through `fetch` or `listen`, and every call of its control API as a method. A method throws a
 * `ControlError` if its arguments are invalid.
 */
export interface Mock {
  /** The identifier of a sandbox; undefined for the root mock. */
  readonly id: string | undefined;
  /** A `fetch` that calls this mock without the network; the host of the URL is ignored. */
  readonly fetch: typeof fetch;
  /** The name that a sandbox was created with. */
  readonly name: string | undefined;
  /** The base URL for `fetch`. */
  readonly baseUrl: string;
  /** The control URL for `fetch`. */
  readonly controlUrl: string;
  /** The API keys of the current state. */
  readonly keys: string[];
  /** A key that may read and write: `demo-write-key`, or the first such key of the seed; undefined if there is none. */
  readonly writeKey: string | undefined;
  /** Whether the mock continues the state of its data file, so that `seed` and `state` were not used. */
  readonly isContinued: boolean;
  /** The sandboxes that were created and not dropped, by id. */
  readonly sandboxes: ReadonlyMap<string, Mock>;

  /** The addresses below an origin. */
  addresses(origin: string): Addresses;
  /** Serves over HTTP; resolves once connections are accepted. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Closes the data file if there is one; the mock and its sandboxes then no longer answer. */
  close(): void;

  health(): { readonly status: 'ready' };
  /** Resets state, clock, limits, faults and request log. Requests in flight end in the old state. */
  reset(): void;
  /**
   * Goes back to the state just before a request, by its `id` or `requestId`. Clock, limits, faults and request log stay,
   * and the log gets an entry with the action `rewind`. Requests in flight end in the state that was left. Throws a
   * `ControlError`: 409 if history is off, if the request changed nothing, or if the state before it is not kept; 404 if
   * the request is unknown.
   */
  rewind(input: RewindInput): RewoundRequest;
  /** Saves the whole state as one JSON document, for `restore`, `sandbox` and the option `state`. */
  state(): unknown;
  /** Replaces the whole state with a saved state; throws a `SeedError` and changes nothing if it is invalid. */
  restore(state: unknown): void;

  /** The organizations, with their settings. */
  organizations(): OrganizationEntry[];
  /** Changes plan, runtime, Studio or deletion of an organization, effective with the next request. */
  patchOrganization(patch: OrganizationPatch, options?: InOrganization): Settings & { readonly id: string };
  /** The keys of an organization, with what counts for their limits. `keys` has those of all. */
  listKeys(options?: InOrganization): ListedKey[];
  /** Changes a key or its creator's rights, effective with the next request. */
  patchKey(key: string, patch: KeyPatch): Omit<Key, 'key' | 'accountScope' | 'masked'>;

  /** Faults to inject. */
  readonly faults: {
    arm(fault: FaultInput): ArmedFault;
    list(): ArmedFault[];
    /** Disarms one fault, or all, and returns their number. Throws a `ControlError` 404 for an unknown id. */
    disarm(id?: string): number;
  };

  /** The request log: the latest requests of the API with their outcomes. */
  readonly requests: {
    /** The entries, oldest first: those after an id, with all words of `search`, up to `limit`. Default: all. */
    list(page?: RequestPage): RequestLogEntry[];
    /**
     * One request with headers and bodies, by its `id` or `requestId`. Keys in headers are masked. Throws a `ControlError`
     * 404 if the log does not have it.
     */
    get(id: number | string): RequestDetail;
    /** The entries with headers and bodies as an HTTP archive (HAR 1.2). */
    har(): object;
    /** The entries as a text for people: a line each, and why if it was not answered with a success. */
    text(): string;
    /** What the log dropped since the last `clear()` or reset. */
    dropped(): DroppedRequests;
    clear(): void;
    /**
     * Compares the number of matching requests with `times`: a number, or `{ atLeast, atMost }`. Throws a `ControlError`
     * 409 if they differ: `extra` has `expected`, `count`, the near misses with their `differences` (`field`, `expected`,
     * `found`), and `complete: false` if dropped entries or bodies could have changed the result.
     */
    verify(expected: Verification): { readonly ok: true };
  };

  /**
   * Opens a stream of what happens in this mock from now on, or after the event with an id. The stream of the root mock also
   * says when a sandbox is created or dropped. Throws a `ControlError` 503 if 100 streams are open.
   */
  events(options?: EventsInput): EventStream;

  /** What happens outside the API: friends who write, forms that are sent, keys that are made. */
  readonly inject: Injector;
  /** A page of the records of a resource, whatever key could read them; newest first. Default: 50. */
  records(query: RecordsQuery): RecordsPage;

  /** The change operations of an organization, by their operationId. */
  operations(options?: InOrganization): ListedOperation[];
  /** The audit log of an organization, oldest first. Default: of all organizations. */
  audit(options?: InOrganization): AuditEntry[];
  /** The notifications of an organization, oldest first. Default: of all organizations. */
  notifications(options?: InOrganization): ListedNotification[];
  /** The keywords of a site, in the order they were added. */
  keywords(siteId: string, options?: InOrganization): Keyword[];

  /** The clock that limits, quotas and times follow. */
  readonly clock: {
    read(): ClockReading;
    /** Moves the clock, then freezes or unfreezes it. */
    move(move: ClockMove): ClockReading;
    advance(milliseconds: number): void;
  };

  /**
   * Changes limits and history, effective with the next request, and returns them. A reset restores the initial limits; a restored
   * state does not change them.
   */
  patchLimits(patch: LimitsPatch): Limits;

  /**
   * Creates an isolated mock from the initial state and limits of this one, from a saved state or a seed, or from the
   * state before a request of this mock (`from`). Throws a `ControlError` 409 if there are 10,000 sandboxes, and for
   * `from` the errors of `rewind`.
   */
  sandbox(input?: SandboxInput): Mock;
  /** Lists the sandboxes created from this mock or from its sandboxes, with their addresses below an origin. */
  listSandboxes(origin?: string): SandboxEntry[];
  /** Removes the sandboxes of `listSandboxes` and returns their number. */
  dropSandboxes(): number;
  /** Removes one of the sandboxes of `listSandboxes`; its addresses answer 410. */
  dropSandbox(id: string): void;
  /** Removes this sandbox. */
  drop(): void;

  /** Changes a record as a concurrent editor would, between a client's read and its write. */
  edit(input: EditInput, options?: InOrganization): unknown;
}
