import { basePath } from '@orgchat/spec';
import { createFetch } from './adapters/fetch.ts';
import { listen } from './adapters/listen.ts';
import { rewindInput, sandboxInput } from './control/input.ts';
import { readLimits, setLimits } from './control/limits.ts';
import { branchWorld, findKeptState, rewindWorld } from './control/rewind.ts';
import { WorldCalls } from './control/world-calls.ts';
import { ControlError, notFound } from './control-input/control-error.ts';
import { parseControl } from './control-input/parse-control.ts';
import { EventLog } from './events/event-log.ts';
import type { EventStream, SandboxEvent } from './events/event-types.ts';
import type { EventsInput, LimitsPatch, RewindInput, SandboxInput } from './generated/public-types.ts';
import type { RequestHandler } from './http/message.ts';
import type {
  Addresses,
  Listening,
  ListenOptions,
  Mock,
  RewoundRequest,
  SandboxEntry,
} from './mock-interface.ts';
import { formatNumber, maxKeptEvents, maxSandboxes } from './mock-limits.ts';
import { controlPath, createRouter, sandboxPath } from './router.ts';
import { SandboxLifetime } from './sandbox-lifetime.ts';
import type { RoutableMock, SharedServices } from './shared-services.ts';
import type { World } from './world/world.ts';

/** Implements `Mock`: holds the current world, which a reset replaces, and passes each call to the code that does it. */
export class MockImplementation extends WorldCalls implements RoutableMock {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly fetch: typeof fetch;
  handle: RequestHandler;
  readonly isContinued: boolean;
  /** The mock that a sandbox was created from. */
  readonly parent: RoutableMock | undefined;
  readonly #services: SharedServices;
  readonly lifetime: SandboxLifetime | undefined;
  readonly #events: EventLog;
  #initialWorld: World;
  /** The current state. Only `#replaceWorld` sets it. */
  override world: World;

