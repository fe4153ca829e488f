import { basePath } from '@orgchat/spec';
import { createFetch } from './adapters/fetch.ts';
import { listen } from './adapters/listen.ts';
import { moveClock, readClock } from './control/clock.ts';
import { editRecord } from './control/edit.ts';
import { ControlError, parseControl, sandboxInput } from './control/input.ts';
import { findWriteKey, listKeywords, listOperations } from './control/inspect.ts';
import { patchKey, patchOrganization } from './control/patch.ts';
import { armFault } from './faults/arm.ts';
import type { EditInput, KeyPatch, OrganizationPatch, SandboxInput } from './generated/public-types.ts';
import type { RequestHandler } from './http/message.ts';
import type { Addresses, Listening, ListenOptions, Mock } from './mock-interface.ts';
import { formatNumber, maxSandboxes } from './mock-limits.ts';
import { verify } from './request-log/verify.ts';
import { controlPath, createRouter, sandboxPath } from './router.ts';
import type { RoutableMock, SharedServices } from './shared-services.ts';
import type { World } from './world/world.ts';

/** Implements `Mock`: holds the current world, which a reset replaces, and passes each call to the code that does it. */
export class MockImplementation implements RoutableMock {
  readonly id: string | undefined;
  readonly fetch: typeof fetch;
  handle: RequestHandler;
  readonly isContinued: boolean;
  readonly #services: SharedServices;
  #initialWorld: World;
  /** The current state. Only `#replaceWorld` sets it. */
  world: World;

  /** A reset goes back to `initialWorld`; `savedWorld` is the world of a data file that the mock continues with. */
  constructor(services: SharedServices, initialWorld: World, id?: string, savedWorld?: World) {
    this.#services = services;
    this.#initialWorld = initialWorld;
    this.world = savedWorld ?? initialWorld.fork();
    this.isContinued = savedWorld !== undefined;
    this.id = id;
    if (id === undefined) services.stateWriter?.track(this.world);
    this.handle = createRouter(this, services.stateWriter);
    this.fetch = createFetch(this, services.sleep);
  }

  listen(options: ListenOptions = {}): Promise<Listening> {
    return listen(this, this.#services, options);
  }

  close(): void {
    if (this.id === undefined) this.#services.stateWriter?.close();
  }

  get baseUrl(): string {
    return this.addresses(this.#services.origin).baseUrl;
  }

  get controlUrl(): string {
    return this.addresses(this.#services.origin).controlUrl;
  }

  addresses(origin: string): Addresses {
    const root = this.id === undefined ? origin : `${origin}${sandboxPath}/${this.id}`;
    return { id: this.id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
  }

  get keys(): string[] {
    return Array.from(this.world.keys.values(), ({ key }) => key);
  }

  get writeKey(): string | undefined {
    return findWriteKey(this.world);
  }

  get sandboxes(): ReadonlyMap<string, RoutableMock> {
    return this.#services.sandboxes;
  }

  nextRequestId(): string {
    return this.#services.nextRequestId();
  }

  health(): { readonly status: 'ready' } {
    return { status: 'ready' };
  }

  reset(): void {
    this.#replaceWorld(this.#initialWorld.fork());
  }

  #replaceWorld(world: World): void {
    if (this.id === undefined) this.#services.stateWriter?.track(world);
    this.world = world;
  }

  state(): unknown {
    return this.#services.save(this.world);
  }

  restore(state: unknown): void {
    this.#replaceWorld(this.#services.load(state));
  }

  patchOrganization(patch: OrganizationPatch): ReturnType<typeof patchOrganization> {
    return patchOrganization(this.world, patch);
  }

  patchKey(key: string, patch: KeyPatch): ReturnType<typeof patchKey> {
    return patchKey(this.world, key, patch);
  }

  readonly faults: Mock['faults'] = {
    arm: (fault) => armFault(this.world, fault),
    list: () => this.world.faults.list(),
    disarm: (id) => this.world.faults.disarm(id),
  };

  readonly requests: Mock['requests'] = {
    list: () => this.world.requestLog.list().map((trace) => trace.toEntry()),
    dropped: () => ({ entries: this.world.requestLog.dropped.count }),
    clear: () => this.world.requestLog.clear(),
    verify: (expected) => verify(this.world.requestLog, expected),
  };

  readonly clock: Mock['clock'] = {
    read: () => readClock(this.world),
    move: (move) => moveClock(this.world, move),
    advance: (milliseconds) => void moveClock(this.world, { advanceMs: milliseconds }),
  };

  operations(): unknown[] {
    return listOperations(this.world);
  }

  audit(): ReturnType<Mock['audit']> {
    return [...this.world.audit.values()];
  }

  notifications(): ReturnType<Mock['notifications']> {
    return [...this.world.notifications.values()];
  }

  keywords(siteId: string): ReturnType<Mock['keywords']> {
    return listKeywords(this.world, siteId);
  }

  sandbox(input: SandboxInput = {}): Mock {
    const { state } = parseControl(sandboxInput, input);
    if (this.#services.sandboxes.size >= maxSandboxes) throw tooManySandboxes();
    const initialWorld = state === undefined ? this.#initialWorld : this.#services.load(state);
    const id = this.#services.nextSandboxId();
    const sandbox = new MockImplementation(this.#services, initialWorld, id);
    this.#services.sandboxes.set(id, sandbox);
    return sandbox;
  }

  dropSandbox(id: string): void {
    if (!this.#services.sandboxes.delete(id))
      throw new ControlError(404, 'NOT_FOUND', `There is no sandbox ${id}.`);
  }

  drop(): void {
    if (this.id !== undefined) this.dropSandbox(this.id);
  }

  edit(input: EditInput): unknown {
    return editRecord(this.world, input);
  }
}

function tooManySandboxes(): ControlError {
  const message = `There are ${formatNumber(maxSandboxes)} sandboxes, the maximum of a mock. Remove the sandboxes you do not need: DELETE /sandboxes/{id}, or drop() in process.`;
  return new ControlError(409, 'TOO_MANY_SANDBOXES', message, { limit: maxSandboxes });
}
