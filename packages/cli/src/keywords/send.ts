import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Failure } from '../failure.ts';
import { patientMs } from '../lists.ts';
import { showProgress } from '../progress.ts';
import { chunksOf } from './read.ts';
import type { ImportRecord, SentRequest } from './record.ts';
import { outlived } from './standing.ts';

/** Refusals after which the next request would be refused as well. */
const final: ReadonlySet<number> = new Set([exitCodes.denied, exitCodes.notFound, exitCodes.limited]);

export interface Sending {
  readonly record: ImportRecord;
  readonly keywords: readonly string[];
  /** Keeps the record, where it is to outlive the process. */
  readonly save: () => Promise<void>;
  /** The id of the one request there is, where the caller gave one. */
  readonly operationId?: string | undefined;
}

/**
 * Sends keywords, fifty a request and one request after the other, and records each before and after. Returns what
 * went wrong last, or undefined. What has an unknown outcome is not sent again here.
 */
export async function sendKeywords(context: Context, sending: Sending): Promise<Failure | undefined> {
  const { record, keywords } = sending;
  const client = await context.client();
  context.notFoundHint = `Check the id of the site, "${record.site}", in the app; the API lists no sites.`;
  const chunks = chunksOf(keywords);
  const title = `keywords of ${record.site}`;
  const progress = await showProgress(context.output, title, chunks.length > 1 ? chunks.length : 0);
  let last: Failure | undefined;
  let done = 0;
  try {
    for (const chunk of chunks) {
      if (context.interrupt.stopping) break;
      progress.update(done, chunk[0]);
      const failure = await context.interrupt.finish('this request', () =>
        sendChunk(context, client, sending, chunk),
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
  { record, save, operationId = crypto.randomUUID() }: Sending,
  keywords: readonly string[],
): Promise<Failure | undefined> {
  const request: SentRequest = {
    operationId,
    keywords: [...keywords],
    state: 'sending',
    added: [],
    skipped: [],
  };
  record.requests.push(request);
  await save();
  try {
    const { site, group } = record;
    const input = { keywords: request.keywords, ...(group !== undefined && { group }) };
    const timeoutMs = context.options.timeout ?? patientMs;
    const { added, skipped } = await client.keywords.add(site, input, { operationId, timeoutMs });
    Object.assign(request, { state: 'added', added, skipped });
    await dropOutlived(client, record);
    return undefined;
  } catch (error) {
    const failure = await context.toFailure(error);
    const { code, message, exit, meaning, extra } = failure;
    // What provably never left, or has to wait, is as if it had not been tried.
    const unsent =
      meaning !== 'keywordLimitExceeded' && (exit === exitCodes.limited || exit === exitCodes.failed);
    if (unsent) record.requests.splice(record.requests.indexOf(request), 1);
    const state = exit === exitCodes.unknown ? 'unknown' : 'refused';
    const reason = typeof extra.reason === 'string' ? extra.reason : undefined;
    Object.assign(request, { state, error: { code, message, reason } });
    return failure;
  } finally {
    await save();
  }
}

/** Nobody has to ask any more what became of a request whose keywords were all answered for since. */
async function dropOutlived(client: OrgChatClient, record: ImportRecord): Promise<void> {
  for (const request of outlived(record.requests)) {
    record.requests.splice(record.requests.indexOf(request), 1);
    await client.operations.forget(request.operationId);
  }
}
