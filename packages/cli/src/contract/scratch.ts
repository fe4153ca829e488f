import { randomUUID } from 'node:crypto';
import { isObject } from '@orgchat/spec/is-object';
import { type ContractTarget, digest, invalidFileError, type RunStore } from './run-file.ts';

/** What a check creates. Nothing else of an organization is ever written. */
export const scratchResources = ['links', 'tags'] as const;
export type ScratchResource = (typeof scratchResources)[number];

/** A request that may have created a record. */
export interface ScratchEntry {
  readonly key: string;
  /** What the name of the record begins with. */
  readonly marker: string;
  readonly resource: ScratchResource;
  /** The request, which is sent again if its answer is not known. */
  readonly body: { readonly operationId: string; readonly change: Readonly<Record<string, unknown>> };
  readonly isAnswered: boolean;
  /** Whether it created a record as far as its answer says: also one that the answer does not name. */
  readonly isApplied: boolean;
  /** The records that it is known to have created. */
  readonly ids: readonly string[];
}

/** A record that was not removed. Without an id, it is not known whether it exists. */
export interface LeftRecord {
  readonly resource: ScratchResource;
  readonly id: string | undefined;
  /** What its name begins with. */
  readonly name: string;
}

/** What an answer says about a request. */
export type Outcome = Pick<ScratchEntry, 'isAnswered' | 'isApplied' | 'ids'>;

/** Whether there may be a record of which no id is known. */
const isHidden = ({ isAnswered, isApplied, ids }: ScratchEntry): boolean =>
  ids.length === 0 && (!isAnswered || isApplied);

interface ScratchFile {
  readonly scratch: 1;
  readonly entries: readonly ScratchEntry[];
  /** Codes with which the server refused another input for the id of a request that it had applied. */
  readonly conflictCodes: readonly string[];
}

const isEntry = (value: unknown): value is ScratchEntry =>
  isObject(value) &&
  [value.key, value.marker].every((text) => typeof text === 'string' && text !== '') &&
  scratchResources.some((resource) => resource === value.resource) &&
  isObject(value.body) &&
  typeof value.isAnswered === 'boolean' &&
  typeof value.isApplied === 'boolean' &&
  Array.isArray(value.ids) &&
  value.ids.every((id) => typeof id === 'string');

const isScratchFile = (value: unknown): value is ScratchFile =>
  isObject(value) &&
  value.scratch === 1 &&
  Array.isArray(value.entries) &&
  value.entries.every(isEntry) &&
  Array.isArray(value.conflictCodes) &&
  value.conflictCodes.every((code) => typeof code === 'string');

/** Reading a record and deleting it. */
const requestsPerRecord = 2;
/** A list that was not read yet: a page, and the empty ones behind it. */
const requestsPerList = 3;

/**
 * The records that checks of a server and organization have created, and did not remove yet. A request is in the file before
 * it is sent, and what it created before the next one is.
 */
export class Scratch {
  #entries: readonly ScratchEntry[] = [];
  #conflictCodes: readonly string[] = [];
  /** How many requests it took to read a list, if it was read by this command. */
  readonly #listRequests = new Map<ScratchResource, number>();

  private constructor(
    private readonly store: RunStore,
    private readonly name: string,
  ) {}

  static async open(store: RunStore, { baseUrl }: ContractTarget, organizationId: string): Promise<Scratch> {
    const name = `scratch-${digest(baseUrl, organizationId)}`;
    const scratch = new Scratch(store, name);
    const found = await store.read(name);
    if (found !== undefined && !isScratchFile(found))
      throw invalidFileError(
        store.toPath(name),
        'It names the records that a check has created: look at it first.',
      );
    scratch.#entries = found?.entries ?? [];
    scratch.#conflictCodes = found?.conflictCodes ?? [];
    return scratch;
  }

  get entries(): readonly ScratchEntry[] {
    return this.#entries;
  }

