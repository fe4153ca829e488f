import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { withJournal } from './journaled.ts';
import type { KeywordList } from './read.ts';
import { type Destination, type ImportRecord, newRecord, readRecord } from './record.ts';
import { standingOf } from './standing.ts';

export interface ImportMode {
  readonly resume?: true;
  readonly retryUnknown?: true;
  readonly restart?: true;
}

/** An import of a list to a place where others may have gone before it. */
export interface PlannedImport {
  readonly record: ImportRecord;
  readonly keywords: readonly string[];
}

/**
 * What a run has to send: what no earlier run has an answer for. One that was finished is begun anew, unless it is
 * to be resumed. What may have been added is left out in every case but the one in which it is asked for.
 */
export async function planImport(
  client: OrgChatClient,
  path: string,
  place: Destination,
  list: KeywordList,
  { resume, retryUnknown, restart }: ImportMode,
): Promise<PlannedImport> {
  const earlier = await readRecord(path);
  const anew = earlier === undefined || restart === true || (earlier.finished && !resume && !retryUnknown);
  const sent = await withJournal(client, place, earlier?.requests ?? []);
  const requests = sent.filter(({ state }) => state !== 'refused' && !(anew && state === 'added'));
  const { startedAt } = anew ? newRecord(place) : earlier;
  const record = { ...newRecord(place), startedAt, requests };
  const { open, unknown } = standingOf(list.keywords, requests);
  const again = new Set(retryUnknown ? unknown.flatMap(({ keywords }) => keywords) : []);
  const wanted = new Set([...open, ...again]);
  return { record, keywords: list.keywords.filter((keyword) => wanted.has(keyword)) };
}

/** Says what of the list was settled before, where anything was. */
export function tellEarlier(context: Context, { record, keywords }: PlannedImport, list: KeywordList): void {
  const before = list.keywords.length - keywords.length;
  if (before === 0) return;
  const { unknown } = standingOf(list.keywords, record.requests);
  const held = unknown.flatMap((request) => request.keywords).filter((one) => !keywords.includes(one));
  const parts = [
    `${keywords.length} of ${list.keywords.length} keywords are to be sent`,
    ...(before > held.length ? [`${before - held.length} were answered for since ${record.startedAt}`] : []),
    ...(held.length > 0 ? [`${held.length} may have been added and are left out`] : []),
  ];
  context.output.note(`${parts.join('; ')}.`);
}
