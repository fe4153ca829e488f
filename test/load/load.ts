import { seedOf } from '../support/chance.ts';
import { Connection } from './connection.ts';
import { Control } from './control.ts';
import { type Inventory, takeStock } from './inventory.ts';
import { type Played, play, type World } from './scene.ts';
import { visitorsAWorld } from './seed.ts';

export interface LoadOptions {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly connections: number;
  readonly seed: number;
  /** Requests of each visitor in a scene. */
  readonly steps: number;
  /** Whether the first group uses the mock itself, and not a sandbox. One load of a mock can. */
  readonly root: boolean;
  /** Asked before each scene of a group, with how many it played in this run. */
  readonly goesOn: (scenesOfGroup: number) => boolean;
}

export interface Totals {
  requests: number;
  scenes: number;
  sandboxes: number;
  /** Requests that faults hit. */
  hits: number;
  /** By kind of request, and by status (0: broken by a fault). */
  readonly kinds: Map<string, number>;
  readonly statuses: Map<number, number>;
  readonly problems: string[];
}

/** Enough to see what is wrong. */
const problemsShown = 10;

/** Connections in groups; each group plays one scene after the other, in a sandbox that is then dropped. */
export class Load {
  readonly totals: Totals = {
    requests: 0,
    scenes: 0,
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

  /** Plays scenes until they are not to go on. Then no sandbox is left, and the mock is as it was made. */
  async run(): Promise<void> {
    const { controlUrl } = this.#options;
    const run = this.#runs++;
    const control = this.#open(controlUrl);
    const sandbox = await this.#fork(control, undefined);
    const inventory = await takeStock(this.connections[0] as Connection, sandbox.baseUrl);
    const state = await sandbox.control.call('GET', '/state');
    await this.#drop(control, sandbox);
    const groups: Promise<void>[] = [];
    for (let first = 0; first < this.connections.length; first += visitorsAWorld) {
      const group = first / visitorsAWorld;
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
    const { seed, baseUrl, controlUrl, steps, root, goesOn } = this.#options;
    const control = this.#open(controlUrl);
    const connections = this.connections.slice(group * visitorsAWorld, (group + 1) * visitorsAWorld);
    for (let n = 0; goesOn(n) && this.totals.problems.length < problemsShown; n++) {
      const isRoot = root && group === 0;
      // Now and then from a saved state, which is another way to the same world.
      const world = isRoot
        ? { baseUrl, control }
        : await this.#fork(control, n % 8 === 7 ? state : undefined);
      this.#add(await play({ seed: seedOf(seed, run, group, n), world, inventory, connections, steps }));
      if (isRoot) await control.call('POST', '/reset');
      else {
        await this.#drop(control, world);
        const after = await connections[0]?.send(world.baseUrl, { method: 'GET', path: '/me' });
        if (after?.status !== 404) this.totals.problems.push(`a dropped sandbox answers ${after?.status}`);
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

  #add({ tally, hits, problems }: Played): void {
    const { totals } = this;
    totals.scenes++;
    totals.requests += tally.sent;
    totals.hits += hits;
    totals.problems.push(...problems);
    for (const [kind, times] of tally.kinds) totals.kinds.set(kind, (totals.kinds.get(kind) ?? 0) + times);
    for (const [status, times] of tally.statuses)
      totals.statuses.set(status, (totals.statuses.get(status) ?? 0) + times);
  }
}
