import { UncertainOperationError } from '../errors/outcome-unknown.ts';
import { ConflictError, NotFoundError } from '../errors/refused.ts';
import { createOffsetList } from '../lists/record-list.ts';
import type { ChangeOutcome } from '../operations/change-outcome.ts';
import { canonicalJson, operationIdFrom } from '../operations/operation-id.ts';
import type { CallOptions, WriteOptions } from '../options/options.ts';
import type { ApiResponse, Call } from '../pipeline/call-promise.ts';
import { createDeadline } from '../pipeline/deadline.ts';
import type {
  ChatChange,
  ChatReadInput,
  ConfigurationInputs,
  ConfigurationResource,
  RecordRef,
} from '../types.ts';
import { hasRecordData, isSameLabel } from './labels.ts';

/*
 * Creates have no revision that guards them, and the API allows two records with the same label. So several programs
 * that want the same record agree on one operation id, and the server applies it once. An id that was used for a
 * record that is gone by now is spent: a counter leads to the next one.
 */

/**
 * The two operations of a client that creating a record once needs. Every client has them.
 *
 * @example
 * const counting: CreateOnceClient = { changeChat: client.changeChat, readChat: client.readChat };
 * console.log(await recordsSince(counting, 'tags', () => false));
 */
export interface CreateOnceClient {
  /**
   * Applies one change, as the method of a client does.
   *
   * @example
   * const { changeChat, readChat }: CreateOnceClient = client;
   * const { replayed } = await changeChat({ action: 'create-tags', data: { name: 'Gold', color: 'orange' } });
   * console.log(replayed, readChat);
   */
  changeChat(change: ChatChange, options?: WriteOptions): PromiseLike<ChangeOutcome>;
  /**
   * Reads records, as the method of a client does.
   *
   * @example
   * const { readChat }: CreateOnceClient = client;
   * console.log(await readChat({ resource: 'tags', limit: 1 }));
   */
  readChat(query: ChatReadInput, options?: CallOptions): Call<object>;
}

/**
 * The record to be created. Programs that give the same input get the same operation id.
 *
 * @example
 * const input: CreateOnceInput<'tags'> = { ...gold, label: 'Silver', data: { name: 'Silver', color: 'brown' } };
 * console.log(await createOperationId(input, 0));
 */
export interface CreateOnceInput<R extends ConfigurationResource = ConfigurationResource> {
  /** `organizationId` of `client.account()`. */
  readonly organizationId: string;
  readonly resource: R;
  /** The name, title or keyword in `data`, by which the record is found. */
  readonly label: string;
  /** As it is sent: references are ids. */
  readonly data: ConfigurationInputs[R];
}

/**
 * Options of `createOnce`.
 *
 * @example
 * const options: CreateOnceOptions = { maxCounters: 10, waitsMs: [100, 400] };
 * await createOnce(client, gold, options);
 */
export interface CreateOnceOptions extends CallOptions, Pick<WriteOptions, 'fingerprint'> {
  /**
   * How many operation ids to try while earlier ones turn out to be spent; default 1,000. With 1, a spent id ends in
   * `spent`.
   *
   * @example
   * const once = await createOnce(client, gold, { maxCounters: 1 }); // a plan that may be carried out once
   * console.log(once.status);
   */
  readonly maxCounters?: number | undefined;
  /**
   * Returns whether the record already existed when the caller last listed the resource. If a replayed create returns
   * such a record, it is an older one and does not count as the result. The search for another record with the label
   * starts at the newest, and stops at the first one that already existed.
   *
   * @example
   * const before = new Set((await client.tags.list().toArray()).map(({ id }) => id));
   * const { status } = await createOnce(client, gold, { isKnown: (id) => before.has(id) });
   * console.log(status);
   */
  readonly isKnown?: ((id: string) => boolean) | undefined;
  /**
   * Whether to skip an operation ID, because its outcome stays unknown and the caller has given it up.
   *
   * @example
   * const givenUp = new Set<string>(); // ids whose outcome stays unknown
   * await createOnce(client, gold, { isGivenUp: (operationId) => givenUp.has(operationId) });
   */
  readonly isGivenUp?: ((operationId: string) => boolean) | undefined;
  /**
   * Whether the caller itself read this record with this label since it was created; saves reading it again.
   *
   * @example
   * const seen = new Set([tag.id]);
   * await createOnce(client, gold, { wasSeen: (id) => seen.has(id) });
   */
  readonly wasSeen?: ((id: string) => boolean) | undefined;
  /**
   * How long to wait, in milliseconds, before asking again each time while another program may be creating the record:
   * the server answers that the operation is uncertain, or another process has it. Default: no second try.
   *
   * @example
   * await createOnce(client, gold, { waitsMs: [100, 400, 1_600] });
   */
  readonly waitsMs?: readonly number[] | undefined;
}

/**
 * The fields of a record that `createOnce()` and `recordsSince()` read.
 *
 * @example
 * const labels = (records: readonly LabeledRecord[]) => records.map(({ label }) => label);
 * console.log(labels(await recordsSince(client, 'tags', () => false)));
 */
export interface LabeledRecord extends RecordRef {
  readonly [field: string]: unknown;
}

