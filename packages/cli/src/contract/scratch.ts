import { randomUUID } from 'node:crypto';
import { toComparableId } from '@orgchat/sdk/internal';
import { type ContractTarget, digest, minuteMs, type RunStore } from './run-file.ts';
import {
  readScratchFile,
  type ScratchEntry,
  type ScratchFile,
  type ScratchResource,
} from './scratch-file.ts';

/** A record that was not removed. Without an id, it is not known whether it exists. */
export interface LeftRecord {
  readonly resource: ScratchResource;
  readonly id: string | undefined;
  /** What its name begins with; without an id, the name that was sent. */
  readonly name: string;
  /**
   * Of a record that was created, and that neither a list nor a read has shown: from when on it is forgotten if neither does
   * (ISO 8601).
   */
  readonly forgettableAt?: string;
}

/** What an answer says about a request. */
export interface Outcome extends Pick<ScratchEntry, 'isAnswered' | 'isApplied' | 'ids'> {
  /** Whether it may be about what an earlier request with the same operationId did. */
  readonly isReplay: boolean;
}

/** A record that a list shows under a name that a check wrote. */
export interface ListedRecord {
  readonly id: string;
  readonly name: string;
}

/** Whether there may be a record of which no id is known. */
const isHidden = ({ isAnswered, isApplied, isSeen, ids }: ScratchEntry): boolean =>
  ids.length === 0 && (!isAnswered || (isApplied && !isSeen));

/** Whether a request was applied, and nothing has shown its record yet. */
const isUnseen = (entry: ScratchEntry): boolean => entry.isAnswered && isHidden(entry);

/** The name that a request gives to its record. A server may remove white space around it. */
const getName = ({ body, marker }: ScratchEntry): string => {
  const { name } = Object(body.change.data) as { readonly name?: unknown };
  return typeof name === 'string' ? name.trim() : marker;
};

/** Whether an id is one of others. A server may write UUIDs in upper case in one place. */
const hasSame = (ids: readonly string[], id: string): boolean =>
  ids.some((one) => toComparableId(one) === toComparableId(id));

/** The longest time that a list, or a read, may take to show what was created. */
const longestLagMs = 60 * minuteMs;

