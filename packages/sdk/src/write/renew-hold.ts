import type { Redactor } from '../errors/redact.ts';
import { type Emit, emitUnwritten } from '../events/emitter.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import { type CallEnd, type Deadline, dateAfter } from '../timing/deadline.ts';
import { leastRecordMs } from './call-journal.ts';
import { explainInFlight } from './operation.ts';

/** What renewing a hold needs of the client of a call. */
interface HoldingClient {
  readonly journal: Journal;
  readonly emit: Emit;
  readonly redactor: Redactor;
}

/** A call that may have an entry. */
interface HoldingCall {
  readonly client: HoldingClient;
  readonly deadline: Pick<Deadline, 'sleep' | 'end' | 'endsAt' | 'coversPacing'>;
  readonly operation?: { readonly entry: JournalEntry } | undefined;
  readonly isSending?: boolean | undefined;
  /** Until when the entry is held, in milliseconds since the epoch, once its hold was extended. */
  heldUntil?: number;
}

/** An end of the call that is later than its hold by less than this is within the grace of the hold, in milliseconds. */
const slackMs = 1_000;

/**
 * Holds the entry of a write until the call ends at the latest, if it waits this long for a slot of the pacing: the deadline
 * does not count such waits, so they may be longer than the hold. Does nothing if the hold is long enough.
 *
 * Ends the call if another call took the entry since, also if the journal says so late. If the journal fails, or does not
 * answer within `journalMs` and a moment, the call continues: its request is still not sent.
 */
export async function keepHold(call: HoldingCall, waitMs: number, journalMs = waitMs): Promise<void> {
  const { client, deadline, operation } = call;
  if (!operation || deadline.coversPacing) return;
  const { entry } = operation;
  const until = dateAfter(deadline.endsAt - performance.now() + waitMs);
  if (until.getTime() <= (call.heldUntil ?? Date.parse(entry.deadline)) + slackMs) return;
  call.heldUntil = until.getTime();
  let isAnswered = false;
  const renewal = renew(client, entry, until).then((lost) => {
    isAnswered = true;
    // A request on its way is not cut off: its answer says more.
    if (lost && !call.isSending) deadline.end(lost);
  });
  const callEnd = await deadline.sleep(Math.max(journalMs, leastRecordMs), renewal);
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
