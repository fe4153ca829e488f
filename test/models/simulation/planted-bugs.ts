import type { Journal, JournalEntry } from '@orgchat/sdk';

/* Planted mistakes: each makes a correct client lose or double changes. */

type Fetch = (request: Request) => Promise<Response>;

/** A client that creates a new operationId for each attempt. */
export function newIdOnRetry(fetch: Fetch): Fetch {
  const seen = new Set<string>();
  return async (request) => {
    if (!request.url.endsWith('/chat/changes')) return fetch(request);
    const body = (await request.clone().json()) as { operationId: string };
    const { operationId } = body;
    if (!seen.has(operationId)) {
      seen.add(operationId);
      return fetch(request);
    }
    const changed = JSON.stringify({ ...body, operationId: crypto.randomUUID() });
    return fetch(new Request(request.url, { method: 'POST', headers: request.headers, body: changed }));
  };
}

/** A journal that is written after the answer, not before the request is sent. */
export function journalAfterSend(journal: Journal): Journal {
  const begun = new Map<string, JournalEntry>();
  return {
    ...journal,
    add: (entry) => {
      begun.set(entry.operationId, entry);
      return true;
    },
    settle: async (entry) => {
      if (begun.delete(entry.operationId)) await journal.add(entry);
      return journal.settle(entry);
    },
  };
}
