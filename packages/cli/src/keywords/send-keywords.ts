import type { OrgChatClient } from '@orgchat/sdk';
import { bulkTimeoutMs } from '../connection/timeouts.ts';
import type { Context } from '../context.ts';
import type { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { showProgress } from '../output/progress.ts';
import type { ImportRecord, SentRequest } from './import-record.ts';
import { findSuperseded } from './keyword-status.ts';
import { splitIntoRequests } from './read-keywords.ts';

/** Exit codes after which the next request would fail, too. */
const final: ReadonlySet<number> = new Set([exitCodes.denied, exitCodes.notFound, exitCodes.limited]);

export interface KeywordSending {
  readonly record: ImportRecord;
  readonly keywords: readonly string[];
  /** Saves the record, if it has to outlive the process. */
  readonly save: () => Promise<void>;
  /** The id of the only request, if the caller set one. */
  readonly operationId?: string | undefined;
}

/**
 * Sends keywords, 50 per request and one request at a time, and records each before and after. Returns the last
 * error, or undefined. Requests with an unknown outcome are not resent here.
 */
export async function sendKeywords(context: Context, sending: KeywordSending): Promise<CliError | undefined> {
  const { record, keywords } = sending;
  const client = await context.client();
  context.notFoundHint = `Check the site id "${record.site}" in the app. The API does not list sites.`;
  const chunks = splitIntoRequests(keywords);
  const title = `keywords of ${record.site}`;
  const progress = await showProgress(context.output, title, chunks.length > 1 ? chunks.length : 0);
  let last: CliError | undefined;
  let done = 0;
  try {
    for (const chunk of chunks) {
      if (context.interrupt.stopping) break;
      progress.update(done, chunk[0]);
      const failure = await context.interrupt.runToEnd('this request', () =>
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
  { record, save, operationId = crypto.randomUUID() }: KeywordSending,
  keywords: readonly string[],
): Promise<CliError | undefined> {
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
    const timeoutMs = context.options.timeout ?? bulkTimeoutMs;
    const { added, skipped } = await client.keywords.add(site, input, { operationId, timeoutMs });
    Object.assign(request, { state: 'added', added, skipped });
    await dropSuperseded(client, record);
    return undefined;
  } catch (error) {
    const failure = await context.toCliError(error);
    const { code, message, exit, meaning, extra } = failure;
    // A request that was not sent, or hit a limit, is removed from the record: the next run sends it.
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

/** A request whose keywords all have a later result no longer needs to be settled. */
async function dropSuperseded(client: OrgChatClient, record: ImportRecord): Promise<void> {
  for (const request of findSuperseded(record.requests)) {
    record.requests.splice(record.requests.indexOf(request), 1);
    await client.operations.forget(request.operationId);
  }
}
