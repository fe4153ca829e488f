import { createTimeLeft } from '../bulk/bulk-time-left.ts';
import type { ClientContext } from '../client-context.ts';
import { OrgChatError } from '../errors/base.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { endWaitsOnly } from '../options/internal-options.ts';
import { addSeoKeywords, toKeywordPath } from '../pipeline/keyword-writes.ts';
import { withTimedJournal } from '../write/call-journal.ts';
import { deriveOperationId } from '../write/operation-id.ts';
import { joinRuns } from '../write/run-in-order.ts';
import { createImportLedger, type ImportLedger } from './import-ledger.ts';
import {
  type ImportSettings,
  type KeywordImportOptions,
  type KeywordImportResult,
  type KeywordImportRunOptions,
  requireResumeOptions,
  resolveImportOptions,
} from './import-options.ts';
import { addJournalRequests } from './journal-requests.ts';
import { createKeywordList, type KeywordList, splitIntoRequests } from './keyword-list.ts';
import { type KeywordRequest, requireRequests, toAnsweredRequest } from './keyword-requests.ts';
import { createAbortedError, readSource } from './read-source.ts';
import { endSupersededRequests, updateUnknownRequests } from './unknown-requests.ts';

/** What an import works with, in all of its runs. */
interface Import {
  readonly client: ClientContext;
  readonly siteId: string;
  readonly settings: ImportSettings;
  readonly list: KeywordList;
  readonly ledger: ImportLedger;
  /** The ids that the journal has or had. */
  readonly recorded: Set<string>;
}

/**
 * Adds many keywords to a site, one request after the other. Rejects only before the first request: if an argument is
 * wrong, or if the source, the journal or the checkpoint fails.
 */
export async function importKeywords(
  client: ClientContext,
  siteId: string,
  source: Iterable<string> | AsyncIterable<string>,
  options: KeywordImportOptions = {},
): Promise<KeywordImportResult> {
  const settings = resolveImportOptions(client, options);
  const path = toKeywordPath(siteId);
  const list = createKeywordList(await readSource(source, options.signal));
  if (!settings.skipInvalid) requireValid(list);
  const stored = requireRequests((await settings.checkpoint?.read()) ?? [], siteId, settings.group);
  const destination = { siteId, path, group: settings.group };
  const { requests, recorded } = await addJournalRequests(
    withTimedJournal(client, settings.call.timeoutMs, options.signal),
    destination,
    stored,
  );
  const ledger = createImportLedger(list.keywords, requests);
  const start = joinRuns(async (given: KeywordImportRunOptions, isResumed: boolean) => {
    const timed = withTimedJournal(client, settings.call.timeoutMs, given.signal);
    if (isResumed) await updateUnknownRequests(timed, ledger, recorded);
    return runImport({ client, siteId, settings, list, ledger, recorded }, given, resume);
  });

  async function resume(given: KeywordImportRunOptions = {}): Promise<KeywordImportResult> {
    requireResumeOptions(given);
    const { onProgress, retryUnknown, continueAfterUnknown } = options;
    return start({ onProgress, retryUnknown, continueAfterUnknown, ...given }, true);
  }

  return start(options, false);
}

function requireValid({ invalid }: KeywordList): void {
  const [first] = invalid;
  if (!first) return;
  const more = invalid.length > 1 ? `, and ${invalid.length - 1} more cannot be used` : '';
  const advice = 'Nothing was sent. Correct them, or pass skipInvalid to leave them out.';
  throw createInvalidInputError(`Keyword ${first.index} is ${first.reason}${more}. ${advice}`);
}