/**
 * The result of creating a record once.
 *
 * - `created`: by this call.
 * - `existing`: an earlier call with the same input created it, perhaps on another machine, and it still has its label;
 *   or it is gone, and another record has this label and this data by now.
 * - `taken`: the earlier record is gone, and another record has the label, with other data. Nothing was created.
 * - `spent`: the records of all ids that were tried are gone or have another label. Nothing was created.
 *
 * @example
 * const show = ({ status, counter }: CreateOnceResult) => `${status}, after ${counter} spent ids`;
 * console.log(show(await createOnce(client, gold)));
 */
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

/**
 * Derives the operation id under which a record is created, the same on every machine. `counter` is the number of ids
 * with this input that are spent.
 *
 * @example
 * const data = { name: 'VIP', color: 'pink' } as const;
 * const operationId = await createOperationId({ organizationId, resource: 'tags', label: 'VIP', data }, 0);
 * console.log(operationId); // the same on every machine
 */
export function createOperationId(
  { organizationId, resource, label, data }: CreateOnceInput,
  counter: number,
): Promise<string> {
  return operationIdFrom('create', organizationId, resource, label.trim(), canonicalJson(data), counter);
}

/**
 * Creates a record under an operation id derived from what is created, so that several programs that do this at the
 * same time, also on different machines and after a crash, create one record.
 *
 * This holds for equal input, as long as the server remembers operations. It does not hold between inputs that differ
 * in `data`, nor against a program that creates a record by other means: the API has no unique labels. To notice that
 * afterwards, use `recordsSince`.
 *
 * Rejects as `changeChat` and `readChat` do. The change may be applied if a read after it fails. Call it again with the
 * same input then.
 *
 * @example
 * const { organizationId } = await client.account();
 * const data = { name: 'VIP', color: 'pink' } as const;
 * const { status } = await createOnce(client, { organizationId, resource: 'tags', label: data.name, data });
 */
export async function createOnce<R extends ConfigurationResource>(
  client: CreateOnceClient,
  input: CreateOnceInput<R>,
  {
    maxCounters = 1_000,
    isKnown = () => false,
    wasSeen = () => false,
    isGivenUp = () => false,
    waitsMs = [],
    ...call
  }: CreateOnceOptions = {},
): Promise<CreateOnceResult> {
  const { resource, label, data } = input;
  // The compiler cannot tell that a create of this resource takes its data.
  const create = { action: `create-${resource}`, data } as ChatChange;
  for (let counter = 0; ; counter++) {
    const operationId = await createOperationId(input, counter);
    if (isGivenUp(operationId)) continue;
    const change = await sendUntilCertain(
      () => client.changeChat(create, { ...call, operationId }),
      waitsMs,
      call.signal,
    );
    const tried = { operationId, counter, change };
    if (!change.replayed) return { status: 'created', ...tried };
    const id = getResultId(change.result);
    const isOurs = id !== undefined && !isKnown(id);
    if (isOurs && wasSeen(id)) return { status: 'existing', ...tried };
    const record = isOurs ? await readById(client, resource, id, call) : undefined;
    if (isSameLabel(record?.label, label)) return { status: 'existing', ...tried, record };
    // The list also proves that the record is gone: a 404 may mean that nothing can be read at the moment.
    const newer = await recordsSince(client, resource, isKnown, call);
    const other = newer.find((one) => isSameLabel(one.label, label));
    if (other !== undefined) {
      // Perhaps the record of the next operation id, which another program has created in the meantime.
      const isIt = id === undefined || other.id === id || hasRecordData(resource, other, data);
      return { status: isIt ? 'existing' : 'taken', ...tried, record: other };
    }
    if (counter + 1 >= maxCounters) return { status: 'spent', ...tried };
  }
}

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
      if (!isInProgressError(error) || (await createDeadline(ms + 1_000, signal).sleep(ms))) throw error;
    }
  }
  return send();
}

function isInProgressError(error: unknown): boolean {
  return (
    error instanceof UncertainOperationError ||
    (error instanceof ConflictError && error.code === 'OPERATION_IN_FLIGHT')
  );
}

/** The id of a record in the answer to a change, if it has one. */
function getResultId(result: unknown): string | undefined {
  const { id } = Object(result) as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** A record, or undefined if there is none with this id, or nothing can be read at the moment. */
async function readById(
  client: CreateOnceClient,
  resource: ConfigurationResource,
  id: string,
  call: CallOptions,
): Promise<LabeledRecord | undefined> {
  try {
    const answer = await client.readChat({ resource, id }, call);
    return 'record' in answer ? (answer.record as LabeledRecord) : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * Reads the records of a resource that were created since the caller last read it: newest first, up to the first that
 * `isKnown`.
 *
 * @example
 * const newer = await recordsSince(client, 'tags', (known) => known === tag.id);
 * console.log(newer.map(({ label }) => label));
 */
export async function recordsSince(
  client: Pick<CreateOnceClient, 'readChat'>,
  resource: ConfigurationResource,
  isKnown: (id: string) => boolean,
  call: CallOptions = {},
): Promise<LabeledRecord[]> {
  const read = async <A extends object>(query: object, options?: CallOptions) => {
    const page = client.readChat({ resource, ...query } as ChatReadInput, options);
    return (await page.withResponse()) as ApiResponse<unknown> as ApiResponse<A>;
  };
  const found: LabeledRecord[] = [];
  for await (const record of createOffsetList<LabeledRecord>({ read }, () => ({
    query: { resource },
    options: call,
  }))) {
    if (isKnown(record.id)) break;
    found.push(record);
  }
  return found;
}