  /** A reset goes back to `initialWorld`; `savedWorld` is the world of a data file that the mock continues with. */
  constructor(services: SharedServices, initialWorld: World, sandbox?: SandboxIdentity, savedWorld?: World) {
    super();
    this.#services = services;
    this.#initialWorld = initialWorld;
    this.world = savedWorld ?? initialWorld.fork();
    this.isContinued = savedWorld !== undefined;
    this.id = sandbox?.id;
    this.name = sandbox?.name;
    this.parent = sandbox?.parent;
    const ttlMs = sandbox?.ttlMs;
    if (ttlMs !== undefined)
      this.lifetime = new SandboxLifetime(ttlMs, services.machineTime, () => this.drop());
    this.#events = sandbox === undefined ? services.rootEvents : new EventLog(maxKeptEvents);
    this.world.sendEventsTo(this.#events);
    if (sandbox === undefined) services.stateWriter?.track(this.world);
    this.handle = createRouter(this, services.stateWriter);
    this.fetch = createFetch(this, services.sleep);
  }

  listen(options: ListenOptions = {}): Promise<Listening> {
    return listen(this, this.#services, options);
  }

  close(): void {
    if (this.id === undefined) this.#services.stateWriter?.close();
  }

  override get baseUrl(): string {
    return this.addresses(this.#services.origin).baseUrl;
  }

  get controlUrl(): string {
    return this.addresses(this.#services.origin).controlUrl;
  }

  addresses(origin: string): Addresses {
    const root = this.id === undefined ? origin : `${origin}${sandboxPath}/${this.id}`;
    return { id: this.id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
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
    this.#replaceWorld(this.#initialWorld.fork(), 'reset');
  }

  #replaceWorld(world: World, action: SandboxEvent['action']): void {
    if (this.id === undefined) this.#services.stateWriter?.track(world);
    // A request that is still in flight ends in the old state, which nobody can read.
    this.world.sendEventsTo(undefined);
    if (world.requestLog !== this.world.requestLog) this.world.requestLog.clear();
    world.sendEventsTo(this.#events);
    this.world = world;
    this.#events.add('sandbox', this.#createSandboxEvent(action));
  }

  rewind(input: RewindInput): RewoundRequest {
    const { world } = this;
    const kept = findKeptState(world, parseControl(rewindInput(), input).requestId);
    this.#replaceWorld(rewindWorld(world, kept), 'rewound');
    const { id, requestId } = kept;
    const entry = world.requestLog.noteRewind(this.nextRequestId(), world.clock.now(), requestId);
    this.#events.addRequest(entry);
    // Requests in flight end in the state that was left: nobody goes back to a state between their changes.
    world.history = undefined;
    return { id, requestId };
  }

  state(): unknown {
    return this.#services.save(this.world);
  }

  restore(state: unknown): void {
    const world = this.#services.load(state);
    setLimits(world, readLimits(this.world));
    this.#replaceWorld(world, 'replaced');
  }

  events(options: EventsInput = {}): EventStream {
    return this.#services.eventStreams.open(this.#events, options);
  }

  #createSandboxEvent(action: SandboxEvent['action']): SandboxEvent {
    return { action, id: this.id ?? null, name: this.name ?? null };
  }

  /** Says that this sandbox was dropped, and ends its event streams. */
  endEvents(): void {
    const event = this.#createSandboxEvent('dropped');
    this.#services.rootEvents.add('sandbox', event);
    this.#events.add('sandbox', event);
    this.#events.close();
  }

  sandbox(input: SandboxInput = {}): Mock {
    const { name, state, seed, from, ttlMs, ...limits } = parseControl(sandboxInput(), input);
    if (this.#services.sandboxes.size >= maxSandboxes) throw tooManySandboxes();
    const initialWorld =
      from === undefined
        ? this.#createInitialWorld(state ?? seed, limits)
        : this.#createBranch(from.requestId, limits);
    const id = this.#services.nextSandboxId();
    const sandbox = new MockImplementation(this.#services, initialWorld, { id, name, ttlMs, parent: this });
    this.#services.sandboxes.set(id, sandbox);
    this.#services.rootEvents.add('sandbox', sandbox.#createSandboxEvent('created'));
    return sandbox;
  }

  /** The world that a new sandbox is reset to. It is shared with this mock unless something differs. */
  #createInitialWorld(document: unknown, limits: LimitsPatch): World {
    const hasOwnLimits = Object.values(limits).some((limit) => limit !== undefined);
    if (document === undefined && !hasOwnLimits) return this.#initialWorld;
    const world = document === undefined ? this.#initialWorld.fork() : this.#services.load(document);
    setLimits(world, readLimits(this.#initialWorld));
    setLimits(world, limits);
    return world;
  }

  /** The state before a request of this mock as a world of its own. */
  #createBranch(requestId: number | string, limits: LimitsPatch): World {
    const world = branchWorld(this.world, findKeptState(this.world, requestId));
    setLimits(world, limits);
    return world;
  }

  listSandboxes(origin = this.#services.origin): SandboxEntry[] {
    return this.#ownSandboxes().map((sandbox) => {
      const { id = '', baseUrl, controlUrl } = sandbox.addresses(origin);
      const expiresAt = sandbox.lifetime?.expiresAt ?? null;
      return { id, name: sandbox.name ?? null, baseUrl, controlUrl, expiresAt };
    });
  }

  dropSandboxes(): number {
    const own = this.#ownSandboxes();
    for (const { id } of own) this.dropSandbox(id ?? '');
    return own.length;
  }

  #ownSandboxes(): RoutableMock[] {
    return [...this.#services.sandboxes.values()].filter((sandbox) => isBelow(sandbox, this));
  }

  dropSandbox(id: string): void {
    const { sandboxes } = this.#services;
    const sandbox = sandboxes.get(id);
    if (sandbox === undefined) throw notFound(`sandbox ${id}`);
    sandbox.lifetime?.cancel();
    sandboxes.delete(id);
    sandbox.endEvents();
  }

  drop(): void {
    if (this.id !== undefined) this.dropSandbox(this.id);
  }
}

/** What distinguishes a sandbox from the root mock. */
interface SandboxIdentity {
  readonly id: string;
  readonly name: string | undefined;
  readonly ttlMs: number | undefined;
  readonly parent: RoutableMock;
}

/** Whether a sandbox was created from a mock, or from one of its sandboxes. */
function isBelow(sandbox: RoutableMock, mock: RoutableMock): boolean {
  for (let above = sandbox.parent; above !== undefined; above = above.parent) if (above === mock) return true;
  return false;
}

function tooManySandboxes(): ControlError {
  const message = `There are ${formatNumber(maxSandboxes)} sandboxes, the maximum of a mock. Remove the sandboxes you do not need: DELETE /sandboxes/{id}, or DELETE /sandboxes for all.`;
  return new ControlError(409, 'TOO_MANY_SANDBOXES', message, { limit: maxSandboxes });
}
