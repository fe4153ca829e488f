import type { KeywordImportProgress, KeywordImportResult } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { explain } from '../error-conversion/error-hints.ts';
import { CliError } from '../errors/cli-error.ts';
import { type Progress, showProgress } from '../output/progress.ts';
import type { ImportCheckpoint } from './import-checkpoint.ts';
import type { Destination } from './import-record.ts';

export interface ImportRun {
  readonly result: KeywordImportResult;
  /** The last error of a request; undefined if nothing failed, or a signal ended the import. */
  readonly failure: CliError | undefined;
  /** The command that resends keywords with an unknown outcome. */
  readonly resendKeywords: string;
}

interface ImportSettings {
  readonly retryUnknown: boolean;
  readonly resendKeywords: string;
  readonly checkpoint?: ImportCheckpoint;
}

/** The hint if the API does not find the site. */
export const checkSiteId = (site: string): string =>
  `Check the site id "${site}" in the app. The API does not list sites.`;

/**
 * Sends keywords through the SDK. Ctrl-C lets a request finish that is on its way. Throws if the record of the import
 * cannot be saved.
 */
export async function runImport(
  context: Context,
  { site, group }: Destination,
  keywords: readonly string[],
  { retryUnknown, resendKeywords, checkpoint }: ImportSettings,
): Promise<ImportRun> {
  const client = await context.client();
  let progress: Promise<Progress> | undefined;
  const onProgress = (now: KeywordImportProgress): void => {
    const { done, total } = now.requests;
    if (progress === undefined && checkpoint !== undefined) {
      reportEarlierRuns(context, now, retryUnknown, checkpoint.startedAt());
    }
    progress ??= showProgress(context.output, `requests for ${site}`, total > 1 ? total : 0);
    void progress.then((bar) => bar.update(done, now.next));
  };
  try {
    const result = await context.interrupt.runToEnd('this request', () =>
      client.keywords.import(site, keywords, {
        group,
        checkpoint,
        retryUnknown,
        continueAfterUnknown: true,
        timeoutMs: context.bulkTimeoutMs,
        signal: context.interrupt.signal,
        onProgress,
      }),
    );
    const { error } = result;
    if (error instanceof CliError) throw error;
    const hasFailed = error !== undefined && !context.interrupt.stopping;
    const hints = { notFound: checkSiteId(site), resendKeywords };
    const failure = hasFailed ? await context.toCliError(explain(error, hints)) : undefined;
    return { result, failure, resendKeywords };
  } finally {
    (await progress)?.stop();
  }
}

/** Returns the keywords that an import would send now, and sends nothing. */
export async function planImport(
  context: Context,
  { site, group }: Destination,
  keywords: readonly string[],
  retryUnknown: boolean,
  checkpoint: ImportCheckpoint,
): Promise<string[]> {
  const client = await context.client();
  const signal = AbortSignal.abort();
  const { notSent, unknown } = await client.keywords.import(site, keywords, { group, checkpoint, signal });
  const open = new Set([...notSent, ...(retryUnknown ? unknown : [])]);
  return keywords.filter((keyword) => open.has(keyword));
}

/** Reports which keywords of the list already have a result. */
function reportEarlierRuns(
  { output }: Context,
  { total, added, skipped, unknown, notSent }: KeywordImportProgress,
  retryUnknown: boolean,
  startedAt: string,
): void {
  const sending = retryUnknown ? notSent + unknown : notSent;
  if (sending === total) return;
  const parts = [
    `Sending ${sending} of ${total} keywords`,
    ...(added + skipped > 0 ? [`${added + skipped} already have a result since ${startedAt}`] : []),
    ...(unknown > 0 && !retryUnknown ? [`${unknown} have an unknown outcome and are skipped`] : []),
  ];
  output.note(`${parts.join('; ')}.`);
}
