import type { ClientContext } from '../client-context.ts';
import { DeadlineError } from '../errors/no-usable-answer.ts';
import {
  ConflictError,
  createInvalidInputError,
  NotFoundError,
  StaleRevisionError,
} from '../errors/refused.ts';
import { dataShapes, labelFields } from '../generated/resources.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import { defaults, resolveCallOptions } from '../options/resolve-options.ts';
import type { Effect } from '../pipeline/api-request.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { mergeData } from '../shapes/contains-data.ts';
import { hasRecordData, toComparableLabel } from '../shapes/labels.ts';
import { pickData } from '../shapes/pick-data.ts';
import { completeShape } from '../shapes/shape-values.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { describeId, describeType, isObject } from '../values.ts';
import { canonicalJson } from '../write/operation-id.ts';
import { createResultMissingError } from '../write/require-result.ts';
import { runInOrder } from '../write/run-in-order.ts';
import { createOnce } from './create-once.ts';
import { type EditOptions, requireMaxAttempts } from './edit.ts';
import { findRecord, requireWithin, type Where } from './find.ts';

/** The field that names a record of the resource: `name`, `title` or `keyword`. */
export type LabelField<R extends ConfigurationResource> = (typeof labelFields)[R];

/**
 * Options of `upsert`.
 *
 * @example
 * const options: UpsertOptions<'tags'> = { by: 'name', maxAttempts: 8 };
 * await client.tags.upsert({ name: 'Gold', color: 'orange' }, options);
 */
export interface UpsertOptions<R extends ConfigurationResource> extends EditOptions {
  /** The field that names the record: `name`, for `autoReplies` `keyword`, for `broadcasts` `title`. */
  readonly by: LabelField<R>;
  /**
   * Only records with these fields are looked at, such as those of one account; `data` must have the same values. Default:
   * all.
   */
  readonly where?: Where<R> | undefined;
}

/** What an upsert did, and the record afterwards. */
export interface UpsertResult<T> {
  /** `unchanged`: the record already had the data, or another program or an earlier call with the intent wrote it. */
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly record: T;
  /** The operation of the write; undefined if nothing was sent. */
  readonly operationId?: string | undefined;
}

/** What an upsert needs of its client. */
export interface UpsertApi extends ChatApi {
  /** Returns the id of the organization of the key. */
  organizationId(options: CallOptions): Promise<string>;
  /** Returns what names the base URL and the key in this process. */
  target(): string;
  /** What says how long many changes take. */
  readonly paced: Pick<ClientContext, 'rateLimiter' | 'callOptions'>;
}

/** How often the record is read and written again while others change it. */
const defaultMaxAttempts = 4;
/** How long to wait, in milliseconds, each time while another program is creating the same record. */
const waitsMs = [100, 400, 1_600];

/** One upsert, as its steps see it. */
interface Upsert<R extends ConfigurationResource> {
  readonly api: UpsertApi;
  readonly resource: R;
  readonly data: ConfigurationInputs[R];
  readonly label: string;
  readonly where: Where<R> | undefined;
  readonly call: CallOptions;
  readonly intent: ChangeOptions['intent'];
  readonly acceptKnownIntent: ChangeOptions['acceptKnownIntent'];
  /** Stands for the input of an update with an intent, which is made from the record as it was read. */
  readonly fingerprint: string | undefined;
  /** What to call if it has to be done again. */
  readonly again: string;
  /** Reads the record with the label. */
  find(): Promise<FoundRecord<R>>;
}

/** The record with the label of an upsert. */
export interface FoundRecord<R extends ConfigurationResource> {
  readonly record: Record<R> | undefined;
  /** Whether it has all data that are to be written. */
  readonly hasData: boolean;
}

type Record<R extends ConfigurationResource> = Guarded<ResourceRecords[R]>;
type Result<R extends ConfigurationResource> = UpsertResult<Record<R>>;

/**
 * Updates the record that has the label of `data`, or creates it. If others were faster, it reads and writes again.
 *
 * A create has an id that every program derives from the same data. All updates of one intent have one operation id: one
 * that was stale had no effect, so the id is still free. If the server knows the id with other input, an earlier call
 * with the intent used it, so nothing is sent under another id.
 *
 * Upserts of one label in this process run one after the other: each finds what the one before it did. `timeoutMs`
 * bounds this wait as it bounds each request.
 *
 * If the write is applied and the record cannot be read afterwards, it rejects with `RESULT_MISSING`.
 */
