import { beforeEach, describe, expect, test } from 'vitest';
import { getChatApi } from '../../src/client.ts';
import {
  AbortedError,
  type ClientOptions,
  createClient,
  type OrgChatClient,
  requireResult,
} from '../../src/index.ts';
import { type CreateOnceOptions, createOnce as createOnceWith } from '../../src/resources/create-once.ts';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';

let client: OrgChatClient;
let options: ClientOptions;
let organizationId: string;
let sent: string[];

beforeEach(async () => {
  const mocks = mocked();
  ({ client } = mocks);
  sent = [];
  const fetch = async (request: Request) => {
    const { change, resource, id } = JSON.parse((await request.clone().text()) || '{}');
    sent.push(change?.action ?? `${id === undefined ? 'list' : 'get'} ${resource}`);
    return (mocks.options.fetch ?? globalThis.fetch)(request);
  };
  options = { ...mocks.options, fetch };
  ({ organizationId } = await client.account());
});

const data = { name: 'Fresh', color: 'pink' } as const;
const by = { by: 'name' } as const;
const createOnce = (of: OrgChatClient, once?: CreateOnceOptions) =>
  createOnceWith(getChatApi(of), { organizationId, resource: 'tags', label: data.name, data }, once);
/** A client on another machine: it shares nothing with the others. */
const elsewhere = () => createClient(options);

async function tagsNamed(name: string) {
  const found = [];
  for await (const tag of client.tags.list()) if (tag.name === name) found.push(tag);
  return found;
}

/** Creates the tag and deletes it, so that another operation id is spent. */
async function spend(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { change } = await createOnce(elsewhere());
    await client.tags.delete(requireResult(change as Awaited<ReturnType<typeof client.tags.create>>));
  }
  sent = [];
}

/** A client of a server that answers an update otherwise, by the status of its usual answer. */
function answering(answer: (status: number) => Response | undefined): OrgChatClient {
  const fetch = async (request: Request) => {
    const isUpdate = (await request.clone().text()).includes('"update-tags"');
    const usual = await (options.fetch ?? globalThis.fetch)(request);
    return (isUpdate && answer(usual.status)) || usual;
  };
  return createClient({ ...options, fetch });
}

/** A client of a server whose reads do not show the tag the first `misses` times. */
function late(
  misses: number,
  { hasResult = true, onHidden = () => undefined }: { hasResult?: boolean; onHidden?: () => unknown } = {},
): OrgChatClient {
  let left = misses;
  const fetch = async (request: Request) => {
    const answer = await (options.fetch ?? globalThis.fetch)(request);
    const json = (await answer.clone().json()) as {
      record?: { name: string };
      records?: { name: string }[];
      result?: object;
    };
    if (request.url.endsWith('/changes') && !hasResult && json.result)
      return Response.json({ ...json, result: null });
    if (json.record?.name === data.name && left > 0) {
      left--;
      onHidden();
      return Response.json({ error: 'NOT_FOUND', message: 'x' }, { status: 404 });
    }
    if (json.records === undefined || left === 0) return answer;
    if (!hasResult) left--;
    return Response.json({ ...json, records: json.records.filter(({ name }) => name !== data.name) });
  };
  const server = { server: 1, shapes: { result: { create: null } } } as const;
  return createClient({ ...options, fetch, ...(!hasResult && { server }) });
}

