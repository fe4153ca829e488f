import type { Redactor } from '../errors/redact.ts';
import { type Emit, emitUnwritten } from '../events/emitter.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import type { CallEnd, Deadline } from '../timing/deadline.ts';
import { leastRecordMs } from './call-journal.ts';
import { explainInFlight } from './operation.ts';

/** What renewing a hold needs of the client of a call. */
interface HoldingClient {
  readonly journal: Journal;
  readonly emit: Emit;
  readonly redactor: Redactor;
}

/** A call that has the entry. */
interface HoldingCall {
  readonly client: HoldingClient;
  readonly deadline: Pick<Deadline, 'sleep' | 'end'>;
  readonly isSending?: boolean | undefined;
}

/**
 * Extends the hold of an entry that this call has. Ends the call if another call took the entry since, also if the journal
 * says so late. If the journal fails, or does not answer while the call may wait for it, the call continues: its request
 * is still not sent.
 */
export async function renewHold(
  call: HoldingCall,
  entry: JournalEntry,
  until: Date,
  waitMs: number,
): Promise<void> {
  const { client, deadline } = call;
  let isAnswered = false;
  const renewal = renew(client, entry, until).then((lost) => {
    isAnswered = true;
    // A request on its way is not cut off: its answer says more.
    if (lost && !call.isSending) deadline.end(lost);
  });
  const callEnd = await deadline.sleep(Math.max(waitMs, leastRecordMs), renewal);
  if (!isAnswered && callEnd?.code !== 'ABORTED')
    emitUnwritten(client, entry.operationId, 'The journal did not answer in time.');
}

async function renew(client: HoldingClient, entry: JournalEntry, until: Date): Promise<CallEnd | undefined> {
  // An entry of format 1 has no token; it was given one when it was claimed.
  const { token, operationId } = entry;
  if (token === undefined) return undefined;
  const stopBecause = (why: string, retryAt?: Date): CallEnd => ({
    code: 'OPERATION_IN_FLIGHT',
    detail: `Operation ${operationId} ${why}.`,
    retryAt,
  });
  try {
    const claim = await client.journal.claim(entry, { token, deadline: until.toISOString() });
    // The entry was removed by `forget()`. Nothing is left to hold, so the call continues.
    if (!claim) return undefined;
    if (!claim.entry) {
      const { why, retryAt } = explainInFlight(claim.heldUntil);
      return stopBecause(why, retryAt);
    }
    const { state, attempts } = claim.entry;
    if (state === entry.state && attempts === entry.attempts) return undefined;
    // Another call took the entry and settled it. This one now holds it again, and must not overwrite that.
    await client.journal.settle(claim.entry);
    return stopBecause('was settled by another call in the meantime. Make the call again');
  } catch (cause) {
    emitUnwritten(client, operationId, cause);
    return undefined;
  }
}
