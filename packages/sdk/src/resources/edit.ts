import type { Answered } from '../call.ts';
import { ConflictError, StaleRevisionError } from '../errors/refused.ts';
import { operationIdFrom } from '../operation-id.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';

export interface EditOptions extends WriteOptions {
  /** How often to try in all. Default 4. */
  readonly maxTries?: number | undefined;
}

interface Guarded {
  readonly revision: string;
  readonly label: string;
}

export interface Edit<Record extends Guarded, Data> {
  readonly read: (options: CallOptions) => Promise<Record>;
  readonly write: (
    record: Record,
    data: Data,
    options: WriteOptions,
  ) => Promise<Answered<ChangeOutcome<Record>>>;
  readonly data: (record: Record) => Data;
  readonly change: (data: Data, record: Record) => Data | Promise<Data>;
}

/**
 * Whether a refused change was stale is told by evidence: the record is read again, and where its revision or label
 * is not what was sent, it was, whatever the code of the refusal.
 */
export async function edit<Record extends Guarded, Data>(
  { read, write, data, change }: Edit<Record, Data>,
  { maxTries = 4, operationId, intent, ...call }: EditOptions = {},
): Promise<Answered<ChangeOutcome<Record>>> {
  let record = await read(call);
  for (let number = 1; ; number++) {
    const edited = await change(data(record), record);
    const first = number === 1;
    // Each try is a new operation; where the caller named the first, the next are derived from it.
    const identity = {
      operationId: first || !operationId ? operationId : await operationIdFrom(operationId, number),
      intent: first || !intent ? intent : [...intent, number],
    };
    try {
      return await write(record, edited, { ...call, ...identity });
    } catch (error) {
      if (!(error instanceof ConflictError) || error.status !== 409) throw error;
      const current = await read(call);
      if (current.revision === record.revision && current.label === record.label) throw error;
      if (number >= maxTries) {
        throw new StaleRevisionError(
          `${error.message}: the record changed before each of ${number} tries`,
          { ...error, code: 'STALE_REVISION', cause: error },
          { expected: record, current, data: edited },
        );
      }
      record = current;
    }
  }
}
