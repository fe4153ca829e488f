import type { Answered } from '../call-promise.ts';
import { ConflictError, invalidInput, StaleRevisionError } from '../errors/refused.ts';
import { deriveOperationId } from '../operation-id.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';

/** Options of an edit. */
export interface EditOptions extends WriteOptions {
  /** How often to try in all. Default 4. */
  readonly maxTries?: number | undefined;
  /** An edit has none of its own: each try is a new operation. Give `intent`, from which one is derived for each. */
  readonly operationId?: undefined;
}

interface Guarded {
  readonly revision: string;
  readonly label: string;
}

/**
 * Reads, makes `data` of what was read, and writes it. Whether a refused change was stale is told by evidence: the
 * record is read again, and where its revision or label is not what was sent, it was, whatever the code of the
 * refusal.
 */
export async function edit<Record extends Guarded, Data>(
  read: (options: CallOptions) => Promise<Record>,
  dataFor: (record: Record) => Data | Promise<Data>,
  write: (record: Record, data: Data, options: WriteOptions) => Promise<Answered<ChangeOutcome<Record>>>,
  { maxTries = 4, operationId, intent, ...call }: EditOptions = {},
): Promise<Answered<ChangeOutcome<Record>>> {
  if (operationId) throw invalidInput('give intent, not operationId');
  let record = await read(call);
  for (let number = 1, tries = 0; ; number++) {
    const data = await dataFor(record);
    try {
      return await write(record, data, {
        ...call,
        intent: intent && [deriveOperationId(intent), number],
      });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // Without a message it was refused in an earlier run of this intent, which came as far as that.
      if (!error.message) continue;
      // Without a status it was refused here.
      if (!error.status || error.code === 'INPUT_CONFLICT') throw error;
      const current = await read(call);
      if (
        error.code !== 'STALE_REVISION' &&
        current.revision === record.revision &&
        current.label === record.label
      ) {
        throw error;
      }
      if (!(++tries < maxTries)) {
        throw new StaleRevisionError(error.message, {
          ...error,
          code: 'STALE_REVISION',
          cause: error,
          versions: { expected: record, current, data },
        });
      }
      record = current;
    }
  }
}