export async function upsertRecord<R extends ConfigurationResource>(
  api: UpsertApi,
  resource: R,
  data: ConfigurationInputs[R],
  options: UpsertOptions<R>,
): Promise<Result<R>> {
  const { upsert, maxAttempts } = createUpsert(api, resource, data, options);
  return runInOrder(nameLine(api, resource, upsert.label), async (earlier) => {
    if (earlier) await waitFor(earlier, upsert.call);
    return runAttempts(upsert, maxAttempts);
  });
}

/**
 * The same for who has read the record and waits in line itself (`nameLine`): the first attempt begins with what was
 * found.
 */
export async function upsertFound<R extends ConfigurationResource>(
  found: FoundRecord<R>,
  ...given: Parameters<typeof createUpsert<R>>
): Promise<Result<R>> {
  const { upsert, maxAttempts } = createUpsert(...given);
  return runAttempts(upsert, maxAttempts, found);
}

/** Names the line in which the upserts of a label wait. */
export const nameLine = (
  api: Pick<UpsertApi, 'target'>,
  resource: ConfigurationResource,
  label: string,
): string => JSON.stringify([api.target(), resource, toComparableLabel(label)]);

function createUpsert<R extends ConfigurationResource>(
  api: UpsertApi,
  resource: R,
  data: ConfigurationInputs[R],
  options: UpsertOptions<R>,
  again = 'Call upsert() again',
): { readonly upsert: Upsert<R>; readonly maxAttempts: number } {
  const {
    by,
    where,
    maxAttempts = defaultMaxAttempts,
    operationId,
    intent,
    acceptKnownIntent,
    ...call
  } = { ...options };
  requireMaxAttempts(maxAttempts);
  const label = requireLabel(resource, data, by);
  if (operationId) {
    throw createInvalidInputError(
      'An upsert may make several writes and does not accept operationId. Pass intent instead.',
    );
  }
  requireWithin(resource, where, [data], () => 'data');
  const upsert: Upsert<R> = {
    api,
    resource,
    data,
    label,
    where,
    call,
    intent,
    acceptKnownIntent,
    fingerprint: intent && canonicalJson(['upsert', resource, data]),
    again,
    async find() {
      const criteria = { [by]: label } as unknown as Partial<ConfigurationInputs[R]>;
      const record = await findRecord(api, resource, criteria, { ...call, where });
      return { record, hasData: record !== undefined && hasRecordData(resource, record, data) };
    },
  };
  return { upsert, maxAttempts };
}

/** Waits for the earlier upserts of a label. After an abort, the first read rejects with it. */
async function waitFor(earlier: Promise<unknown>, call: CallOptions): Promise<void> {
  const { timeoutMs, coversPacing } = resolveCallOptions(defaults, call);
  const callEnd = await createDeadline(coversPacing ? timeoutMs : Infinity, call.signal).sleep(
    Infinity,
    earlier,
  );
  if (callEnd?.code !== 'DEADLINE_EXCEEDED') return;
  throw new DeadlineError(
    `Another upsert of this label is still in progress, so nothing was sent. ${callEnd.detail}`,
    { code: callEnd.code, operation: 'changeChat', outcome: 'abandoned' },
  );
}

/** Reads the record and writes it, until no one else was faster. */
async function runAttempts<R extends ConfigurationResource>(
  upsert: Upsert<R>,
  maxAttempts: number,
  found?: FoundRecord<R>,
): Promise<Result<R>> {
  for (let attempt = 1; ; attempt++) {
    const { record, hasData } = (attempt === 1 && found) || (await upsert.find());
    if (record && hasData) return { outcome: 'unchanged', record };
    try {
      const result = await (record ? update(upsert, record) : create(upsert));
      if (result) return result;
    } catch (error) {
      // Changed or deleted in the meantime.
      const isLate = error instanceof StaleRevisionError || (record && error instanceof NotFoundError);
      if (!isLate || attempt >= maxAttempts) throw error;
    }
    if (attempt >= maxAttempts) {
      throw new ConflictError(
        `Other programs changed or created the record ${attempt} times in the meantime. ${upsert.again}.`,
        { code: 'UPSERT_CONFLICT', operation: 'changeChat' },
      );
    }
  }
}

