import { basePath } from '@orgchat/spec';
import { momentOf } from './clock.ts';
import { editRecord } from './control/edit.ts';
import { ControlError, clockMove, notFound, parseControl, sandboxInput } from './control/input.ts';
import { patchKey, patchOrganization } from './control/patch.ts';
import { fetchDoor, type Sleep } from './doors/fetch.ts';
import type { Keeper } from './durable/keeper.ts';
import { armFault } from './faults/arm.ts';
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
import { verify } from './journal/verify.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import type { Outcome, PlainRequest } from './message.ts';
import { controlPath, dispatch, sandboxPath } from './router.ts';
import type { Keyword } from './store/keywords.ts';
import type { Settings } from './store/organization.ts';
import type { AuditEntry, Key, Notification, World } from './world.ts';

/** What all the mocks of one `createMock` have in common: the root and its sandboxes. */
export interface Family {
  readonly sandboxes: Map<string, Mock>;
  readonly sleep: Sleep;
  readonly onError: (error: unknown) => void;
  readonly nextRequestId: () => string;
  readonly nextSandboxId: () => string;
  readonly controlToken: string | undefined;
  /** The world of a saved state; throws a `SeedError` where it is none. */
  readonly load: (state: unknown) => World;
  readonly save: (world: World) => unknown;
  /** Keeps the first mock of the family in a file. */
  readonly keeper: Keeper | undefined;
}

/** Puts an outcome off until what it is about is written. */
function durably(keeper: Keeper, run: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
  const held = (outcome: Outcome): Outcome =>
    outcome.kind === 'later' ? { ...outcome, resume: () => durably(keeper, outcome.resume) } : outcome;
  const outcome = run();
  const written = keeper.written();
  if (outcome instanceof Promise) return outcome.then(held);
  return written === undefined ? held(outcome) : written.then(() => held(outcome));
}

/** The origin in-process addresses have; `mock.fetch` takes any. */
const ownOrigin = 'http://orgchat.mock';

/** Where a mock is reached. */
export interface Addresses {
  readonly id: string | undefined;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

/** A mock server: its API through `fetch` or `listen`, and everything of its control API as methods. */
export class Mock {
  /** The identifier of a sandbox; undefined for the mock that was created first. */
  readonly id: string | undefined;
  readonly #family: Family;
  #origin: World;
  #world: World;

