import type { Answered } from '../call-promise.ts';
import { invalidInput, SpentTryError, StaleRevisionError } from '../errors/refused.ts';
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
 * Reads a record, makes `data` of it, and writes that. If the change was stale, it continues from the record as it is
 * now: as the evidence of the refusal has it, else as it is read again.
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
      if (error instanceof SpentTryError) continue;
      if (!(error instanceof StaleRevisionError)) throw error;
      // What was read as evidence is the same record by the same read.
      const current = (error.versions?.current as Record | undefined) ?? (await read(call));
      if (!(++tries < maxTries)) {
        const versions = { expected: record, current, data };
        throw new StaleRevisionError(error.message, { ...error, cause: error, versions });
      }
      record = current;
    }
  }
}