/** Throws unless `by` is the field that names a record of the resource. */
export function requireLabelField(resource: ConfigurationResource, by: string): void {
  const field = labelFields[resource];
  if (by !== field)
    throw createInvalidInputError(`by must be "${field}" for ${resource}; got ${describeId(by)}.`);
}

function requireLabel(resource: ConfigurationResource, data: object, by: string): string {
  requireLabelField(resource, by);
  const field = labelFields[resource];
  const label = isObject(data) ? data[field] : undefined;
  if (typeof label === 'string') return label;
  throw createInvalidInputError(`data.${field} must be a string; got ${describeType(label)}.`);
}

async function update<R extends ConfigurationResource>(
  upsert: Upsert<R>,
  record: Record<R>,
): Promise<Result<R>> {
  const { api, resource, data, call, intent, acceptKnownIntent, fingerprint } = upsert;
  const merged = mergeData(pickData(resource, record), { ...data });
  const change = {
    action: `update-${resource}`,
    id: record.id,
    // A null that means no value is sent as none.
    data: completeShape(dataShapes[resource], merged),
  };
  const source = { record, fingerprint, findEffect: () => findEffect(upsert) };
  const answer = await api.change<Record<R>>(change, { ...call, intent, acceptKnownIntent }, source);
  const { replayed, operationId, result } = answer.data;
  // The first request of this call was already made by an earlier call with the intent.
  const outcome = replayed && answer.attempts <= 1 ? 'unchanged' : 'updated';
  // A stored answer may be older than what others wrote since.
  const isCurrent = result !== undefined && !replayed;
  // If a read by id is framed in a way that is not described, the list that showed the record still does.
  const read = () =>
    readAgain(api, resource, record.id, call).catch(async (error: unknown) => {
      const listed = await upsert.find();
      if (listed.record?.id === record.id) return listed.record;
      throw error;
    });
  return { outcome, record: isCurrent ? result : await readAfter(upsert, operationId, read), operationId };
}

/** Creates the record; undefined if another program created one with this label and other data. */
async function create<R extends ConfigurationResource>(upsert: Upsert<R>): Promise<Result<R> | undefined> {
  const { api, resource, data, label, where, call } = upsert;
  const input = { organizationId: await api.organizationId(call), resource, label, data };
  // The last change that was applied: an error after it must not look as if nothing was changed.
  let last: ApiResponse<ChangeOutcome> | undefined;
  const observed: ChatApi = {
    ...api,
    async change<T>(sent: object, options?: ChangeOptions) {
      last = undefined;
      const answer = await api.change<T>(sent, options, { findEffect: () => findEffect(upsert) });
      last = answer;
      return answer;
    },
  };
  const rethrow = (error: unknown): Promise<never> => {
    if (last === undefined) throw error;
    return readAfter(upsert, last.data.operationId, () => Promise.reject(error));
  };
  const { status, change, ...read } = await createOnce(observed, input, { ...call, where, waitsMs }).catch(
    rethrow,
  );
  const { operationId } = change;
  const find = () => readAfter(upsert, operationId, upsert.find);
  if (status === 'created') {
    // The result of creating a record of this resource.
    const record = (change.result as Record<R> | undefined) ?? (await find()).record;
    if (record) return { outcome: 'created', record, operationId };
    throw createResultMissingError(operationId, `no record has its label now. ${upsert.again}`);
  }
  // The record of an equal create needs no list.
  const isCurrent = read.record !== undefined && hasRecordData(resource, read.record, data);
  const current = isCurrent ? { record: read.record as Record<R>, hasData: true } : await find();
  const { record, hasData } = current;
  if (!record || !hasData) return undefined;
  // It existed before the first request of this call, or that request created it and its answer was lost.
  return { outcome: (last?.attempts ?? 0) > 1 ? 'created' : 'unchanged', record, operationId };
}

/** Reads after a write that is applied. An error of the read must not look as if nothing was changed. */
async function readAfter<T>(
  { again }: { readonly again: string },
  operationId: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const why = `its record could not be read afterwards. See its cause. ${again}`;
    throw createResultMissingError(operationId, why, cause);
  }
}

async function readAgain<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  id: string,
  call: CallOptions,
): Promise<Record<R>> {
  return (await api.readRecord<Record<R>>({ resource, id }, call)).data;
}

/** Reads whether the records show what an earlier call with the id was to do. */
async function findEffect<R extends ConfigurationResource>({ find }: Upsert<R>): Promise<Effect> {
  const { record, hasData } = await find();
  return { result: record, isShown: hasData };
}
