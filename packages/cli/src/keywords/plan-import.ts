import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { createRecord, type Destination, type ImportRecord, readRecord } from './import-record.ts';
import { getKeywordStatus } from './keyword-status.ts';
import type { KeywordList } from './read-keywords.ts';
import { addJournalState } from './update-from-journal.ts';

export interface ImportMode {
  readonly resume?: true;
  readonly retryUnknown?: true;
  readonly restart?: true;
}

/** An import to a site and group that earlier imports may have used. */
export interface PlannedImport {
  readonly record: ImportRecord;
  readonly keywords: readonly string[];
}

/**
 * Plans what a run has to send: keywords without a result from an earlier run. A finished import starts again, unless
 * it is resumed. Keywords with an unknown outcome are skipped, unless `retryUnknown` is set.
 */
export async function planImport(
  client: OrgChatClient,
  path: string,
  destination: Destination,
  list: KeywordList,
  { resume, retryUnknown, restart }: ImportMode,
): Promise<PlannedImport> {
  const earlier = await readRecord(path);
  const startsAgain =
    earlier === undefined || restart === true || (earlier.finished && !resume && !retryUnknown);
  const sent = await addJournalState(client, destination, earlier?.requests ?? []);
  const requests = sent.filter(({ state }) => state !== 'refused' && !(startsAgain && state === 'added'));
  const { startedAt } = startsAgain ? createRecord(destination) : earlier;
  const record = { ...createRecord(destination), startedAt, requests };
  const { open, unknown } = getKeywordStatus(list.keywords, requests);
  const again = new Set(retryUnknown ? unknown.flatMap(({ keywords }) => keywords) : []);
  const keywordsToSend = new Set([...open, ...again]);
  return { record, keywords: list.keywords.filter((keyword) => keywordsToSend.has(keyword)) };
}

/** Reports which keywords of the list already have a result. */
export function reportEarlierRuns(
  context: Context,
  { record, keywords }: PlannedImport,
  list: KeywordList,
): void {
  const before = list.keywords.length - keywords.length;
  if (before === 0) return;
  const { unknown } = getKeywordStatus(list.keywords, record.requests);
  const skipped = unknown.flatMap((request) => request.keywords).filter((one) => !keywords.includes(one));
  const parts = [
    `Sending ${keywords.length} of ${list.keywords.length} keywords`,
    ...(before > skipped.length
      ? [`${before - skipped.length} already have a result since ${record.startedAt}`]
      : []),
    ...(skipped.length > 0 ? [`${skipped.length} have an unknown outcome and are skipped`] : []),
  ];
  context.output.note(`${parts.join('; ')}.`);
}
