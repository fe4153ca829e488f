import type { ArmedFault } from './faults/faults.ts';
import type {
  ClockMove,
  EditInput,
  FaultInput,
  KeyPatch,
  OrganizationPatch,
  SandboxInput,
  Verification,
} from './generated/public-types.ts';
import type { JournalEntry } from './journal/journal.ts';
import type { Keyword } from './store/keywords.ts';
import type { Settings } from './store/organization.ts';
import type { AuditEntry, Key, Notification } from './world.ts';

/** Where a mock is reached. */
export interface Addresses {
  readonly id: string | undefined;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

export interface ListenOptions {
  /** 0 takes a free one. Default: 4010. */
  readonly port?: number;
  /** Default: 127.0.0.1, which nothing but this machine reaches. */
  readonly host?: string;
  /**
   * The address that callers reach the server at, if it is not the `Host` they send: behind TLS or a path of a proxy.
   * Addresses in answers begin with it. An http or https URL without credentials, query or fragment.
   */
  readonly publicUrl?: string;
}

/** A mock that takes connections. */
export interface Listening extends Addresses {
  readonly port: number;
  /** Scheme and authority of the socket on this machine, also if there is a `publicUrl`. */
  readonly url: string;
  /** Whether only this machine can reach it. */
  readonly loopbackOnly: boolean;
  /** What the control API wants as a bearer token; undefined where it wants none. */
  readonly controlToken: string | undefined;
  /** Finishes what is in flight, then stops, and closes the data file where there is one. */
  readonly close: () => Promise<void>;
}

/** What a full request log gave up to make room. */
export interface DroppedRequests {
  /** How many of its oldest entries. */
  readonly entries: number;
}

/** What the clock of a mock shows. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly iso: string;
  readonly frozen: boolean;
}

/**
 * A mock server: its API through `fetch` or `listen`, and everything of its control API as methods. What a method is
 * given and cannot take is a `ControlError`.
 */
export interface Mock {
  /** The identifier of a sandbox; undefined for the mock that was created first. */
  readonly id: string | undefined;
  /** A `fetch` that asks this mock without touching the network; the host plays no part. */
  readonly fetch: typeof fetch;
  /** The base URL for `fetch`. */
  readonly baseUrl: string;
  /** The control URL for `fetch`. */
  readonly controlUrl: string;
  /** The keys the state knows. */
  readonly keys: string[];
  /** A key that may read and write: `demo-write-key`, or the first such key of the seed; undefined if there is none. */
  readonly writeKey: string | undefined;
  /** Whether it continues what its data file held, so that `seed` and `state` were not used. */
  readonly isContinued: boolean;
  /** The sandboxes that were made and not dropped, by their id. */
  readonly sandboxes: ReadonlyMap<string, Mock>;

  /** What is served below an origin. */
  addresses(origin: string): Addresses;
  /** Serves over HTTP; resolves once it takes connections. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Closes the data file, where there is one; the mock and its sandboxes then answer no more. */
  close(): void;

  health(): { readonly status: 'ready' };
  /** Back to what it started from: state, clock, limits, faults, journal. What is in flight ends in the old state. */
  reset(): void;
  /** Everything there is as one JSON document, for `restore`, `sandbox` and the option `state`. */
  state(): unknown;
  /** Replaces everything by a saved state, or throws a `SeedError` and changes nothing. */
  restore(state: unknown): void;

  /** Changes the organization: plan, runtime, Studio, deletion; the very next request sees it. */
  patchOrganization(patch: OrganizationPatch): Settings & { readonly id: string };
  /** Changes a key: scope, revocation, and what holds of its creator; the very next request sees it. */
  patchKey(key: string, patch: KeyPatch): Omit<Key, 'key' | 'sight' | 'masked'>;

  /** What goes wrong on purpose. */
  readonly faults: {
    arm(fault: FaultInput): ArmedFault;
    list(): ArmedFault[];
    /** Disarms one fault, or all, and returns how many. An unknown id is a `ControlError` 404. */
    disarm(id?: string): number;
  };

  /** The journal: the last requests of the API, whatever became of them. */
  readonly requests: {
    /** The entries that are kept, oldest first. */
    list(): JournalEntry[];
    /** What is no longer kept of the requests since the last `clear()` or reset. */
    dropped(): DroppedRequests;
    clear(): void;
    /**
     * Throws a `ControlError` 409 if the number is another: `extra` has `expected`, `count`, the near misses, and
     * `complete: false` if dropped entries could have changed the result. It never passes on what it cannot know.
     */
    verify(expected: Verification): { readonly ok: true };
  };

  /** The change operations of the organization, by their operationId. */
  operations(): unknown[];
  audit(): AuditEntry[];
  notifications(): Notification[];
  /** The keywords of a site, in the order they were added. */
  keywords(siteId: string): Keyword[];

  /** The clock that limits, quotas and times follow. */
  readonly clock: {
    read(): ClockReading;
    /** Moves first, then stops or starts. */
    move(move: ClockMove): ClockReading;
    advance(milliseconds: number): void;
  };

  /** A mock of its own, forked from what this one started from, or from a saved state. Same keys. */
  sandbox(input?: SandboxInput): Mock;
  /** Forgets a sandbox; its addresses answer 404. */
  dropSandbox(id: string): void;
  /** Forgets this sandbox. */
  drop(): void;

  /** Changes a record as a rival editor would, between a client's read and its write. */
  edit(input: EditInput): unknown;
}
