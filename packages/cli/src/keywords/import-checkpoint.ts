import type { KeywordImportCheckpoint, KeywordRequest } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { createRecord, type Destination, type ImportRecord } from './import-record.ts';
import type { ImportStore } from './import-store.ts';

/** How an import treats what earlier imports sent. */
export interface ImportMode {
  readonly resume?: true;
  readonly retryUnknown?: true;
  readonly restart?: true;
}

/** The record of a site and group, in the form in which the SDK reads and writes it. */
export interface ImportCheckpoint extends KeywordImportCheckpoint {
  /** When the import began that the record is about. */
  startedAt(): string;
  /** Saves the requests of an import that has ended, and whether every keyword of the list has a result. */
  finish(requests: readonly KeywordRequest[], isFinished: boolean): Promise<void>;
}

/**
 * Creates the checkpoint of an import. A finished import starts again, unless it is resumed. A
 * start from the beginning leaves out what earlier runs added, and keeps all other requests. `save` writes the record.
 */
export function createImportCheckpoint(
  context: Context,
  store: ImportStore,
  destination: Destination,
  { resume, retryUnknown, restart }: ImportMode,
  save: (record: ImportRecord) => Promise<void>,
): ImportCheckpoint {
  let record = createRecord(destination);
  async function storeRequests(sent: readonly KeywordRequest[], finished: boolean): Promise<void> {
    const requests = await Promise.all(sent.map((request) => toStoredRequest(context, request)));
    record = { ...record, requests, finished };
    await save(record);
  }
  return {
    startedAt: () => record.startedAt,
    async read() {
      const earlier = await store.read();
      if (earlier === undefined) return undefined;
      const startsAgain = restart === true || (earlier.finished && !resume && !retryUnknown);
      if (!startsAgain) record = { ...record, startedAt: earlier.startedAt };
      return startsAgain ? leaveOutAnswers(earlier.requests) : earlier.requests;
    },
    async write(requests) {
      // An outcome is in the journal already. The next write stores it in the record, too.
      if (store.hasSharedJournal && requests.at(-1)?.state !== 'sending') return;
      await storeRequests(requests, false);
    },
    finish: storeRequests,
  };
}

/** Leaves out the keywords that have an answer, also those of a request that was answered in part. */
function leaveOutAnswers(requests: readonly KeywordRequest[]): KeywordRequest[] {
  const open = requests.filter(({ state }) => state !== 'added');
  return open.map(({ added, skipped, ...request }) => {
    const keywords = request.keywords.filter((one) => !added.includes(one) && !skipped.includes(one));
    return { ...request, keywords, added: [], skipped: [] };
  });
}

/** Replaces the error of the SDK in a request by the text of the command. */
export async function toStoredRequest(context: Context, request: KeywordRequest): Promise<KeywordRequest> {
  if (!(request.error instanceof Error)) return request;
  const { code, message, extra } = await context.toCliError(request.error);
  const reason = typeof extra.reason === 'string' ? extra.reason : undefined;
  return { ...request, error: { code, message, reason } };
}
