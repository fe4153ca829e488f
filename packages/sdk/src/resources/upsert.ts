import { createKnownIntentError } from '../errors/known-intent.ts';
import {
  ConflictError,
  createInvalidInputError,
  InputConflictError,
  NotFoundError,
  StaleRevisionError,
} from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { canonicalJson } from '../operations/operation-id.ts';
import { createResultMissingError } from '../operations/require-result.ts';
import type { CallOptions, WriteOptions } from '../options/options.ts';
import { startCall } from '../pipeline/call-promise.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import { requireRecordAnswer } from '../pipeline/response-shapes.ts';
import type { ConfigurationInputs, ConfigurationResource, ResourceRecords } from '../types.ts';
import { describeId, describeType, isObject } from '../values.ts';
import { type CreateOnceClient, createOnce } from './create-once.ts';
import { type EditOptions, requireMaxAttempts } from './edit.ts';
import { findRecord } from './find.ts';
import { hasRecordData } from './labels.ts';
import { pickData } from './pick-data.ts';

/**
 * The field that names a record of the resource: `name`, `title` or `keyword`.
 *
 * @example
 * const by: LabelField<'broadcasts'> = 'title';
 * const [newest] = (await client.broadcasts.list({ limit: 1 })).records;
 * console.log(newest?.[by]);
 */
export type LabelField<R extends ConfigurationResource> = (typeof labelFields)[R];

/**
 * Options of `upsert`.
 *
 * @example
 * const options: UpsertOptions<'tags'> = { by: 'name', maxAttempts: 8 };
 * await client.tags.upsert({ name: 'Gold', color: 'orange' }, options);
 */
export interface UpsertOptions<R extends ConfigurationResource> extends EditOptions {
  /**
   * The field that names the record: `name`, for `autoReplies` `keyword`, for `broadcasts` `title`.
   *
   * @example
   * await client.templates.upsert({ name: 'Welcome', text: 'Hello!' }, { by: 'name' });
   */
  readonly by: LabelField<R>;
}

/**
 * What an upsert did, and the record afterwards.
 *
 * @example
 * const show = ({ outcome, record }: UpsertResult<Tag>) => `${record.name} ${outcome}`;
 * console.log(show(await client.tags.upsert({ name: 'Gold', color: 'orange' }, { by: 'name' })));
 */
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
  readonly call: CallOptions;
  readonly intent: WriteOptions['intent'];
  /** Stands for the input of an update with an intent, which is made from the record as it was read. */
  readonly fingerprint: string | undefined;
  /** Reads the record with the label. `hasData` says whether it has all fields of `data`. */
  find(): Promise<{ readonly record: ResourceRecords[R] | undefined; readonly hasData: boolean }>;
}

type Result<R extends ConfigurationResource> = UpsertResult<ResourceRecords[R]>;

/**
 * Updates the record that has the label of `data`, or creates it. If others were faster, it reads and writes again.
 *
 * A create has an id that every program derives from the same data. All updates of one intent have one operation id: one
 * that was stale had no effect, so the id is still free. A server that knows the id with other input applied an earlier
 * call with the intent, so nothing is sent under another id.
 *
 * If the write is applied and the record cannot be read afterwards, it rejects with `RESULT_MISSING`.
 */
export async function upsertRecord<R extends ConfigurationResource>(
  api: UpsertApi,
  resource: R,
  data: ConfigurationInputs[R],
  options: UpsertOptions<R>,
): Promise<Result<R>> {
  const { by, maxAttempts = defaultMaxAttempts, operationId, intent, ...call } = { ...options };
  requireMaxAttempts(maxAttempts);
  const label = requireLabel(resource, data, by);
  if (operationId) {
    throw createInvalidInputError(
      'An upsert may make several writes and does not accept operationId. Pass intent instead.',
    );
  }
  const upsert: Upsert<R> = {
    api,
    resource,
    data,
    label,
    call,
    intent,
    fingerprint: intent && canonicalJson(['upsert', resource, data]),
    async find() {
      const criteria = { [by]: label } as unknown as Partial<ConfigurationInputs[R]>;
      const record = await findRecord(api, resource, criteria, call);
      return { record, hasData: record !== undefined && hasRecordData(resource, record, data) };
    },
  };
  for (let attempt = 1; ; attempt++) {
    const { record, hasData } = await upsert.find();
    if (record && hasData) return { outcome: 'unchanged', record };
    try {
      const result = await (record ? update(upsert, record) : create(upsert));
      if (result) return result;
    } catch (error) {
      // Without a status, it is this journal that knows the intent with other input: a mistake of the caller.
      if (intent && error instanceof InputConflictError && error.status !== undefined) {
        return findEarlierUpsert(upsert, error);
      }
      // Changed or deleted in the meantime.
      const isLate = error instanceof StaleRevisionError || (record && error instanceof NotFoundError);
      if (!isLate || attempt >= maxAttempts) throw error;
    }
    if (attempt >= maxAttempts) {
      throw new ConflictError(
        `Other programs changed or created the record ${attempt} times in the meantime. Call upsert() again.`,
        { code: 'UPSERT_CONFLICT', operation: 'changeChat' },
      );
    }
  }
}

