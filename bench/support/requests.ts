/** A request to every server, as bytes. */

export const headers = {
  Authorization: 'Bearer demo-write-key',
  'Content-Type': 'application/json',
};

export interface Request {
  readonly path: string;
  readonly body: string;
}

export const kinds = ['read', 'replay', 'create', 'list'] as const;
export type Kind = (typeof kinds)[number];

/** Placeholder for a new UUID in each request. */
export const fresh = '{fresh}';

const change = (operationId: string, action: string, data: object): Request => ({
  path: '/chat/changes',
  body: JSON.stringify({ operationId, change: { action, data } }),
});

const tag = (operationId: string): Request =>
  change(operationId, 'create-tags', { name: 'Spring campaign', color: 'pink' });

const read = (query: object): Request => ({ path: '/chat/read', body: JSON.stringify(query) });

/** Sends a request once and returns the text of its answer. Throws if it is not a success. */
export async function send(baseUrl: string, { path, body }: Request): Promise<string> {
  const filled = body.replace(fresh, crypto.randomUUID());
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: filled });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} to ${filled}: ${text}`);
  return text;
}

/** Fills a mock with the records that the requests read. Lists are of a resource that no request changes. */
export async function prepare(baseUrl: string): Promise<Readonly<Record<Kind, Request>>> {
  for (let n = 1; n <= 60; n++) {
    const data = { name: `Answer ${n}`, text: 'Thank you. We will answer within a day.' };
    await send(baseUrl, change(fresh, 'create-templates', data));
  }
  const done = tag(crypto.randomUUID());
  const { result } = JSON.parse(await send(baseUrl, done)) as { result: { id: string } };
  return {
    read: read({ resource: 'tags', id: result.id }),
    replay: done,
    create: tag(fresh),
    list: read({ resource: 'templates', limit: 50 }),
  };
}
