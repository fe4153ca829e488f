import { combineSeeds } from '../../test-support/random.ts';
import { Connection } from './connection.ts';
import { Control } from './control.ts';
import { type Inventory, readInventory } from './inventory.ts';
import { clientsPerWorld } from './seed.ts';
import { runSession, type SessionResult, type World } from './session.ts';

export interface LoadOptions {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly connections: number;
  readonly seed: number;
  /** Requests of each client in a session. */
  readonly steps: number;
  /** Whether the first group uses the mock itself instead of a sandbox. Only one load per mock may. */
  readonly root: boolean;
  /** Called before each session of a group with the number of sessions done in this run. */
  readonly shouldContinue: (sessionsOfGroup: number) => boolean;
}

export interface Totals {
  requests: number;
  sessions: number;
  sandboxes: number;
  /** Requests that faults hit. */
  hits: number;
  /** By kind of request, and by status (0: broken by a fault). */
  readonly kinds: Map<string, number>;
  readonly statuses: Map<number, number>;
  readonly problems: string[];
}

/** Maximum number of problems to report. */
const problemsShown = 10;

/** Groups of connections. Each group runs one session after the other, each in its own sandbox. */
export class Load {
  readonly totals: Totals = {
    requests: 0,
    sessions: 0,
    sandboxes: 0,
    hits: 0,
    kinds: new Map(),
    statuses: new Map(),
    problems: [],
  };
  readonly connections: readonly Connection[];
  readonly #options: LoadOptions;
  readonly #controls: Control[] = [];
  #runs = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.connections = Array.from({ length: options.connections }, () => new Connection());
  }

  /** Runs sessions until `shouldContinue` returns false, then deletes all sandboxes and resets the mock. */
  async run(): Promise<void> {
    const { controlUrl } = this.#options;
    const run = this.#runs++;
    const control = this.#open(controlUrl);
    const sandbox = await this.#fork(control, undefined);
    const inventory = await readInventory(this.connections[0] as Connection, sandbox.baseUrl);
    const state = await sandbox.control.call('GET', '/state');
    await this.#drop(control, sandbox);
    const groups: Promise<void>[] = [];
    for (let first = 0; first < this.connections.length; first += clientsPerWorld) {
      const group = first / clientsPerWorld;
      groups.push(this.#runGroup(run, group, inventory, state));
    }
    await Promise.all(groups);
  }

  close(): void {
    for (const one of [...this.connections, ...this.#controls]) one.close();
  }

  #open(controlUrl: string): Control {
    const control = new Control(controlUrl);
    this.#controls.push(control);
    return control;
  }

  async #runGroup(run: number, group: number, inventory: Inventory, state: unknown): Promise<void> {
    const { seed, baseUrl, controlUrl, steps, root, shouldContinue } = this.#options;
    const control = this.#open(controlUrl);
    const connections = this.connections.slice(group * clientsPerWorld, (group + 1) * clientsPerWorld);
    for (let n = 0; shouldContinue(n) && this.totals.problems.length < problemsShown; n++) {
      const isRoot = root && group === 0;
      // Every eighth sandbox loads a saved state, which gives the same world.
      const world = isRoot
        ? { baseUrl, control }
        : await this.#fork(control, n % 8 === 7 ? state : undefined);
      this.#add(
        await runSession({ seed: combineSeeds(seed, run, group, n), world, inventory, connections, steps }),
      );
      if (isRoot) await control.call('POST', '/reset');
      else {
        await this.#drop(control, world);
        const after = await connections[0]?.send(world.baseUrl, { method: 'GET', path: '/me' });
        if (after?.status !== 410) this.totals.problems.push(`a dropped sandbox answers ${after?.status}`);
      }
    }
  }

  async #fork(control: Control, state: unknown): Promise<World & { readonly id: string }> {
    const made = await control.call('POST', '/sandboxes', state === undefined ? {} : { state });
    this.totals.sandboxes++;
    return {
      id: String(made.id),
      baseUrl: String(made.baseUrl),
      control: control.of(String(made.controlUrl)),
    };
  }

  async #drop(control: Control, world: World): Promise<void> {
    const id = world.control.controlUrl.split('/').at(-2);
    await control.call('DELETE', `/sandboxes/${id}`);
  }

  #add({ tally, hits, problems }: SessionResult): void {
    const { totals } = this;
    totals.sessions++;
    totals.requests += tally.sent;
    totals.hits += hits;
    totals.problems.push(...problems);
    for (const [kind, times] of tally.kinds) totals.kinds.set(kind, (totals.kinds.get(kind) ?? 0) + times);
    for (const [status, times] of tally.statuses)
      totals.statuses.set(status, (totals.statuses.get(status) ?? 0) + times);
  }
}
