import { hasMore, isObject } from './assumed.ts';
import { changeIn } from './bare.ts';
import type { Core } from './core.ts';
import { NotFoundError } from './errors/index.ts';
import type { JournalEntry } from './journal/journal.ts';
import { canonicalJson, operationIdOf } from './operation-id.ts';
import type { CallOptions } from './options.ts';
import type { Operations } from './resources/operations-of.ts';
import type { RecordPage } from './types.ts';

/** What the records say of a change whose outcome is not known. It is evidence, and it is what was read just now. */
export interface Reconciliation {
  readonly operationId: string;
  readonly verdict: 'applied' | 'not-applied' | 'cannot-tell';
  /** Why, in a sentence. */
  readonly evidence: string;
  /** The record it rests on. */
  readonly record?: unknown;
}

type Fields = Record<string, unknown>;
type Finding = Omit<Reconciliation, 'operationId'>;

/** How far the clocks of this machine and the server may be apart. */
const skewMs = 5 * 60_000;
/** How many records are looked through for one that was created. */
const longestSearch = 1000;

export async function reconcile(
  core: Core,
  api: Operations,
  operation: string | { readonly operationId: string },
  options: CallOptions,
): Promise<Reconciliation> {
  const operationId = operationIdOf(typeof operation === 'string' ? operation : operation.operationId);
  const entry = await core.journal.get({ operationId, target: await core.target() });
  if (entry === undefined) {
    const message = `the journal has no operation ${operationId} for this base URL and key`;
    throw new NotFoundError({ code: 'UNKNOWN_OPERATION', message, operationId });
  }
  return { operationId, ...(await find(new Search(api, entry, options), entry)) };
}

function find(search: Search, entry: JournalEntry): Finding | Promise<Finding> {
  if (entry.kind === 'keywords') return cannotTell("this API does not read a site's keywords");
  const change = changeIn(entry.body);
  const action = String(change.action);
  if (action === 'delete-configuration') return search.deleted(change);
  if (action === 'enroll-scenario') return search.enrolled(change);
  if (action.startsWith('create-')) return search.created(action.slice('create-'.length), change);
  if (action === 'set-friend-tags')
    return search.changed(friendQuery(change), { tagIds: change.tagIds }, change);
  const data = isObject(change.data) ? change.data : {};
  const query =
    action === 'update-friend'
      ? friendQuery(change)
      : { resource: action.slice('update-'.length), id: change.id };
  return search.changed(query, data, change);
}

class Search {
  readonly #api: Operations;
  readonly #entry: JournalEntry;
  readonly #options: CallOptions;

  constructor(api: Operations, entry: JournalEntry, options: CallOptions) {
    this.#api = api;
    this.#entry = entry;
    this.#options = options;
  }

  async changed(query: Fields, data: Fields, change: Fields): Promise<Finding> {
    const record = await this.#record(query);
    if (record === undefined) return cannotTell('the record is not there any more');
    if (record.revision === change.expectedRevision && record.label === change.expectedLabel) {
      return {
        verdict: 'not-applied',
        evidence: 'the record still has the revision this change was made from',
        record,
      };
    }
    if (holds(record, data)) {
      return {
        verdict: 'applied',
        evidence: 'the record has a new revision and holds what this change says',
        record,
      };
    }
    return { ...cannotTell('the record was changed, and holds something else by now'), record };
  }

  async deleted(change: Fields): Promise<Finding> {
    const record = await this.#record({ resource: change.resource, id: change.id });
    if (record !== undefined)
      return { verdict: 'not-applied', evidence: 'the record is still there', record };
    return { verdict: 'applied', evidence: 'the record is not there any more' };
  }

  async created(resource: string, change: Fields): Promise<Finding> {
    const data = isObject(change.data) ? change.data : {};
    const { records, complete } = await this.#all(resource);
    const alike = records.filter((record) => holds(record, data));
    const recent = alike.filter((record) => this.#isRecent(record.createdAt));
    const [record] = recent;
    if (recent.length === 1)
      return { verdict: 'applied', evidence: 'one record like it was created since', record };
    if (recent.length > 1) return cannotTell('several records like it were created since');
    if (alike.length > 0) return cannotTell('there is a record like it, from before by the clocks');
    if (!complete) return cannotTell(`none of the latest ${records.length} records is like it`);
    return { verdict: 'not-applied', evidence: 'no record is like it' };
  }

  async enrolled({ accountId, userId, scenarioId }: Fields): Promise<Finding> {
    const page = await this.#page({ resource: 'friend-automations', accountId, userId });
    const enrolments = page.records.filter((record) => record.scenarioId === scenarioId);
    const record = enrolments.find(({ enrolledAt }) => this.#isRecent(enrolledAt));
    if (record) return { verdict: 'applied', evidence: 'the friend entered the scenario since', record };
    if (enrolments.length > 0)
      return cannotTell('the friend entered the scenario, from before by the clocks');
    if (page.limited) return cannotTell('not all enrolments of the friend can be read');
    return { verdict: 'not-applied', evidence: 'the friend is not in the scenario' };
  }

  #isRecent(moment: unknown): boolean {
    return typeof moment === 'string' && Date.parse(moment) >= Date.parse(this.#entry.createdAt) - skewMs;
  }

  async #page(query: Fields): Promise<RecordPage<Fields>> {
    return (await this.#api.read<RecordPage<Fields>>(query, this.#options)).data;
  }

  async #record(query: Fields): Promise<Fields | undefined> {
    try {
      const { data } = await this.#api.read<{ record: Fields }>(query, this.#options);
      return data.record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also say that nothing can be read at all just now; then this throws as well.
      const { id: _id, userId: _userId, ...list } = query;
      await this.#page({ ...list, limit: 1 });
      return undefined;
    }
  }

  async #all(resource: string): Promise<{ records: Fields[]; complete: boolean }> {
    const records: Fields[] = [];
    while (records.length < longestSearch) {
      const offset = records.length;
      const page = await this.#page({ resource, ...(offset > 0 && { offset }) });
      records.push(...page.records);
      if (page.records.length === 0 || !hasMore(page, offset)) return { records, complete: true };
    }
    return { records, complete: false };
  }
}

function friendQuery({ accountId, userId }: Fields): Fields {
  return { resource: 'friends', accountId, userId };
}

function cannotTell(evidence: string): Finding {
  return { verdict: 'cannot-tell', evidence };
}

/** Whether a record has the data, as the server keeps it: free text is trimmed, ids are in lower case. */
function holds(record: Fields, data: Fields): boolean {
  return Object.entries(data).every(([name, value]) => kept(record[name]) === kept(value));
}

function kept(value: unknown): string {
  const asKept = (_name: string, item: unknown): unknown => {
    if (typeof item !== 'string') return item;
    return /^[\da-f-]{36}$/i.test(item) ? item.toLowerCase() : item.trim();
  };
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null), asKept));
}
