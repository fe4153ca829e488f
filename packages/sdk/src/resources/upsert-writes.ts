import type { ClientContext } from '../client-context.ts';
import { OrgChatError } from '../errors/base.ts';
import { AbortedError } from '../errors/no-usable-answer.ts';
import { dataShapes } from '../generated/resources.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { Effect } from '../pipeline/api-request.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { mergeData } from '../shapes/contains-data.ts';
import { hasRecordData } from '../shapes/labels.ts';
import { pickData } from '../shapes/pick-data.ts';
import { completeShape } from '../shapes/shape-values.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { createResultMissingError } from '../write/require-result.ts';
import { type CreateOnceInput, createOnce, createOperationId } from './create-once.ts';
import type { Where } from './find.ts';

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

/** How long to wait, in milliseconds, each time while another program is creating the same record. */
const waitsMs = [100, 400, 1_600];

/** One upsert, as its steps see it. */
export interface Upsert<R extends ConfigurationResource> {
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
  /** Names the intent in the entry of a create, whose id is derived from the data. */
  readonly createFingerprint: string | undefined;
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

/** Updates the record of an upsert. */
export async function updateRecord<R extends ConfigurationResource>(
  upsert: Upsert<R>,
  record: Record<R>,
): Promise<Result<R>> {
  const { api, resource, data, call, intent, acceptKnownIntent, fingerprint } = upsert;
  if (await wasCreatedBefore(upsert)) return { outcome: 'unchanged', record };
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
  const read = async () => {
    try {
      return (await api.readRecord<Record<R>>({ resource, id: record.id }, call)).data;
    } catch (error) {
      // If a read by id is framed in a way that is not described, the list that showed the record still does.
      const listed = await upsert.find();
      if (listed.record?.id === record.id) return listed.record;
      throw error;
    }
  };
  return { outcome, record: isCurrent ? result : await readAfter(upsert, operationId, read), operationId };
}

/**
 * Whether an earlier call with the intent created a record with these data, which someone changed since. The id of the
 * create is not that of the intent, so only the journal can tell. After a record is gone, the next counter creates one.
 */
async function wasCreatedBefore<R extends ConfigurationResource>(upsert: Upsert<R>): Promise<boolean> {
  const { api, call, createFingerprint } = upsert;
  if (createFingerprint === undefined) return false;
  const input = await prepareCreate(upsert);
  for (let counter = 0; ; counter++) {
    const entry = await api.findEntry(await createOperationId(input, counter), call);
    if (!entry) return false;
    if (entry.state === 'applied' && entry.fingerprint === createFingerprint) return true;
  }
}

const prepareCreate = async <R extends ConfigurationResource>({
  api,
  resource,
  label,
  data,
  call,
}: Upsert<R>): Promise<CreateOnceInput<R>> => ({
  organizationId: await api.organizationId(call),
  resource,
  label,
  data,
});

/** Creates the record of an upsert; undefined if another program created one with this label and other data. */
export async function createRecord<R extends ConfigurationResource>(
  upsert: Upsert<R>,
): Promise<Result<R> | undefined> {
  const { api, resource, data, where, call, createFingerprint } = upsert;
  const input = await prepareCreate(upsert);
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
    if (last === undefined || (error instanceof OrgChatError && error.outcome === 'applied')) throw error;
    // An earlier call created the record: this one has changed nothing.
    if (error instanceof AbortedError && last.data.replayed && last.attempts <= 1) throw error;
    return readAfter(upsert, last.data.operationId, () => Promise.reject(error));
  };
  const how = { ...call, ...(createFingerprint && { fingerprint: createFingerprint }), where, waitsMs };
  const { status, change, ...read } = await createOnce(observed, input, how).catch(rethrow);
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

/** Reads whether the records show what an earlier call with the id was to do. */
async function findEffect<R extends ConfigurationResource>({ find }: Upsert<R>): Promise<Effect> {
  const { record, hasData } = await find();
  return { result: record, isShown: hasData };
}
