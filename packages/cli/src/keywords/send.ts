import type { OperationState, OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Failure } from '../failure.ts';
import { toFailure } from '../failures.ts';
import { patientMs } from '../lists.ts';
import { showProgress } from '../progress.ts';
import type { Chunk, ImportState } from './import-state.ts';

/** Refusals after which the next chunk would be refused as well. */
const final: ReadonlySet<number> = new Set([exitCodes.denied, exitCodes.notFound, exitCodes.limited]);

/**
 * Sends the chunks that are to be sent, one after the other, and keeps what became of each before and after.
 * Returns what went wrong last, or undefined. A chunk whose outcome is unknown is not sent again here.
 */
export async function sendChunks(
  context: Context,
  state: ImportState,
  save: () => Promise<void>,
  operationId?: string,
): Promise<Failure | undefined> {
  const client = await context.client();
  const waiting = state.chunks.filter((chunk) => chunk.state === 'todo');
  const progress = await showProgress(
    context.output,
    `keywords of ${state.site}`,
    waiting.length > 1 ? state.chunks.length : 0,
  );
  let done = state.chunks.length - waiting.length;
  let last: Failure | undefined;
  try {
    for (const chunk of waiting) {
      if (context.interrupt.stopping) break;
      progress.update(done, chunk.keywords[0]);
      const failure = await context.interrupt.finish('this chunk', () =>
        sendChunk(context, client, state, chunk, save, operationId),
      );
      progress.update(++done);
      last = failure ?? last;
      if (failure !== undefined && final.has(failure.exit)) break;
    }
    return last;
  } finally {
    progress.stop();
  }
}

async function sendChunk(
  context: Context,
  client: OrgChatClient,
  { site, group }: ImportState,
  chunk: Chunk,
  save: () => Promise<void>,
  given: string | undefined,
): Promise<Failure | undefined> {
  chunk.state = 'sending';
  // One that was given names the intent, also when the command is run again; else each sending is one of its own.
  chunk.operationId = given ?? crypto.randomUUID();
  delete chunk.error;
  await save();
  try {
    const { operationId } = chunk;
    const input = { keywords: chunk.keywords, ...(group !== undefined && { group }) };
    const timeoutMs = context.options.timeout ?? patientMs;
    const { added, skipped } = await client.keywords.add(site, input, { operationId, timeoutMs });
    Object.assign(chunk, { state: 'added', added, skipped });
    return undefined;
  } catch (error) {
    const failure = await toFailure(error);
    const { code, message, exit } = failure;
    // What provably never left, or has to wait, is still to be sent; any other refusal is one.
    const unsent = exit === exitCodes.limited && code !== 'KEYWORD_LIMIT_EXCEEDED';
    const refused = unsent || exit === exitCodes.failed ? 'todo' : 'refused';
    Object.assign(chunk, {
      state: exit === exitCodes.unknown ? 'unknown' : refused,
      error: { code, message },
    });
    return failure;
  } finally {
    await save();
  }
}

/** What the journal says of a chunk that a dead process was sending. */
export async function settleInterrupted(client: OrgChatClient, state: ImportState): Promise<void> {
  const sending = state.chunks.filter((chunk) => chunk.state === 'sending');
  if (sending.length === 0) return;
  const states = new Map<string, OperationState>();
  for (const entry of await client.operations.list()) states.set(entry.operationId, entry.state);
  for (const chunk of sending) {
    const known = states.get(chunk.operationId ?? '');
    // Without an entry it was never sent: the journal is written first.
    if (known === undefined || known === 'abandoned' || known === 'refused') chunk.state = 'todo';
    else chunk.state = known === 'applied' ? 'added' : 'unknown';
  }
}
