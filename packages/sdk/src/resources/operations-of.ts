import type { Answered } from '../call-promise.ts';
import type { Derived } from '../operation.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';

/** What resource objects need of a client. The shape of answers is theirs to know. */
export interface Operations {
  read<A extends object>(query: object, options?: CallOptions): Promise<Answered<A>>;
  /** `from` is the record whose revision and label travel along; those are `derived` then, if nothing else is. */
  change<R>(
    change: { readonly action: string; readonly [field: string]: unknown },
    options?: WriteOptions,
    from?: { readonly revision: string; readonly label: string },
    derived?: Derived,
  ): Promise<Answered<ChangeOutcome<R>>>;
}
