import { OrgChatError } from '../errors/base.ts';
import { DeadlineError } from '../errors/no-usable-answer.ts';
import {
  ConflictError,
  createInvalidInputError,
  NotFoundError,
  StaleRevisionError,
} from '../errors/refused.ts';
import { markRepeatable } from '../errors/repeatable.ts';
import { labelFields } from '../generated/resources.ts';
import type { CallOptions } from '../options/options.ts';
import { defaults, resolveCallOptions } from '../options/resolve-options.ts';
import { hasRecordData, toComparableLabel } from '../shapes/labels.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { describeId, describeType, isObject } from '../values.ts';
import { copyInput, copyIntent } from '../write/input.ts';
import { canonicalJson, deriveOperationId } from '../write/operation-id.ts';
import { runInOrder } from '../write/run-in-order.ts';
import { type EditOptions, requireMaxAttempts } from './edit.ts';
import { findRecord, requireWithin, type Where } from './find.ts';
import {
  createRecord,
  type FoundRecord,
  type Upsert,
  type UpsertApi,
  type UpsertResult,
  updateRecord,
} from './upsert-writes.ts';

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

/** How often the record is read and written again while others change it. */
const defaultMaxAttempts = 4;
type Result<R extends ConfigurationResource> = UpsertResult<Guarded<ResourceRecords[R]>>;

/**
 * Updates the record that has the label of `data`, or creates it. If others were faster, it reads and writes again.
 *
 * A create has an id that every program derives from the same data. All updates of one intent have one operation id: one
 * that was stale had no effect, so the id is still free. If the server knows the id with other input, an earlier call
 * with the intent used it, so nothing is sent under another id. A create names the intent in its journal entry, so that
 * nothing is updated under an intent that created the record.
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
  given: ConfigurationInputs[R],
  options: UpsertOptions<R>,
  again = 'Call upsert() again',
): { readonly upsert: Upsert<R>; readonly maxAttempts: number } {
  const { by, maxAttempts = defaultMaxAttempts, operationId, acceptKnownIntent, ...rest } = { ...options };
  const { where: givenWhere, intent: givenIntent, ...call } = rest;
  requireMaxAttempts(maxAttempts);
  // It reads before it writes.
  const [data, where] = [copyInput(given), copyInput(givenWhere)];
  const intent = copyIntent(givenIntent);
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
    createFingerprint: intent && canonicalJson(['upsert', deriveOperationId(intent)]),
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
      const result = await (record ? updateRecord(upsert, record) : createRecord(upsert));
      if (result) return result;
    } catch (error) {
      // A second call finds the record.
      if (error instanceof OrgChatError && error.outcome === 'applied') markRepeatable(error);
      // Changed or deleted in the meantime.
      const isStale = error instanceof StaleRevisionError && error.outcome !== 'applied';
      const isLate = isStale || (record && error instanceof NotFoundError);
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
