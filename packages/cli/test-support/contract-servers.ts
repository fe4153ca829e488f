import { createMock, type Mock, type MockOptions } from '@orgchat/mock-server';
import type { CheckedServer } from './contract.ts';

export type MockedServer = CheckedServer & { readonly mock: Mock };

/** A mock without a limit per minute. */
export const serve = (options: MockOptions = {}): MockedServer => {
  const mock = createMock({ rateLimit: 'off', ...options });
  return { mock, baseUrl: mock.baseUrl, apiKey: 'demo-write-key', fetch: (request) => mock.fetch(request) };
};

async function ask(server: MockedServer, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await server.mock.fetch(new Request(`${server.baseUrl}/chat/read`, init));
  return (await answer.json()) as Record<string, unknown>;
}

/** The tags and links, which a check has to leave as they were. */
export async function getRecords(server: MockedServer): Promise<readonly unknown[]> {
  const lists = [await ask(server, { resource: 'tags' }), await ask(server, { resource: 'links' })];
  return lists.flatMap(({ records }) => records as readonly unknown[]);
}

type Body = { operationId?: string; change?: Record<string, unknown> };

/** A server that does something else with changes. */
export function alter(
  server: MockedServer,
  change: (body: Required<Body>, send: (body: Body) => Promise<Response>) => Promise<Response>,
): MockedServer {
  const fetch = async (request: Request): Promise<Response> => {
    const send = (body: Body): Promise<Response> =>
      server.fetch(new Request(request.clone(), { body: JSON.stringify(body) }));
    if (!request.url.endsWith('/chat/changes')) return server.fetch(request);
    return change((await request.clone().json()) as Required<Body>, send);
  };
  return { ...server, fetch };
}

/** Applies each creation twice, and answers once. */
export const applyTwice = (server: MockedServer): MockedServer =>
  alter(server, async (body, send) => {
    const answer = await send(body);
    const isNew = answer.status === 200 && !((await answer.clone().json()) as { replayed: boolean }).replayed;
    if (isNew && String(body.change.action).startsWith('create-'))
      await send({ ...body, operationId: crypto.randomUUID() });
    return answer;
  });

export const ignoreOperationId = (server: MockedServer): MockedServer =>
  alter(server, (body, send) => send({ ...body, operationId: crypto.randomUUID() }));

/** Ignores some guards: sends those that are current, whatever the request has. */
const ignore = (
  server: MockedServer,
  toCurrent: (record: Readonly<Record<string, unknown>>) => object,
): MockedServer =>
  alter(server, async (body, send) => {
    const { id, resource = 'tags' } = body.change;
    if (id === undefined) return send(body);
    const record = (await ask(server, { resource, id })).record as Record<string, unknown> | undefined;
    if (record === undefined) return send(body);
    return send({ ...body, change: { ...body.change, ...toCurrent(record) } });
  });

export const ignoreRevisions = (server: MockedServer): MockedServer =>
  ignore(server, ({ revision }) => ({ expectedRevision: revision }));

export const ignoreLabels = (server: MockedServer): MockedServer =>
  ignore(server, ({ label }) => ({ expectedLabel: label }));

export const ignoreGuards = (server: MockedServer): MockedServer => ignoreRevisions(ignoreLabels(server));

export const changeAnswer = (
  server: MockedServer,
  edit: (answer: Record<string, unknown>) => object,
): MockedServer =>
  alter(server, async (body, send) => {
    const answer = await send(body);
    return answer.status === 200
      ? Response.json(edit((await answer.json()) as Record<string, unknown>))
      : answer;
  });

/** The words of a check of what changes do, as fast as it may be. */
export const checkWrites = [
  ...['contract', 'check', '--only', 'write', '--rate', '60'],
  ...['--write', '--organization', 'org_demo'],
] as const;