  /** What was not removed yet. A request that created nothing left nothing. */
  get left(): readonly LeftRecord[] {
    const left = this.#entries.flatMap((entry) => {
      const ids = isHidden(entry) ? [...entry.ids, undefined] : entry.ids;
      return ids.map((id) => ({ resource: entry.resource, id, name: entry.marker }));
    });
    return [...new Map(left.map((record) => [JSON.stringify(record), record])).values()];
  }

  /** Requests that removing everything takes, also what one more request may create of `another` resource. */
  getReserved(another?: ScratchResource): number {
    const ids = new Set(this.#entries.flatMap((entry) => entry.ids));
    // Requests with one operationId create one record.
    const hidden = new Set(this.#entries.filter(isHidden).map(({ body }) => body.operationId));
    const unanswered = this.#entries.filter(({ isAnswered }) => !isAnswered).length;
    const lists = new Set(this.#entries.map(({ resource }) => resource));
    if (another !== undefined) lists.add(another);
    const added = another === undefined ? 0 : 1;
    return (
      (ids.size + hidden.size + added) * requestsPerRecord +
      (unanswered + added) +
      [...lists].reduce((sum, resource) => sum + this.#getListRequests(resource), 0)
    );
  }

  /** What is created may fill a page. */
  #getListRequests(resource: ScratchResource): number {
    const requests = this.#listRequests.get(resource);
    return requests === undefined ? requestsPerList : requests + 1;
  }

  /** Remembers how many requests it takes to read a list. */
  measureList(resource: ScratchResource, requests: number): void {
    this.#listRequests.set(resource, requests);
  }

  isMeasured(resource: ScratchResource): boolean {
    return this.#listRequests.has(resource);
  }

  /** Whether another request with the id of this one was applied. */
  hasAppliedTwin({ key, body }: ScratchEntry): boolean {
    return this.#entries.some(
      (one) => one.key !== key && one.isApplied && one.body.operationId === body.operationId,
    );
  }

  isConflictCode(code: string | undefined): boolean {
    return code !== undefined && this.#conflictCodes.includes(code);
  }

  /** Remembers a code that the server has for another input with the id of an applied request. */
  async addConflictCode(code: string): Promise<void> {
    if (this.isConflictCode(code)) return;
    this.#conflictCodes = [...this.#conflictCodes, code];
    await this.#write(this.#entries);
  }

  /** Records a request before it is sent. */
  async begin(entry: Pick<ScratchEntry, 'marker' | 'resource' | 'body'>): Promise<ScratchEntry> {
    const begun = { ...entry, key: randomUUID(), isAnswered: false, isApplied: false, ids: [] };
    await this.#write([...this.#entries, begun]);
    return begun;
  }

  /** Records what the answer to a request says. */
  answer({ key }: ScratchEntry, { isAnswered, isApplied, ids }: Outcome): Promise<void> {
    return this.#write(
      this.#entries.map((one) =>
        one.key === key ? { ...one, isAnswered, isApplied, ids: [...new Set([...one.ids, ...ids])] } : one,
      ),
    );
  }

  /**
   * Forgets the records of a list that was read, and that are removed. A record that no answer named may be on the list only
   * later: it is remembered until a record of its marker is removed.
   */
  remove(resource: ScratchResource, removed: ReadonlySet<string>): Promise<void> {
    const isRemoved = (id: string): boolean => removed.has(id);
    const own = this.#entries.filter((entry) => entry.resource === resource);
    const seen = new Set(own.filter(({ ids }) => ids.some(isRemoved)).map(({ marker }) => marker));
    const isLeft = (entry: ScratchEntry): boolean =>
      !entry.isAnswered ||
      entry.ids.some((id) => !isRemoved(id)) ||
      (isHidden(entry) && !seen.has(entry.marker));
    const left = own.filter(isLeft).map((entry) => ({
      ...entry,
      ids: entry.ids.filter((id) => !isRemoved(id)),
    }));
    return this.#write([...this.#entries.filter((entry) => entry.resource !== resource), ...left]);
  }

  async #write(entries: readonly ScratchEntry[]): Promise<void> {
    const file: ScratchFile = { scratch: 1, entries, conflictCodes: this.#conflictCodes };
    await this.store.write(this.name, file, { isDurable: true });
    this.#entries = entries;
  }
}
