import type { Answered } from '../call.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';

/** What resource objects need of a client. The shape of answers is theirs to know. */
export interface Operations {
  read<A extends object>(query: object, options: CallOptions): Promise<Answered<A>>;
  /** `derived` names fields the caller did not give; `from` is the record whose revision and label travel along. */
  change<R>(
    change: { readonly action: string; readonly [field: string]: unknown },
    options?: WriteOptions,
    derived?: readonly string[],
    from?: { readonly revision: string; readonly label: string },
  ): Promise<Answered<ChangeOutcome<R>>>;
}
