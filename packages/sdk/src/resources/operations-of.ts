import type { Answered } from '../call.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';

/** What resource objects need of a client. The shape of answers is theirs to know. */
export interface Operations {
  read<A extends object>(query: object, options: CallOptions): Promise<Answered<A>>;
  /** The change is made inside, so that a mistake in it rejects as everything else does. */
  change<R>(
    change: () => { readonly action: string },
    options: WriteOptions,
    derived?: readonly string[],
  ): Promise<Answered<ChangeOutcome<R>>>;
}
