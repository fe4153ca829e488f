import type { ClientContext } from '../client-context.ts';
import { createUnusableEntryError } from '../errors/create-errors.ts';
import { requireDecrypted } from '../journal/encrypted/stored-body.ts';
import { isOpen } from '../journal/entries.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { readPages } from '../journal/read-pages.ts';
import { parseInput } from '../write/operation.ts';
import { type KeywordRequest, toAnsweredRequest } from './keyword-requests.ts';

/** Where keywords are sent to. */
export interface KeywordDestination {
  readonly siteId: string;
  readonly path: string;
  readonly group: string | undefined;
}

/** Returns a group as the server stores it; undefined for no group. */
export function normalizeGroup(group: unknown): string | undefined {
  return typeof group === 'string' ? group.trim() || undefined : undefined;
}

/** Returns the keywords that an entry sent to a destination; undefined if it is another write. */
function findKeywords(entry: JournalEntry, { path, group }: KeywordDestination): string[] | undefined {
  if (entry.kind !== 'keywords' || entry.path !== path) return undefined;
  // Its keywords cannot be left out.
  requireDecrypted(entry);
  const sent = parseInput(entry);
  if (normalizeGroup(sent.group) !== group || !Array.isArray(sent.keywords)) return undefined;
  // What was sent may have had spaces around it, and duplicates.
  return [...new Set(sent.keywords.map((keyword) => String(keyword).trim()))];
}

/**
 * Updates the requests of earlier runs from the journal: those that a process was sending when it ended, and those that
 * were left open by anything else, such as `keywords.add()`. Without an entry a request that was begun stays unknown:
 * another key may have sent it. Refused requests had no effect and are left out. `recorded` has the ids of open
 * entries.
 */
export async function addJournalRequests(
  { journal, emit, target }: ClientContext,
  destination: KeywordDestination,
  earlier: readonly KeywordRequest[],
): Promise<{ requests: KeywordRequest[]; recorded: Set<string> }> {
  const known = new Set(earlier.map(({ operationId }) => operationId));
  const entries = new Map<string, JournalEntry>();
  for await (const page of readPages(journal, target(), { open: true })) {
    for (const problem of page.problems) {
      emit(() => ({ type: 'journal', problem }));
      // It may be about the same keywords, which would be added twice.
      if (problem.kind === 'keywords') throw createUnusableEntryError(problem);
    }
    for (const entry of page.entries) {
      const { operationId, kind } = entry;
      if (kind === 'keywords' || known.has(operationId)) entries.set(operationId, entry);
    }
  }
  const recorded = new Set(entries.keys());
  const requests: KeywordRequest[] = [];
  for (const request of earlier) {
    const { operationId, state } = request;
    const entry = entries.get(operationId);
    entries.delete(operationId);
    if (state === 'refused') continue;
    if (state !== 'sending') {
      requests.push(request);
      continue;
    }
    // Only the entries that are needed are read: a journal may have very many settled ones.
    const settled = entry ?? (await journal.get({ operationId, target: target() }));
    if (settled?.state === 'refused' || settled?.state === 'abandoned') continue;
    const isAnswered = settled?.state === 'applied';
    requests.push(isAnswered ? toAnsweredRequest(request, settled.result) : { ...request, state: 'unknown' });
  }
  for (const entry of entries.values()) {
    const keywords = isOpen(entry) ? findKeywords(entry, destination) : undefined;
    if (!keywords) continue;
    const { operationId, error } = entry;
    const message = `Operation ${operationId} of the journal has no known outcome.`;
    requests.push({
      operationId,
      siteId: destination.siteId,
      group: destination.group,
      keywords,
      state: 'unknown',
      added: [],
      skipped: [],
      ...(error && { error: { code: error.code, message, reason: error.reason } }),
    });
  }
  return { requests, recorded };
}