/** Sends what has no outcome yet. */
async function runImport(
  imported: Import,
  run: KeywordImportRunOptions,
  resume: KeywordImportResult['resume'],
): Promise<KeywordImportResult> {
  const { client, list, ledger, settings } = imported;
  const { signal, onProgress, retryUnknown = false, continueAfterUnknown = false } = run;
  const timeLeft = createTimeLeft(client, 1);
  ledger.forgetRefusals();
  const chunks = planRequests(imported, retryUnknown);
  let done = 0;
  let error: unknown;

  function report(): void {
    const remainingMs = timeLeft.estimate(chunks.length - done);
    const total = list.keywords.length;
    try {
      const requests = { done, total: chunks.length };
      onProgress?.({ total, ...ledger.counts, requests, next: chunks[done]?.[0], remainingMs });
    } catch {
      // A callback that throws does not affect the result.
    }
  }

  report();
  try {
    for (const keywords of chunks) {
      if (signal?.aborted) throw createAbortedError('What was not sent is in notSent.', signal.reason);
      const end = timeLeft.begin();
      const failure = await sendRequest(imported, keywords, signal);
      end();
      done++;
      report();
      error = failure ?? error;
      if (failure && !mayContinue(failure, continueAfterUnknown)) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  return {
    added: ledger.select('added'),
    skipped: ledger.select('skipped'),
    unknown: ledger.select('unknown'),
    refused: ledger.select('refused'),
    notSent: ledger.select('notSent'),
    duplicates: list.duplicates,
    invalid: settings.skipInvalid ? list.invalid : [],
    requests: ledger.requests,
    error,
    resume,
  };
}

/** Returns the keywords of each request of a run. */
function planRequests({ list, ledger, settings }: Import, retryUnknown: boolean): string[][] {
  const open = new Set(ledger.select('notSent', ...(retryUnknown ? (['unknown'] as const) : [])));
  const isOpen = (keyword: string): boolean => open.has(keyword);
  if (!settings.intent) return splitIntoRequests(list.keywords.filter(isOpen));
  // The id of a request depends on its keywords, so a rerun has to split the list in the same way.
  const requests = splitIntoRequests(list.keywords).map((keywords) => keywords.filter(isOpen));
  return requests.filter(({ length }) => length > 0);
}

/**
 * Sends one request and records its outcome. Returns the error of the request. Throws what the checkpoint throws; then
 * nothing was sent, or its outcome is recorded here and not in the checkpoint.
 */
async function sendRequest(
  { client, siteId, settings, ledger, recorded }: Import,
  keywords: readonly string[],
  signal: AbortSignal | undefined,
): Promise<OrgChatError | undefined> {
  const { group, checkpoint, call } = settings;
  const save = async (): Promise<void> => checkpoint?.write(ledger.requests);
  const operationId = createRequestId({ siteId, settings, ledger }, keywords);
  const request: KeywordRequest = {
    operationId,
    siteId,
    group,
    keywords,
    state: 'sending',
    added: [],
    skipped: [],
  };
  ledger.record(request);
  try {
    await save();
  } catch (error) {
    ledger.remove(operationId);
    throw error;
  }
  const failure = await sendAndRecord();
  await save();
  return failure;

  async function sendAndRecord(): Promise<OrgChatError | undefined> {
    try {
      const input = JSON.stringify({ keywords, group });
      const { data } = await addSeoKeywords(client, siteId, input, {
        ...call,
        ...endWaitsOnly(signal),
        operationId,
        // A request of another process is reported, and the next one can be sent.
        waitForOther: false,
      });
      const answered = toAnsweredRequest(request, data);
      ledger.record(answered);
      await endSupersededRequests(
        withTimedJournal(client, call.timeoutMs),
        ledger,
        settings.intent !== undefined,
      );
      return answered.error instanceof OrgChatError ? answered.error : undefined;
    } catch (error) {
      if (!(error instanceof OrgChatError)) {
        ledger.record({ ...request, state: 'unknown' });
        throw error;
      }
      const state = findState(error);
      if (state === 'unknown') recorded.add(operationId);
      if (state) ledger.record({ ...request, state, error });
      else ledger.remove(operationId);
      return error;
    }
  }
}

/** Derives the id of a request from the intent, if there is one. */
function createRequestId(
  { siteId, settings, ledger }: Pick<Import, 'siteId' | 'settings' | 'ledger'>,
  keywords: readonly string[],
): string {
  const { intent, group = null } = settings;
  // The id of a request with an unknown outcome cannot be used again.
  const isRepeated = keywords.some((keyword) => ledger.getStatus(keyword) === 'unknown');
  if (!intent || isRepeated) return crypto.randomUUID();
  return deriveOperationId(['keywords.import', intent, siteId, group, keywords]);
}

/** What an error says about the request; undefined if the request was not sent, or hit a limit on requests. */
function findState(error: OrgChatError): 'unknown' | 'refused' | undefined {
  if (error instanceof OutcomeUnknownError) return 'unknown';
  const { status = 0, code } = error;
  // Another process sends it at this moment.
  if (status === 0 && code === 'OPERATION_IN_FLIGHT') return 'unknown';
  return status >= 400 && status !== 429 ? 'refused' : undefined;
}

/** Whether the next request may fare better than one that failed. */
function mayContinue(error: OrgChatError, continueAfterUnknown: boolean): boolean {
  if (findState(error) === 'unknown') return continueAfterUnknown;
  // Only these keywords are not allowed. Any other refusal is about the site, the key or a limit.
  return error.status === 400 && error.meaning !== 'keywordLimitExceeded';
}
