import type { dataFields } from '../generated/resources.ts';
import type { ChangeOutcome } from '../operations/change-outcome.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import { type ApiResponse, type Call, startCall } from '../pipeline/call-promise.ts';
import type { ChangeSource, ChatApi } from '../pipeline/endpoints.ts';
import { requireRecordAnswer } from '../pipeline/response-shapes.ts';
import type { RecordRef } from '../types.ts';
import { type EditOptions, requireChange, runEdit } from './edit.ts';
import { pickData } from './pick-data.ts';
import { requireRecord } from './record-arguments.ts';

type RecordGuard = Omit<RecordRef, 'id'>;

/** Reading, replacing and editing records that are guarded by a revision and a label. */
export function createRecordMethods<Ref, Record extends RecordGuard, Data>(
  api: ChatApi,
  resource: keyof typeof dataFields,
  action: string,
  identify: (ref: Ref) => object,
) {
  const get = async (ref: Ref, options?: CallOptions): Promise<ApiResponse<Record>> => {
    const answer = await api.read<{ record: Record }>({ resource, ...identify(ref) }, options);
    return requireRecordAnswer('readChat', resource, answer);
  };
  const replace = async (ref: Ref, data: Data, options: ChangeOptions | undefined, source: ChangeSource) =>
    api.change<Record>({ action, ...identify(ref), data }, options, source);
  return {
    get: (ref: Ref, options?: CallOptions): Call<Record> => startCall(() => get(ref, options)),
    update: (
      given: (Ref & RecordGuard) | undefined,
      data: Data,
      options?: ChangeOptions,
    ): Call<ChangeOutcome<Record>> =>
      startCall(() => {
        const record = requireRecord(given);
        return replace(record, data, options, { record });
      }),
    edit: (
      given: Ref | undefined,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): Call<ChangeOutcome<Record>> =>
      startCall(async () => {
        const ref = requireRecord(given);
        requireChange(change);
        return runEdit(
          async (call) => (await get(ref, call)).data,
          (record) => change(pickData(resource, record), record),
          (record, data, call) => replace(ref, data, call, { record, isEdit: true }),
          options,
        );
      }),
  };
}
