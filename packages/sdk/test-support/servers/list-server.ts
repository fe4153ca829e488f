/** A server of one list that is not the mock. Its options say what it reports and what it ignores. */
export interface ListServer {
  /** Records in the list. */
  readonly count: number;
  /** The most records per page. */
  readonly pageSize: number;
  readonly ignoresLimit?: boolean;
  readonly ignoresOffset?: boolean;
  /** What it says of `total` and `limited`; what is undefined is left out. */
  readonly total: (page: Page) => unknown;
  readonly limited: (page: Page) => unknown;
}

interface Page {
  readonly offset: number;
  readonly received: number;
  readonly count: number;
}

/** What a server may say of `total`, by name. */
export const totals: Readonly<Record<string, ListServer['total']>> = {
  right: ({ count }) => count,
  absent: () => undefined,
  null: () => null,
  text: ({ count }) => `${count}`,
  'too large': ({ count }) => count + 500,
  'too small': ({ count }) => Math.max(0, count - 7),
  zero: () => 0,
  'of what remains': ({ count, offset }) => count - offset,
};

/** What a server may say of `limited`, by name. */
export const limits: Readonly<Record<string, ListServer['limited']>> = {
  right: ({ count, offset, received }) => offset + received < count,
  absent: () => undefined,
  'always false': () => false,
  'always true': () => true,
  null: () => null,
};

export const numbered = (count: number): { id: string; name: string; color: string }[] =>
  Array.from({ length: count }, (_, n) => ({ id: `id-${n}`, name: `Record ${n}`, color: 'pink' }));

/** Answers a read of the list. */
export function answerRead(server: ListServer, query: { offset?: number; limit?: number }): object {
  const { count, pageSize, ignoresLimit, ignoresOffset } = server;
  const offset = ignoresOffset ? 0 : (query.offset ?? 0);
  const size = ignoresLimit ? pageSize : Math.min(pageSize, query.limit ?? pageSize);
  const records = numbered(count).slice(offset, offset + size);
  const page = { offset, received: records.length, count };
  return { records, total: server.total(page), limited: server.limited(page) };
}

/** A `fetch` in front of such a server, and how often it was called. */
export function listFetch(server: ListServer): {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly queries: { offset?: number; limit?: number }[];
} {
  const queries: { offset?: number; limit?: number }[] = [];
  return {
    queries,
    fetch: async (request) => {
      const query = (await request.json()) as { offset?: number; limit?: number };
      queries.push(query);
      return Response.json(answerRead(server, query), { headers: { 'x-request-id': 'req-list' } });
    },
  };
}