/** From when on what an answered request created counts as gone if nothing has shown it; undefined if never. */
const getForgettableAt = ({ isAnswered, answeredAt }: ScratchEntry): number | undefined =>
  isAnswered && answeredAt !== undefined ? answeredAt + longestLagMs : undefined;

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
  #shown: readonly string[] = [];
  /** Ids that this command has looked for in vain, of records that nothing has shown yet. */
  readonly #missed = new Set<string>();
  /** How many requests it took to read a list, if it was read by this command. */
  readonly #listRequests = new Map<ScratchResource, number>();

  private constructor(
    private readonly store: RunStore,
    private readonly name: string,
    private readonly now: () => number,
  ) {}

  static async open(
    { store, now }: { readonly store: RunStore; readonly now: () => number },
    { baseUrl }: ContractTarget,
    organizationId: string,
  ): Promise<Scratch> {
    const name = `scratch-${digest(baseUrl, organizationId)}`;
    const scratch = new Scratch(store, name, now);
    const found = await readScratchFile(store, name);
    scratch.#entries = found?.entries ?? [];
    scratch.#conflictCodes = found?.conflictCodes ?? [];
    scratch.#shown = found?.shown ?? [];
    return scratch;
  }

  get entries(): readonly ScratchEntry[] {
    return this.#entries;
  }

  /** What was not removed yet. A request that created nothing left nothing. */
  get left(): readonly LeftRecord[] {
    const left = this.#entries.flatMap((entry): [key: string, LeftRecord][] => {
      const { resource, marker, body } = entry;
      const name = getName(entry);
      // Requests with one operationId create one record of a name.
      const at = getForgettableAt(entry);
      const forgettable = at !== undefined && { forgettableAt: new Date(at).toISOString() };
      if (isHidden(entry))
        return [[`${body.operationId} ${name}`, { resource, id: undefined, name, ...forgettable }]];
      return entry.ids.map((id) => [
        `${resource} ${id}`,
        { resource, id, name: marker, ...(hasSame([...this.#missed], id) && forgettable) },
      ]);
    });
    return [...new Map(left).values()];
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

  /** Whether only the id of a request can be why it is refused with 409: an applied one has it, and none has its name. */
  isConflict(entry: ScratchEntry): boolean {
    const hasItsName = (one: ScratchEntry): boolean => one.isApplied && getName(one) === getName(entry);
    return this.hasAppliedTwin(entry) && !this.#entries.some(hasItsName);
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

  /**
   * Records what the answer to a request says. One that repeats an applied request creates nothing by itself, and one that
   * repeats nothing has created another record than the one that was removed.
   */
  answer(entry: ScratchEntry, { isAnswered, isApplied, isReplay, ids }: Outcome): Promise<void> {
    const isOwn = isApplied && !(isReplay && this.hasAppliedTwin(entry));
    // A replay creates nothing, whatever it names.
    const isNew = (id: string): boolean => !this.#entries.some((one) => hasSame(one.ids, id));
    if (isApplied && !isOwn) this.#shown = [...this.#shown, ...ids.filter(isNew)];
    return this.#write(
      this.#entries.map((one) =>
        one.key === entry.key
          ? {
              ...one,
              isAnswered,
              isApplied: isOwn,
              isSeen: isReplay && one.isSeen === true,
              answeredAt: this.now(),
              ids: [...new Set([...one.ids, ...ids])],
            }
          : one,
      ),
    );
  }

  /** Whether a record that the server does not find is gone: it may be shown later if nothing has shown it yet. */
  isGone(id: string): boolean {
    const isGone = this.#wasShown(id) || this.isOverdue(id);
    if (!isGone) this.#missed.add(id);
    return isGone;
  }

  #wasShown(id: string): boolean {
    const wasRemoved = this.#entries.some((one) => one.isSeen === true && hasSame(one.ids, id));
    return wasRemoved || hasSame(this.#shown, id);
  }

  /** Whether nothing has shown a record for so long that nothing will. */
  isOverdue(id: string): boolean {
    const due = this.#entries
      .filter(({ ids }) => hasSame(ids, id))
      .map((entry) => getForgettableAt(entry) ?? Infinity);
    return this.now() > Math.max(...due);
  }

  /** Remembers that a list or a read has shown records. */
  async show(ids: readonly string[]): Promise<void> {
    const shown = ids.filter(
      (id) => !this.#wasShown(id) && this.#entries.some((one) => hasSame(one.ids, id)),
    );
    if (shown.length === 0) return;
    this.#shown = [...this.#shown, ...shown];
    await this.#write(this.#entries);
  }

  /** Whether an id is that of a record of another request, or of another operation if this one repeats an earlier one. */
  isOfAnother(id: string, { key, body }: ScratchEntry, isReplay: boolean): boolean {
    return this.#entries.some(
      (one) =>
        one.key !== key && !(isReplay && one.body.operationId === body.operationId) && hasSame(one.ids, id),
    );
  }

  /**
   * Remembers what a list shows, before it is removed. Each record is that of one request: of one that sent its name, and whose
   * record nothing has shown yet, if there is one; an answered one comes first. A server may change names, so a record whose
   * name nobody sent is that of any of them.
   */
  async addListed(resource: ScratchResource, listed: readonly ListedRecord[]): Promise<void> {
    let entries = this.#entries;
    for (const { id, name } of listed) {
      const own = entries.filter((entry) => entry.resource === resource && name.startsWith(entry.marker));
      if (own.some(({ ids }) => hasSame(ids, id))) continue;
      const named = own.filter((entry) => getName(entry) === name);
      const candidates = named.length === 0 ? own : named;
      const owner = candidates.find(isUnseen) ?? candidates.find(isHidden) ?? candidates[0];
      entries = entries.map((entry) => (entry === owner ? { ...entry, ids: [...entry.ids, id] } : entry));
    }
    if (entries !== this.#entries) await this.#write(entries);
    await this.show(listed.map(({ id }) => id));
  }

  /**
   * Forgets the records of a list that was read, and that are removed. A record that neither an answer nor a list has shown
   * may be on the list only later: it is remembered, whatever else is removed. With `forgetsUnseen`, it is not if the list
   * had long enough to show it: somebody else has deleted it.
   */
  remove(
    resource: ScratchResource,
    removed: ReadonlySet<string>,
    { forgetsUnseen = false }: { readonly forgetsUnseen?: boolean } = {},
  ): Promise<void> {
    const isRemoved = (id: string): boolean => removed.has(id);
    const own = this.#entries.filter((entry) => entry.resource === resource);
    // Requests with one operationId create one record.
    const seen = new Set(own.filter(({ ids }) => ids.some(isRemoved)).map(({ body }) => body.operationId));
    const isForgotten = (entry: ScratchEntry): boolean =>
      forgetsUnseen && isUnseen(entry) && this.now() > (getForgettableAt(entry) ?? Infinity);
    const isLeft = (entry: ScratchEntry): boolean =>
      !entry.isAnswered || (isHidden(entry) && !isForgotten(entry)) || entry.ids.some((id) => !isRemoved(id));
    const left = own.filter(isLeft).map((entry) => ({
      ...entry,
      ids: entry.ids.filter((id) => !isRemoved(id)),
      isSeen: entry.isSeen === true || (!entry.isAnswered && seen.has(entry.body.operationId)),
    }));
    return this.#write([...this.#entries.filter((entry) => entry.resource !== resource), ...left]);
  }

  async #write(entries: readonly ScratchEntry[]): Promise<void> {
    const shown = this.#shown.filter((id) => entries.some(({ ids }) => hasSame(ids, id)));
    const file: ScratchFile = { scratch: 1, entries, conflictCodes: this.#conflictCodes, shown };
    await this.store.write(this.name, file, { isDurable: true });
    this.#entries = entries;
    this.#shown = shown;
  }
}
