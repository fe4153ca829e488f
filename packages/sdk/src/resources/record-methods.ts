import { StaleRevisionError } from '../errors/refused.ts';
import { codeMeanings } from '../generated/code-meanings.ts';
import type { ChangeableResource } from '../generated/resources.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ChangeSource } from '../pipeline/endpoints.ts';
import { type ApiResponse, type Call, startCall } from '../results/call-promise.ts';
import { containsData } from '../shapes/contains-data.ts';
import { pickData } from '../shapes/pick-data.ts';
import { requireRecord } from '../shapes/record-arguments.ts';
import { findSummaryFields } from '../shapes/record-guards.ts';
import { listDataFields } from '../shapes/record-problems.ts';
import { describeJson } from '../shapes/shape-values.ts';
import type { Guarded } from '../types.ts';
import { copyInput, copyIntent } from '../write/input.ts';
import { type ChangeCall, startChange } from '../write/require-result.ts';
import { type EditOptions, requireChange, runEdit } from './edit.ts';

/** Reading, replacing and editing records that are guarded by a revision and a label. */
export function createRecordMethods<Ref, Record extends Guarded<object>, Data>(
  api: ChatApi,
  resource: ChangeableResource,
  action: string,
  identify: (ref: Ref) => Ref & object,
) {
  const get = (ref: Ref, options?: CallOptions): Promise<ApiResponse<Record>> =>
    api.readRecord<Record>({ resource, ...identify(ref) }, options);

  /**
   * Sends a change with the guards of a record: those it was given with, or those it has now, if a list returned it
   * without guards. Throws if the record changed since the list showed it.
   */
  function guarded<I, T>(
    given: (Ref & object) | undefined,
    input: I,
    options: ChangeOptions | undefined,
    send: (record: Ref & object, input: I, options: ChangeOptions | undefined) => Promise<T>,
  ): Promise<T> {
    const row = requireRecord(given);
    const shown = findSummaryFields(row);
    if (!shown) return send(row, input, options);
    const call = options && { ...options, intent: copyIntent(options.intent) };
    const copied = copyInput(input);
    return readGuards({ ...row }, shown, call, (record) => send(record, copied, call));
  }

  /** Reads the guards of a row that has none, and sends a change with them. */
  async function readGuards<T>(
    row: Ref & object,
    shown: ReadonlySet<string>,
    options: ChangeOptions | undefined,
    send: (record: Ref & object) => Promise<T>,
  ): Promise<T> {
    // A change that is repeated was made from an earlier state, and changed the record itself.
    const earlier = await api.findEarlierGuard(options);
    if (earlier) return send({ ...row, ...earlier });
    const { signal, timeoutMs, attemptTimeoutMs, retry, headers, language } = options ?? {};
    const { data } = await get(row, { signal, timeoutMs, attemptTimeoutMs, retry, headers, language });
    const current = { ...data };
    if (showsOtherData(resource, shown, { ...(row as object) }, current))
      throw createListedBeforeError(resource, { ...row }, current);
    return send({ ...row, ...current });
  }

  const replace = async (ref: Ref, data: Data, options: ChangeOptions | undefined, source: ChangeSource) =>
    api.change<Record>({ action, ...identify(ref), data }, options, source);
  return {
    guarded,
    get: (ref: Ref, options?: CallOptions): Call<Record> => startCall(() => get(ref, options)),
    update: (given: (Ref & object) | undefined, data: Data, options?: ChangeOptions): ChangeCall<Record> =>
      startChange(() =>
        guarded(given, data, options, (record, input, call) => replace(record, input, call, { record })),
      ),
    edit: (
      given: Ref | undefined,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): ChangeCall<Record> =>
      startChange(async () => {
        requireChange(change);
        const ref = identify(requireRecord(given));
        return runEdit(
          async (call) => (await get(ref, call)).data,
          (record) => change(pickData(resource, record), record),
          (record, data, call) =>
            replace(ref, data, call, { record, isEdit: true, fingerprint: call.fingerprint }),
          options,
        );
      }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a row showed data that the record does not have now. A field of another type is not data: a count, perhaps. */
function showsOtherData(
  resource: ChangeableResource,
  shown: ReadonlySet<string>,
  row: Fields,
  current: Fields,
): boolean {
  const isComparable = (name: string): boolean => {
    const [before, now] = [describeJson(row[name]), describeJson(current[name])];
    return shown.has(name) && (before === now || before === 'null' || now === 'null');
  };
  const names = listDataFields(resource).filter(isComparable);
  return !containsData(current, Object.fromEntries(names.map((name) => [name, row[name]])));
}

function createListedBeforeError(resource: string, expected: object, current: object): StaleRevisionError {
  const message = `The record of ${resource} changed since it was listed. Nothing was sent. Read it with get() and try again.`;
  const versions = { expected, current, data: undefined };
  return new StaleRevisionError(message, {
    code: codeMeanings.staleRevision.code,
    meaning: 'staleRevision',
    operation: 'readChat',
    versions,
  });
}
