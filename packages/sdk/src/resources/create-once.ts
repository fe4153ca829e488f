import { OrgChatError } from '../errors/base.ts';
import { AbortedError } from '../errors/no-usable-answer.ts';
import { UncertainOperationError } from '../errors/outcome-unknown.ts';
import { NotFoundError } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { maxListReads, type WatchedPage, watchListChanges } from '../lists/list-changes.ts';
import { createOffsetList } from '../lists/record-list.ts';
import type { CallOptions, IntentPart, WriteOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { hasRecordData, isSameLabel } from '../shapes/labels.ts';
import { timesDescend } from '../shapes/record-times.ts';
import { createDoubtfulListError } from '../shapes/shape-errors.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { canonicalJson, deriveOperationId, operationIdFrom } from '../write/operation-id.ts';
import { createResultMissingError } from '../write/require-result.ts';
import { createRowReader, isWithin, type Where } from './find.ts';

/*
 * Creates have no revision that guards them, and the API allows two records with the same label. So several programs
 * that want the same record agree on one operation id, and the server applies it once. An id that was used for a
 * record that is gone by now is spent: a counter leads to the next one.
 */

/** A record to create, as all programs that want it name it. */
export interface CreateOnceInput<R extends ConfigurationResource = ConfigurationResource> {
  /** `organizationId` of `client.account()`. */
  readonly organizationId: string;
  readonly resource: R;
  /** The name, title or keyword in `data`, by which the record is found. */
  readonly label: string;
  /** As it is sent: references are ids. */
  readonly data: ConfigurationInputs[R];
}

/** How a record is created once. Without options, a record that is gone is created again. */
export interface CreateOnceOptions<R extends ConfigurationResource = ConfigurationResource>
  extends CallOptions,
    Pick<WriteOptions, 'fingerprint'> {
  /** What a record has to have besides its label, so that it counts as the one that this creates. Default: nothing. */
  readonly where?: Where<R> | undefined;
  /** How many operation ids to try at most, each after the record of the one before is gone. */
  readonly maxCounters?: number | undefined;
  /** Whether a record was there before: then it is not the one that this creates. */
  readonly isKnown?: ((id: string) => boolean) | undefined;
  /** Whether an operation is not to be sent, because it was given up. */
  readonly isGivenUp?: ((operationId: string) => boolean) | undefined;
  /** Whether a record with the label was just read, so that it need not be read again. */
  readonly wasSeen?: ((id: string) => boolean) | undefined;
  /** How long to wait, in milliseconds, each time while another program may be creating the record. */
  readonly waitsMs?: readonly number[] | undefined;
}

/** A record as it was read. */
export type LabeledRecord = Guarded<ResourceRecords[ConfigurationResource]>;

/** What creating a record once did. */
export interface CreateOnceResult {
  readonly status: 'created' | 'existing' | 'taken' | 'spent';
  /** The last operation id that was tried. */
  readonly operationId: string;
  /** How many ids were spent before that one. */
  readonly counter: number;
  /** The answer to the operation; its `result` is the record as it was when it was created. */
  readonly change: ChangeOutcome;
  /** The record as it was read: of `taken` always, of `existing` unless it was seen before. */
  readonly record?: LabeledRecord | undefined;
}

/** Returns what a create is for, by what is created. */
const createIntent = (
  { organizationId, resource, label, data }: CreateOnceInput,
  counter: number,
): readonly IntentPart[] => ['create', organizationId, resource, label.trim(), canonicalJson(data), counter];

/** Returns the operation id of a create. */
export const createOperationId = (input: CreateOnceInput, counter: number): Promise<string> =>
  operationIdFrom(...createIntent(input, counter));

/**
 * Creates a record under an operation id derived from what is created, so that several programs that do this at the
 * same time, also on different machines and after a crash, create one record.
 *
 * This holds for equal input, as long as the server remembers operations. It does not hold between inputs that differ
 * in `data`, nor against a program that creates a record by other means: the API has no unique labels. To notice that
 * afterwards, use `recordsSince`.
 */
export async function createOnce<R extends ConfigurationResource>(
  api: ChatApi,
  input: CreateOnceInput<R>,
  {
    maxCounters = 1_000,
    isKnown = () => false,
    wasSeen = () => false,
    isGivenUp = () => false,
    waitsMs = [],
    where,
    ...call
  }: CreateOnceOptions<R> = {},
): Promise<CreateOnceResult> {
  const { resource, label, data } = input;
  const { fingerprint: _, ...reading } = call;
  let isListed = false;
  let canAsk = true;
  let listWaitsMs = waitsMs;
  for (let counter = 0; ; counter++) {
    const intent = createIntent(input, counter);
    const operationId = deriveOperationId(intent);
    if (isGivenUp(operationId)) continue;
    const create = { action: `create-${resource}`, data };
    const send = async () => (await api.change(create, { ...call, operationId: undefined, intent })).data;
    const change = await sendUntilCertain(send, waitsMs, call.signal);
    const tried = { operationId, counter, change };
    requireLabelKept(input, change);
    if (!change.replayed) return { status: 'created', ...tried };
    const { id } = Object(change.result) as { readonly id?: string };
    const isOurs = id !== undefined && !isKnown(id);
    if (isOurs && wasSeen(id)) return { status: 'existing', ...tried };
    const isIt = (one: LabeledRecord): boolean =>
      hasLabel(resource, one, label) && isWithin(resource, where, one);
    const record = isOurs ? await readById(api, resource, id, reading) : undefined;
    if (record && isIt(record)) return { status: 'existing', ...tried, record };
    // The list also proves that the record is gone: a 404 may mean that nothing can be read at the moment.
    const find = async () =>
      (await recordsSince(api, resource, isKnown, reading, { label })).find((one) =>
        isWithin(resource, where, one),
      );
    const asks = isOurs && record === undefined && canAsk;
    // Where changes prove that records are gone, one list says that this is so because of the records.
    let other = asks && isListed ? undefined : await find();
    isListed = true;
    if (asks && other === undefined) {
      const exists = await api.isChangeable({ resource, id, label, data }, reading);
      const late =
        exists && (await readLate(() => readById(api, resource, id, reading), waitsMs, call.signal));
      if (late && isIt(late)) return { status: 'existing', ...tried, record: late };
      if (exists && !late)
        throw createResultMissingError(operationId, 'no read shows its record yet. Call again later');
      canAsk = exists !== undefined;
    }
    // Without an id, only the list can show it. What was created before this call is shown after one wait.
    if (other === undefined && id === undefined) {
      other = await readLate(find, listWaitsMs, call.signal);
      listWaitsMs = [];
    }
    if (other !== undefined) {
      // Perhaps the record of the next operation id, which another program has created in the meantime.
      const isSame = id === undefined || other.id === id || hasRecordData(resource, other, data);
      return { status: isSame ? 'existing' : 'taken', ...tried, record: other };
    }
    if (counter + 1 >= maxCounters) return { status: 'spent', ...tried };
  }
}

/**
 * Throws `LABEL_CHANGED` if the record is stored under another label: it would not be found, and be created again and
 * again. The result of a replay may be the record as it is now, so that the answer does not say who changed the label.
 */
function requireLabelKept(
  { resource, label }: CreateOnceInput,
  { result, operationId }: ChangeOutcome,
): void {
  const field = labelFields[resource];
  const { id, [field]: stored } = Object(result) as Readonly<Record<string, unknown>>;
  if (typeof stored !== 'string' || isSameLabel(stored, label)) return;
  throw new OrgChatError(
    `Operation ${operationId} was applied, but the record ${id} is stored with another ${field} than was sent: the server or somebody changed it. Pass the ${field} as it is stored, or change it back: otherwise, the record is not found.`,
    { code: 'LABEL_CHANGED', operation: 'changeChat', operationId, outcome: 'applied' },
  );
}

/** Whether the field that names the record has a value, in any Unicode form. */
const hasLabel = (resource: ConfigurationResource, record: object, label: string): boolean =>
  isSameLabel((record as Readonly<Record<string, unknown>>)[labelFields[resource]], label);

/** Asks again, after each of the waits, while another program may have the operation in progress. */
async function sendUntilCertain(
  send: () => PromiseLike<ChangeOutcome>,
  waitsMs: readonly number[],
  signal: AbortSignal | undefined,
): Promise<ChangeOutcome> {
  for (const ms of waitsMs) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof UncertainOperationError) || (await createDeadline(Infinity, signal).sleep(ms)))
        throw error;
    }
  }
  return send();
}

