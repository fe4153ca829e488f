import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { toShellWord } from '../args/shell-word.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { readJson, writeJson } from '../settings/private-files.ts';
import type { ProbeResult } from './probe-result.ts';

/** What a run has learned and sent so far. It has no value of any record. */
export interface Run {
  /** The format of the file. */
  readonly run: 1;
  readonly id: string;
  /** The groups that it asks. */
  readonly groups: readonly string[];
  /** When it began, and when it had asked everything; a later command then begins another run. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Requests of this run, each counted before it was sent. */
  readonly requests: number;
  /** When the requests of the last minute were sent, in milliseconds since 1970: the pacing goes by them. */
  readonly sentAt: readonly number[];
  /** What the probes that are done have found, by their name. */
  readonly probes: Readonly<Record<string, readonly ProbeResult[]>>;
}

export const minuteMs = 60_000;
/** What was asked longer ago says little about what a server does now. */
const continuedMs = 24 * 60 * minuteMs;

/** The server and the key of a run. */
export interface ContractTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const getKeyName = ({ baseUrl, apiKey }: ContractTarget): string => `key-${digest(baseUrl, apiKey)}`;

/** Where runs are kept, by their names. */
export interface RunStore {
  /** Undefined if there is none. */
  read(name: string): Promise<unknown>;
  /** `isDurable`: it survives a power failure. */
  write(name: string, value: object, options?: { readonly isDurable: true }): Promise<void>;
  /** The name for people. */
  toPath(name: string): string;
}

/** Keeps runs in files that only their owner can read. */
export function createFileStore(directory: string): RunStore {
  const toPath = (name: string): string => join(directory, `${name}.json`);
  return {
    read: (name) => readJson(toPath(name)),
    write: (name, value, options) => writeJson(toPath(name), value, options),
    toPath,
  };
}

/** The file of a key: requests that were sent before its organization was known, and the file of its last run. */
interface KeyFile {
  readonly requests: number;
  readonly sentAt: readonly number[];
  readonly organization?: string;
}

const createRun = (now: number, groups: readonly string[]): Run => ({
  run: 1,
  id: randomUUID(),
  groups,
  startedAt: new Date(now).toISOString(),
  requests: 0,
  sentAt: [],
  probes: {},
});

const isRun = (value: unknown): value is Run =>
  isObject(value) &&
  value.run === 1 &&
  typeof value.id === 'string' &&
  typeof value.startedAt === 'string' &&
  typeof value.requests === 'number' &&
  Array.isArray(value.sentAt) &&
  Array.isArray(value.groups) &&
  isObject(value.probes) &&
  Object.values(value.probes).every(Array.isArray);

const isKeyFile = (value: unknown): value is KeyFile =>
  isObject(value) &&
  typeof value.requests === 'number' &&
  Array.isArray(value.sentAt) &&
  (value.organization === undefined || typeof value.organization === 'string');

async function readOf<T>(
  store: RunStore,
  name: string,
  isValid: (value: unknown) => value is T,
): Promise<T | undefined> {
  const found = await store.read(name);
  if (found === undefined || isValid(found)) return found;
  const path = store.toPath(name);
  throw invalidFileError(path, `Remove it, and run the check again: rm ${toShellWord(path)}`);
}

export const invalidFileError = (path: string, hint: string): CliError =>
  new CliError(`${path} was not written by "orgchat contract check".`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint,
  });

/**
 * The file of a run: one per server and organization. Before the organization is known, requests are counted in a file per
 * server and key, which also says where the last run is: the pacing goes by its last request.
 */
export class RunFile {
  readonly #keyName: string;
  #name: string | undefined;
  #run: Run;
  /** When requests of the last run were sent, while the file of this run is not known. */
  #earlier: { readonly name: string; readonly sentAt: readonly number[] } | undefined;

  private constructor(
    private readonly store: RunStore,
    private readonly target: ContractTarget,
    private readonly now: () => number,
  ) {
    this.#keyName = getKeyName(target);
    this.#run = createRun(now(), []);
  }

  /** Opens the file of a server and a key, whose organization is not known yet. */
  static async open(store: RunStore, target: ContractTarget, now: () => number): Promise<RunFile> {
    const file = new RunFile(store, target, now);
    const known = await readOf(store, file.#keyName, isKeyFile);
    if (known === undefined) return file;
    const { requests, sentAt, organization: name } = known;
    file.#run = { ...file.#run, requests, sentAt };
    const last = name === undefined ? undefined : await readOf(store, name, isRun);
    if (name !== undefined && last !== undefined) file.#earlier = { name, sentAt: last.sentAt };
    return file;
  }

  /**
   * Continues with the run of the organization that did not end, if it began within a day and asks the same groups.
   * Otherwise, and if `fresh`, a new one begins.
   */
  async useOrganization(organizationId: string, groups: readonly string[], fresh: boolean): Promise<void> {
    const name = digest(this.target.baseUrl, organizationId);
    const known = await readOf(this.store, name, isRun);
    const run =
      known !== undefined && !fresh && this.#isContinued(known, groups)
        ? known
        : createRun(this.now(), groups);
    const { requests, sentAt } = this.#run;
    this.#name = name;
    if (this.#earlier?.name === name) this.#earlier = undefined;
    await this.#write({
      ...run,
      requests: run.requests + requests,
      sentAt: [...(known?.sentAt ?? []), ...sentAt],
    });
    await this.store.write(this.#keyName, { requests: 0, sentAt: [], organization: name } satisfies KeyFile);
  }

  #isContinued({ endedAt, startedAt, groups }: Run, asked: readonly string[]): boolean {
    const age = this.now() - Date.parse(startedAt);
    return endedAt === undefined && age < continuedMs && groups.join() === asked.join();
  }

  /** When the requests of the last minute were sent, by this run and the one before it. */
  get sentAt(): readonly number[] {
    return [...(this.#earlier?.sentAt ?? []), ...this.#run.sentAt];
  }

  get state(): Run {
    return this.#run;
  }

  /** Counts a request that is about to be sent. */
  count(): Promise<void> {
    const now = this.now();
    const sentAt = [...this.#run.sentAt.filter((time) => time > now - minuteMs && time <= now), now];
    return this.#write({ ...this.#run, requests: this.#run.requests + 1, sentAt });
  }

  /** Remembers what a probe found. */
  finish(probe: string, results: readonly ProbeResult[]): Promise<void> {
    return this.#write({ ...this.#run, probes: { ...this.#run.probes, [probe]: results } });
  }

  /** Everything that was selected is asked. */
  end(): Promise<void> {
    return this.#write({ ...this.#run, endedAt: new Date(this.now()).toISOString() });
  }

  async #write(run: Run): Promise<void> {
    const { requests, sentAt } = run;
    if (this.#name === undefined)
      await this.store.write(this.#keyName, {
        requests,
        sentAt,
        ...(this.#earlier && { organization: this.#earlier.name }),
      } satisfies KeyFile);
    else await this.store.write(this.#name, run);
    this.#run = run;
  }
}