describe('a record that reads show late is not created again', () => {
  test('but read again', async () => {
    await createOnce(elsewhere());
    const once = await createOnce(late(2), { waitsMs: [1, 1] });
    expect(once).toMatchObject({ status: 'existing', counter: 0, record: data });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('and if none does in time, the error says that the change is applied', async () => {
    await createOnce(elsewhere());
    const error = await getRejection(createOnce(late(Infinity), { waitsMs: [1] }));
    expect(error).toMatchObject({ code: 'RESULT_MISSING', outcome: 'applied' });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
    expect(await createOnce(elsewhere())).toMatchObject({ status: 'existing' });
  });

  test('but looked for again in the list, if the answer does not name it', async () => {
    await createOnce(elsewhere());
    const once = await createOnce(late(1, { hasResult: false }), { waitsMs: [1] });
    expect(once).toMatchObject({ status: 'existing', counter: 0, record: data });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('also if a server applies the update that asks for it, whose guards are never current', async () => {
    await createOnce(elsewhere());
    const lenient = async (request: Request) => {
      const text = await request.clone().text();
      if (text.includes('"expectedRevision"'))
        return Response.json({ ok: true, applied: true, replayed: false, auditRecorded: true });
      const { resource, id } = JSON.parse(text || '{}') as { resource?: string; id?: string };
      if (resource === undefined) return (options.fetch ?? globalThis.fetch)(request);
      return id === undefined
        ? Response.json({ records: [], total: 0, limited: false })
        : Response.json({ error: 'NOT_FOUND', message: 'x' }, { status: 404 });
    };
    const error = await getRejection(createOnce(createClient({ ...options, fetch: lenient })));
    expect(error).toMatchObject({ code: 'RESULT_MISSING' });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('whatever other id was spent before it', async () => {
    await spend(2);
    await createOnce(elsewhere());
    const error = await getRejection(createOnce(late(Infinity)));
    expect(error).toMatchObject({ code: 'RESULT_MISSING', outcome: 'applied' });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('and an abort during the wait is one, which changed nothing', async () => {
    await createOnce(elsewhere());
    const aborting = () => {
      const controller = new AbortController();
      const of = late(Infinity, { onHidden: () => controller.abort('enough') });
      return { of, signal: controller.signal };
    };
    const once = aborting();
    const error = await getRejection(createOnce(once.of, { waitsMs: [60_000], signal: once.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    const upsert = aborting();
    const call = upsert.of.tags.upsert(data, { ...by, signal: upsert.signal });
    expect(await getRejection(call)).toBeInstanceOf(AbortedError);
    const sync = aborting();
    const outcome = await sync.of.tags.sync([data], { ...by, signal: sync.signal });
    expect(outcome).toMatchObject({ skipped: 1, failed: 0 });
  });
});

describe('a record that was deleted is created again', () => {
  const refusal = (status: number) =>
    Response.json({ error: 'STALE_REVISION', message: 'Stale' }, { status });
  test.each<[string, (status: number) => Response | undefined]>([
    [
      'looks for the id and the revision of a record at once',
      (status) => (status === 404 ? refusal(409) : undefined),
    ],
    [
      'refuses with the status of a success',
      (status) =>
        status === 404 ? Response.json({ ok: false, applied: false, replayed: false }) : undefined,
    ],
  ])('on a server that %s', async (_, answer) => {
    await spend(2);
    expect((await answering(answer).tags.upsert(data, by)).outcome).toBe('created');
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('with three requests for each id that was spent, and one list', async () => {
    await spend(5);
    expect(await createOnce(elsewhere())).toMatchObject({ status: 'created', counter: 5 });
    expect(sent).toHaveLength(5 * 3 + 1 + 1);
  });

  test('after one wait, however many ids were spent, if answers do not name records', async () => {
    await spend(3);
    const once = await createOnce(late(0, { hasResult: false }), { waitsMs: [1, 1] });
    expect(once).toMatchObject({ status: 'created', counter: 3 });
    expect(sent.filter((what) => what === 'list tags')).toHaveLength(3 + 2);
  });
});

describe('a record that is stored under another name is not created again', () => {
  /** A client of a server that stores names otherwise, and replays what it stored. */
  function storing(store: (name: string) => string): OrgChatClient {
    const fetch = async (request: Request) => {
      const text = await request.clone().text();
      const body = text.replaceAll(/"name":("[^"]*")/g, (_, name) => `"name":${store(name)}`);
      const { url, method, headers } = request;
      const init = { method, headers, ...(method === 'POST' && { body }) };
      return (options.fetch ?? globalThis.fetch)(new Request(url, init));
    };
    return createClient({ ...options, fetch });
  }

  test.each([
    ['with another character', 'Sales/North', 'Sales-North'],
    ['cut off early', 'Customers', 'Customer'],
    ['without an emoji', '\u2b50Gold', 'Gold'],
    ['escaped', 'R&D', 'R&amp;D'],
  ])('%s', async (_, name, stored) => {
    for (let time = 0; time < 3; time++) {
      const store = (text: string) => text.replace(name, stored);
      const call = storing(store).tags.upsert({ name, color: 'pink' }, by);
      expect(await getRejection(call)).toMatchObject({ code: 'LABEL_CHANGED', outcome: 'applied' });
    }
    expect(await tagsNamed(stored)).toHaveLength(1);
  });

  test('by somebody, if the server replays the record as it is now', async () => {
    const { change } = await createOnce(elsewhere());
    const { id } = change.result as { id: string };
    const renamed = await client.tags.edit(id, (tag) => ({ ...tag, name: 'By hand' })).requireResult();
    const fetch = async (request: Request) => {
      const usual = await (options.fetch ?? globalThis.fetch)(request);
      const answer = (await usual.clone().json()) as { replayed?: boolean };
      return answer.replayed ? Response.json({ ...answer, result: renamed }) : usual;
    };
    const error = await getRejection(createClient({ ...options, fetch }).tags.upsert(data, by));
    expect(error).toMatchObject({ code: 'LABEL_CHANGED' });
    expect(error.message).toContain('the server or somebody changed it');
    expect(error.message).not.toContain('By hand');
  });
});
