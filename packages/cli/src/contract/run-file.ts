import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { readJson, writeJson } from '../settings/private-files.ts';
import type { Finding } from './probe.ts';

/** What a run has learned and sent so far. It has no value of any record. */
export interface Run {
  /** The format of the file. */
  readonly run: 1;
  readonly id: string;
  /** When it began, and when it had asked everything; a later command then begins another run. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Requests of this run, each counted before it was sent. */
  readonly requests: number;
  /** When the last request was sent, in milliseconds since 1970: the pacing of the next command goes by it. */
  readonly lastSentAt: number;
  /** What the probes that are done have found, by their name. */
  readonly probes: Readonly<Record<string, readonly Finding[]>>;
}

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
  write(name: string, value: object): Promise<void>;
  /** The name for people. */
  toPath(name: string): string;
}

/** Keeps runs in files that only their owner can read. */
export function createFileStore(directory: string): RunStore {
  const toPath = (name: string): string => join(directory, `${name}.json`);
  return {
    read: (name) => readJson(toPath(name)),
    write: (name, value) => writeJson(toPath(name), value),
    toPath,
  };
}

/** The file of a key: requests that were sent before its organization was known, and the file of its last run. */
interface KeyFile {
  readonly requests: number;
  readonly lastSentAt: number;
  readonly organization?: string;
}

const createRun = (now: number): Run => ({
  run: 1,
  id: randomUUID(),
  startedAt: new Date(now).toISOString(),
  requests: 0,
  lastSentAt: 0,
  probes: {},
});

const isRun = (value: unknown): value is Run =>
  isObject(value) &&
  value.run === 1 &&
  typeof value.id === 'string' &&
  typeof value.startedAt === 'string' &&
  typeof value.requests === 'number' &&
  typeof value.lastSentAt === 'number' &&
  isObject(value.probes) &&
  Object.values(value.probes).every(Array.isArray);

const isKeyFile = (value: unknown): value is KeyFile =>
  isObject(value) &&
  typeof value.requests === 'number' &&
  typeof value.lastSentAt === 'number' &&
  (value.organization === undefined || typeof value.organization === 'string');

async function readOf<T>(
  store: RunStore,
  name: string,
  isValid: (value: unknown) => value is T,
): Promise<T | undefined> {
  const found = await store.read(name);
  if (found === undefined || isValid(found)) return found;
  const path = store.toPath(name);
  throw new CliError(`${path} is not a run of "orgchat contract check".`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Remove it, and run the check again: rm ${path}`,
  });
}

/**
 * The file of a run: one per server and organization. Before the organization is known, requests are counted in a file per
 * server and key, which also says where the last run is: the pacing goes by its last request.
 */
export class RunFile {
  readonly #keyName: string;
  #name: string | undefined;
  #run: Run;

  private constructor(
    private readonly store: RunStore,
    private readonly target: ContractTarget,
    private readonly now: () => number,
    { requests, lastSentAt }: KeyFile,
  ) {
    this.#keyName = getKeyName(target);
    this.#run = { ...createRun(now()), requests, lastSentAt };
  }

  /** Opens the file of a server and a key, whose organization is not known yet. */
  static async open(store: RunStore, target: ContractTarget, now: () => number): Promise<RunFile> {
    const known = await readOf(store, getKeyName(target), isKeyFile);
    const { requests = 0, lastSentAt = 0, organization } = known ?? {};
    const last = organization === undefined ? undefined : await readOf(store, organization, isRun);
    return new RunFile(store, target, now, {
      requests,
      lastSentAt: Math.max(lastSentAt, last?.lastSentAt ?? 0),
    });
  }

  /** Continues with the run of the organization: the one that did not end, unless `fresh`, or a new one. */
  async useOrganization(organizationId: string, fresh: boolean): Promise<void> {
    const name = digest(this.target.baseUrl, organizationId);
    const known = await readOf(this.store, name, isRun);
    const run = known !== undefined && known.endedAt === undefined && !fresh ? known : createRun(this.now());
    const { requests, lastSentAt } = this.#run;
    this.#name = name;
    await this.#write({
      ...run,
      requests: run.requests + requests,
      lastSentAt: Math.max(lastSentAt, known?.lastSentAt ?? 0),
    });
    await this.store.write(this.#keyName, { requests: 0, lastSentAt, organization: name } satisfies KeyFile);
  }

  get state(): Run {
    return this.#run;
  }

  /** Counts a request that is about to be sent. */
  count(): Promise<void> {
    return this.#write({ ...this.#run, requests: this.#run.requests + 1, lastSentAt: this.now() });
  }

  /** Remembers what a probe found. */
  finish(probe: string, findings: readonly Finding[]): Promise<void> {
    return this.#write({ ...this.#run, probes: { ...this.#run.probes, [probe]: findings } });
  }

  /** Everything that was selected is asked. */
  end(): Promise<void> {
    return this.#write({ ...this.#run, endedAt: new Date(this.now()).toISOString() });
  }

  async #write(run: Run): Promise<void> {
    const { requests, lastSentAt } = run;
    if (this.#name === undefined)
      await this.store.write(this.#keyName, { requests, lastSentAt } satisfies KeyFile);
    else await this.store.write(this.#name, run);
    this.#run = run;
  }
}
