import { basePath } from '@orgchat/spec';
import { moveClock, readClock } from './control/clock.ts';
import { editRecord } from './control/edit.ts';
import { ControlError, parseControl, sandboxInput } from './control/input.ts';
import { findWriteKey, keywordsOf, operationsOf } from './control/inspect.ts';
import { grouped, maxSandboxes } from './control/limits.ts';
import { patchKey, patchOrganization } from './control/patch.ts';
import { fetchDoor } from './doors/fetch.ts';
import type { Family, Member } from './family.ts';
import { armFault } from './faults/arm.ts';
import type { EditInput, KeyPatch, OrganizationPatch, SandboxInput } from './generated/public-types.ts';
import { verify } from './journal/verify.ts';
import { listen } from './listen.ts';
import type { Outcome, PlainRequest } from './message.ts';
import type { Addresses, Listening, ListenOptions, Mock } from './mock.ts';
import { controlPath, dispatch, sandboxPath } from './router.ts';
import type { World } from './world.ts';

/** A mock: a world that a reset replaces, behind its doors. */
export class MockServer implements Member {
  readonly id: string | undefined;
  readonly fetch: typeof fetch;
  readonly isContinued: boolean;
  readonly #family: Family;
  #origin: World;
  #world: World;

  /** `origin` is what a reset goes back to; `begun` what the mock continues with, if anything. */
  constructor(family: Family, origin: World, id?: string, begun?: World) {
    this.#family = family;
    this.#origin = origin;
    this.#world = begun ?? origin.fork();
    this.isContinued = begun !== undefined;
    this.id = id;
    if (id === undefined) family.keeper?.keep(this.#world);
    this.fetch = fetchDoor((request) => this.handle(request), family.sleep);
  }

  /** Answers a request of any door. */
  handle(request: PlainRequest): Outcome | Promise<Outcome> {
    return dispatch(this, request, this.#family.keeper);
  }

  listen(options: ListenOptions = {}): Promise<Listening> {
    return listen(this, this.#family, options);
  }

  close(): void {
    if (this.id === undefined) this.#family.keeper?.close();
  }

  get baseUrl(): string {
    return this.addresses(this.#family.origin).baseUrl;
  }

  get controlUrl(): string {
    return this.addresses(this.#family.origin).controlUrl;
  }

  addresses(origin: string): Addresses {
    const root = this.id === undefined ? origin : `${origin}${sandboxPath}/${this.id}`;
    return { id: this.id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
  }

  get keys(): string[] {
    return Array.from(this.#world.keys.values(), ({ key }) => key);
  }

  get writeKey(): string | undefined {
    return findWriteKey(this.#world);
  }

  get world(): World {
    return this.#world;
  }

  get sandboxes(): ReadonlyMap<string, Member> {
    return this.#family.sandboxes;
  }

  nextRequestId(): string {
    return this.#family.nextRequestId();
  }

  health(): { readonly status: 'ready' } {
    return { status: 'ready' };
  }

  reset(): void {
    this.#become(this.#origin.fork());
  }

  #become(world: World): void {
    if (this.id === undefined) this.#family.keeper?.keep(world);
    this.#world = world;
  }

  state(): unknown {
    return this.#family.save(this.#world);
  }

  restore(state: unknown): void {
    this.#become(this.#family.load(state));
  }

  patchOrganization(patch: OrganizationPatch): ReturnType<typeof patchOrganization> {
    return patchOrganization(this.#world, patch);
  }

  patchKey(key: string, patch: KeyPatch): ReturnType<typeof patchKey> {
    return patchKey(this.#world, key, patch);
  }

  readonly faults: Mock['faults'] = {
    arm: (fault) => armFault(this.#world, fault),
    list: () => this.#world.faults.list(),
    disarm: (id) => this.#world.faults.disarm(id),
  };

  readonly requests: Mock['requests'] = {
    list: () => this.#world.journal.traces().map((trace) => trace.view()),
    dropped: () => ({ entries: this.#world.journal.dropped.count }),
    clear: () => this.#world.journal.clear(),
    verify: (expected) => verify(this.#world.journal, expected),
  };

  readonly clock: Mock['clock'] = {
    read: () => readClock(this.#world),
    move: (move) => moveClock(this.#world, move),
    advance: (milliseconds) => void moveClock(this.#world, { advanceMs: milliseconds }),
  };

  operations(): unknown[] {
    return operationsOf(this.#world);
  }

  audit(): ReturnType<Mock['audit']> {
    return [...this.#world.audit.values()];
  }

  notifications(): ReturnType<Mock['notifications']> {
    return [...this.#world.notifications.values()];
  }

  keywords(siteId: string): ReturnType<Mock['keywords']> {
    return keywordsOf(this.#world, siteId);
  }

  sandbox(input: SandboxInput = {}): Mock {
    const { state } = parseControl(sandboxInput, input);
    if (this.#family.sandboxes.size >= maxSandboxes) throw tooManySandboxes();
    const origin = state === undefined ? this.#origin : this.#family.load(state);
    const id = this.#family.nextSandboxId();
    const sandbox = new MockServer(this.#family, origin, id);
    this.#family.sandboxes.set(id, sandbox);
    return sandbox;
  }

  dropSandbox(id: string): void {
    if (!this.#family.sandboxes.delete(id))
      throw new ControlError(404, 'NOT_FOUND', `There is no sandbox ${id}.`);
  }

  drop(): void {
    if (this.id !== undefined) this.dropSandbox(this.id);
  }

  edit(input: EditInput): unknown {
    return editRecord(this.#world, input);
  }
}

function tooManySandboxes(): ControlError {
  const message = `There are ${grouped(maxSandboxes)} sandboxes, the most that a mock keeps. Remove those you do not need: DELETE /sandboxes/{id}, or drop() in process.`;
  return new ControlError(409, 'TOO_MANY_SANDBOXES', message, { limit: maxSandboxes });
}
