import { Refusal } from '../refusal.ts';
import type { Entry } from '../store/entry.ts';

/** Revision and label must be those of the record as it is now: otherwise 409 (clause 6.3, D56). */
export function guard(
  entry: Entry,
  { expectedRevision, expectedLabel }: { expectedRevision: string; expectedLabel: string },
): void {
  if (entry.revision !== expectedRevision || entry.label !== expectedLabel)
    throw new Refusal('STALE_REVISION');
}