function requireLabel(resource: ConfigurationResource, data: object, by: string): string {
  const field = labelFields[resource];
  const label = isObject(data) ? data[field] : undefined;
  if (by !== field)
    throw createInvalidInputError(`by must be "${field}" for ${resource}; got ${describeId(by)}.`);
  if (typeof label === 'string') return label;
  throw createInvalidInputError(`data.${field} must be a string; got ${describeType(label)}.`);
}

async function update<R extends ConfigurationResource>(
  { api, resource, data, call, intent, fingerprint }: Upsert<R>,
  record: ResourceRecords[R],
): Promise<Result<R>> {
  // A field that is not given, or undefined, keeps its value.
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  const change = {
    action: `update-${resource}`,
    id: record.id,
    data: { ...pickData<object>(resource, record), ...Object.fromEntries(given) },
  };
  const answer = await api.change<ResourceRecords[R]>(change, { ...call, intent }, { record, fingerprint });
  const { replayed, operationId, result } = answer.data;
  // The first request of this call was already made by an earlier call with the intent.
  const outcome = replayed && answer.attempts <= 1 ? 'unchanged' : 'updated';
  // A stored answer may be older than what others wrote since.
  const isCurrent = result !== undefined && !replayed;
  const read = () => readAgain(api, resource, record.id, call);
  return { outcome, record: isCurrent ? result : await readAfter(operationId, read), operationId };
}

/** Creates the record; undefined if another program created one with this label and other data. */
async function create<R extends ConfigurationResource>(upsert: Upsert<R>): Promise<Result<R> | undefined> {
  const { api, resource, data, label, call } = upsert;
  const input = { organizationId: await api.organizationId(call), resource, label, data };
  const { client, rethrow, countAttempts } = toClient(api);
  const { status, change } = await createOnce(client, input, { ...call, waitsMs }).catch(rethrow);
  const { operationId } = change;
  const find = () => readAfter(operationId, upsert.find);
  if (status === 'created') {
    // The result of creating a record of this resource.
    const record = (change.result as ResourceRecords[R] | undefined) ?? (await find()).record;
    if (record) return { outcome: 'created', record, operationId };
    throw createResultMissingError(operationId, 'no record has its label now. Call upsert() again');
  }
  const { record, hasData } = await find();
  if (!record || !hasData) return undefined;
  // It existed before the first request of this call, or that request created it and its answer was lost.
  return { outcome: countAttempts() > 1 ? 'created' : 'unchanged', record, operationId };
}

/** Reads after a write that is applied. An error of the read must not look as if nothing was changed. */
async function readAfter<T>(operationId: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const why = 'its record could not be read afterwards. See its cause. Call upsert() again';
    throw createResultMissingError(operationId, why, cause);
  }
}

async function readAgain<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  id: string,
  call: CallOptions,
): Promise<ResourceRecords[R]> {
  const answer = await api.read<{ record: ResourceRecords[R] }>({ resource, id }, call);
  return requireRecordAnswer('readChat', resource, answer).data;
}

interface ObservedClient {
  readonly client: CreateOnceClient;
  /** Rethrows an error of creating a record once: as `RESULT_MISSING` if the last change is applied. */
  readonly rethrow: (error: unknown) => Promise<never>;
  /** How many requests the last change took. */
  readonly countAttempts: () => number;
}

/** The operations of a client, of which creating a record once needs two. */
function toClient(api: ChatApi): ObservedClient {
  let appliedId: string | undefined;
  let attempts = 0;
  return {
    countAttempts: () => attempts,
    client: {
      changeChat: async (change, options) => {
        appliedId = undefined;
        const answer = await api.change(change, options);
        appliedId = answer.data.operationId;
        attempts = answer.attempts;
        return answer.data;
      },
      readChat: (query, options) => startCall(() => api.read({ ...query }, options)),
    },
    async rethrow(error) {
      if (appliedId === undefined) throw error;
      return readAfter(appliedId, () => Promise.reject(error));
    },
  };
}

/** Resolves if the record shows what an earlier call with the intent was to do; the outcome is unknown otherwise. */
async function findEarlierUpsert<R extends ConfigurationResource>(
  { find, resource }: Upsert<R>,
  conflict: InputConflictError,
): Promise<Result<R>> {
  const { operationId } = conflict;
  const { record, hasData } = await find();
  if (record && hasData) return { outcome: 'unchanged', record, operationId };
  throw createKnownIntentError(
    conflict,
    `no record of ${resource} has the requested data. Check the records`,
  );
}