  /**
   * `origin` is what a reset goes back to; `begun` what the mock continues with, if anything.
   * @internal
   */
  constructor(family: Family, origin: World, id?: string, begun?: World) {
    this.#family = family;
    this.#origin = origin;
    this.#world = begun ?? origin.fork();
    this.id = id;
    if (id === undefined) family.keeper?.keep(this.#world);
    this.fetch = fetchDoor((request) => this.handle(request), family.sleep);
  }

  /** A `fetch` that asks this mock without touching the network; the host plays no part. */
  readonly fetch: typeof fetch;

  /**
   * Answers a request of any door; where data is kept in a file, once it is written there.
   * @internal
   */
  handle(request: PlainRequest): Outcome | Promise<Outcome> {
    const { keeper } = this.#family;
    return keeper === undefined ? dispatch(this, request) : durably(keeper, () => dispatch(this, request));
  }

  /** Closes the data file, where there is one; the mock and its sandboxes then answer no more. */
  close(): void {
    if (this.id === undefined) this.#family.keeper?.close();
  }

  /** The base URL for `fetch`. */
  get baseUrl(): string {
    return this.addresses(ownOrigin).baseUrl;
  }

  /** The control URL for `fetch`. */
  get controlUrl(): string {
    return this.addresses(ownOrigin).controlUrl;
  }

  /** The keys the state knows. */
  get keys(): string[] {
    return this.#world.listKeys().map(({ key }) => key);
  }

  /** What is served below an origin. */
  addresses(origin: string): Addresses {
    const root = this.id === undefined ? origin : `${origin}${sandboxPath}/${this.id}`;
    return { id: this.id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
  }

  /** Serves over HTTP; resolves once it takes connections. */
  listen(options: ListenOptions = {}): Promise<Listening> {
    return listen(this, this.#family, options);
  }

  /**
   * The state as it is; for the doors, and replaced by a reset.
   * @internal
   */
  get world(): World {
    return this.#world;
  }

  /** The sandboxes that were made and not dropped, by their id. */
  get sandboxes(): ReadonlyMap<string, Mock> {
    return this.#family.sandboxes;
  }

  /** @internal */
  nextRequestId(): string {
    return this.#family.nextRequestId();
  }

  health(): { readonly status: 'ready' } {
    return { status: 'ready' };
  }

  /** Back to what it started from: state, clock, limits, faults, journal. What is in flight ends in the old state. */
  reset(): void {
    this.#become(this.#origin.fork());
  }

  #become(world: World): void {
    if (this.id === undefined) this.#family.keeper?.keep(world);
    this.#world = world;
  }

  /** Everything there is as one JSON document, for `restore`, `sandbox` and the option `state`. */
  state(): unknown {
    return this.#family.save(this.#world);
  }

  /** Replaces everything by a saved state, or throws a `SeedError` and changes nothing. */
  restore(state: unknown): void {
    this.#become(this.#family.load(state));
  }

  /** Changes the organization: plan, runtime, Studio, deletion. Throws a `ControlError` where that cannot be. */
  patchOrganization(patch: OrganizationPatch): Settings & { readonly id: string } {
    return patchOrganization(this.#world, patch);
  }

  /** Changes a key: scope, revocation, and what holds of its creator. */
  patchKey(key: string, patch: KeyPatch): Omit<Key, 'key' | 'sight' | 'masked'> {
    return patchKey(this.#world, key, patch);
  }

  /** What goes wrong on purpose. */
  readonly faults = {
    arm: (fault: FaultInput): ArmedFault => armFault(this.#world, fault),
    list: (): ArmedFault[] => this.#world.faults.list(),
    disarm: (id?: string): number => this.#world.faults.disarm(id),
  };

  /** The journal: the last requests of the API, whatever became of them. */
  readonly requests = {
    list: (): JournalEntry[] => this.#world.journal.traces().map((trace) => trace.view()),
    clear: (): void => this.#world.journal.clear(),
    /** Throws a `ControlError` with the near misses where the number is another. */
    verify: (expected: Verification): { readonly ok: true } => verify(this.#world.journal.traces(), expected),
  };

  /** The change operations of the organization, by their operationId. */
  operations(): unknown[] {
    return this.#world.mainOrganization.operations().map(({ answer, input, ...shown }) => ({
      ...shown,
      auditRecorded: answer?.auditRecorded ?? null,
      result: answer === undefined ? null : JSON.parse(answer.result),
    }));
  }

  audit(): AuditEntry[] {
    return [...this.#world.audit.values()];
  }

  notifications(): Notification[] {
    return [...this.#world.notifications.values()];
  }

  /** The keywords of a site, in the order they were added. */
  keywords(siteId: string): Keyword[] {
    const { sites, stored } = this.#world.mainOrganization;
    if (!sites.has(siteId)) throw notFound(`site ${siteId}`);
    return stored.keywords.list(siteId);
  }

  /** The clock that limits, quotas and times follow. */
  readonly clock = {
    read: (): { readonly now: number; readonly iso: string; readonly frozen: boolean } => {
      const { clock } = this.#world;
      const now = clock.now();
      return { now, iso: momentOf(now), frozen: clock.frozen };
    },
    move: (move: ClockMove): { readonly now: number; readonly iso: string; readonly frozen: boolean } => {
      const { now, advanceMs, frozen } = parseControl(clockMove, move);
      const { clock } = this.#world;
      if (now !== undefined) clock.set(typeof now === 'string' ? Date.parse(now) : now);
      if (advanceMs !== undefined) clock.advance(advanceMs);
      if (frozen !== undefined) clock.freeze(frozen);
      this.#world.recorder?.('world', '', 'clock', clock.setting);
      return this.clock.read();
    },
    advance: (milliseconds: number): void => void this.clock.move({ advanceMs: milliseconds }),
  };

  /** A mock of its own, forked from what this one started from, or from a saved state. Same keys. */
  sandbox(input: SandboxInput = {}): Mock {
    const { state } = parseControl(sandboxInput, input);
    const origin = state === undefined ? this.#origin : this.#family.load(state);
    const id = this.#family.nextSandboxId();
    const sandbox = new Mock(this.#family, origin, id);
    this.#family.sandboxes.set(id, sandbox);
    return sandbox;
  }

  /** Forgets a sandbox; its addresses answer 404. */
  dropSandbox(id: string): void {
    if (!this.#family.sandboxes.delete(id))
      throw new ControlError(404, 'NOT_FOUND', `There is no sandbox ${id}.`);
  }

  /** Forgets this sandbox. */
  drop(): void {
    if (this.id !== undefined) this.dropSandbox(this.id);
  }

  /** Changes a record as a rival editor would, between a client's read and its write. */
  edit(input: EditInput): unknown {
    return editRecord(this.#world, input);
  }
}