/** Reads again, after each of the waits, what reads may show later than it was written. */
async function readLate<T>(
  read: () => Promise<T | undefined>,
  waitsMs: readonly number[],
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  for (const ms of waitsMs) {
    const callEnd = await createDeadline(Infinity, signal).sleep(ms);
    if (callEnd) {
      const { code, cause } = callEnd;
      const why = 'The signal aborted the call while it waited for reads to show a record.';
      throw new AbortedError(why, { code, operation: 'readChat', cause });
    }
    const found = await read();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A record, or undefined if there is none with this id, or nothing can be read at the moment. */
async function readById(
  api: ChatApi,
  resource: ConfigurationResource,
  id: string,
  call: CallOptions,
): Promise<LabeledRecord | undefined> {
  try {
    return (await api.readRecord<LabeledRecord>({ resource, id }, call)).data;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** What is read of a list, and what is reported of it. */
interface ReadingOptions {
  /** Only records with this label are read. Without one, the list is read again if it changed in the meantime. */
  readonly label?: string;
  /** Whether a list without a label is read again, too. */
  readonly requiresAll?: boolean;
  /** Called for each row that is only a summary, before its record is read. */
  readonly onReadById?: () => void;
  /** Called with each page, and what of it no earlier page had. */
  readonly onPage?: (page: WatchedPage) => void;
}

/**
 * Reads the records that are not known, newest first, with a label or all. It stops at the first known one if the list
 * shows that it begins with the newest record.
 */
export async function recordsSince<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  isKnown: (id: string) => boolean,
  call: CallOptions = {},
  options: ReadingOptions = {},
): Promise<Guarded<ResourceRecords[R]>[]> {
  const { label, requiresAll = false, onPage } = options;
  for (let reads = 1; ; reads++) {
    const changes = watchListChanges(api, resource, call, isKnown);
    const found = await readSince(api, resource, isKnown, call, {
      ...options,
      onPage(page) {
        changes.addPage(page);
        onPage?.(page);
      },
    });
    const isOneMissable = label === undefined ? requiresAll : found.length === 0;
    if (!isOneMissable || reads >= maxListReads || !(await changes.hasMissed())) return found;
  }
}

async function readSince<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  isKnown: (id: string) => boolean,
  call: CallOptions,
  { label, onReadById, onPage }: ReadingOptions,
): Promise<Guarded<ResourceRecords[R]>[]> {
  const found: Guarded<ResourceRecords[R]>[] = [];
  let isInDoubt = false;
  const onDoubt = (): void => {
    isInDoubt = true;
  };
  const reader = createRowReader(api, resource, call, onReadById);
  const list = createOffsetList<ResourceRecords[R]>(api, () => ({ query: { resource }, options: call }), {
    rows: 'any',
    onDoubt,
  });
  reading: for await (const page of list.pages()) {
    const { records } = page;
    onPage?.(page);
    // What comes after a known record is older.
    const isNewestFirst = api.shapes.isNewestFirst(resource) && timesDescend(records);
    for (const row of records) {
      if (isKnown(row.id)) {
        if (isNewestFirst) break reading;
        continue;
      }
      const record = await reader.complete(row, label);
      if (record && (label === undefined || hasLabel(resource, record, label))) found.push(record);
    }
  }
  if (isInDoubt && (label === undefined || found.length === 0)) throw createDoubtfulListError(resource);
  return found;
}
