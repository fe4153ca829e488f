import { expect, test } from 'vitest';
import type { OrgChatClient } from '../../src/index.ts';
import { account, json, record, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { timedFriend } from '../../test-support/servers/timed-server.ts';

/* A loop may use one object for all of its calls. What it does to it after a call has no effect on what is sent. */

const { id } = record;
const blue = { name: 'VIP', color: 'blue' } as const;
const { accountId, userId } = timedFriend;
const other = '7f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const page = (...records: object[]): Step => json({ records, total: records.length, limited: false });

/** Answers every call. Rows of lists are summaries, so that their records are read before a change is sent. */
const server: Step = (request, body) => {
  const answer = (step: Step) => step(request, body);
  if (request.method === 'GET') return answer(json(account));
  if (request.url.endsWith('/keywords')) {
    const { keywords } = JSON.parse(body);
    return answer(json({ added: keywords, skipped: [] }, 201));
  }
  const { resource, id: ofRecord, userId: ofFriend, change } = JSON.parse(body);
  if (request.url.endsWith('/studio/read')) return answer(json({ projects: [], total: 0, next: null }));
  if (change) {
    const result = change.userId ? timedFriend : { ...record, ...change.data };
    return answer(json({ ok: true, applied: true, replayed: false, auditRecorded: true, result }));
  }
  if (resource === 'messages') return answer(page());
  if (ofFriend) return answer(json({ record: timedFriend }));
  if (ofRecord) return answer(json({ record }));
  return answer(resource === 'friends' ? page({ accountId, userId }) : page({ id, name: 'VIP' }));
};

const rows = { server: { server: 1, shapes: { row: { guards: false, data: false } } } } as const;
const intent = () => ({ intent: ['order', { number: 17 }] });

/** A method, and what it is called with. */
type Call = readonly [method: (...given: never[]) => PromiseLike<unknown>, ...given: unknown[]];
const calls: Record<string, (client: OrgChatClient) => Call | Promise<Call>> = {
  create: ({ tags }) => [tags.create, { ...blue }, intent()],
  update: async ({ tags }) => [tags.update, await tags.list().first(), { ...blue }, intent()],
  delete: async ({ tags }) => [tags.delete, await tags.list().first(), intent()],
  edit: ({ tags }) => [tags.edit, { id }, () => blue, intent()],
  find: ({ tags }) => [tags.find, { name: 'VIP' }, { where: { color: 'pink' } }],
  upsert: ({ tags }) => [tags.upsert, { ...blue }, { by: 'name', where: { name: 'VIP' }, ...intent() }],
  'upsert of a new record': ({ tags }) => [tags.upsert, { ...blue, name: 'Gold' }, { by: 'name' }],
  sync: ({ tags }) => [tags.sync, [{ ...blue }], { by: 'name', where: { name: 'VIP' } }],
  'friends.update': async ({ friends }) => [
    friends.update,
    await friends.list().first(),
    { notes: 'New' },
    intent(),
  ],
  setTags: async ({ friends }) => [friends.setTags, await friends.list().first(), [id], intent()],
  addTags: ({ friends }) => [friends.addTags, { accountId, userId }, [id], intent()],
  removeTags: ({ friends }) => [friends.removeTags, { accountId, userId }, [id], intent()],
  editTags: ({ friends }) => [friends.editTags, { accountId, userId }, () => [id], intent()],
  enroll: ({ friends }) => [friends.enroll, { accountId, userId }, { id }, intent()],
  changeChat: (client) => [client.changeChat, { action: 'create-tags', data: { ...blue } }, intent()],
  readChat: (client) => [client.readChat, { resource: 'tags', id }],
  messages: ({ friends }) => [friends.messages, { accountId, userId }, { limit: 5 }],
  list: ({ tags }) => [tags.list, { limit: 5, offset: 10 }],
  'friends.list': ({ friends }) => [friends.list, { accountId, search: 'a' }],
  'studio.projects': ({ studio }) => [studio.projects, { query: 'site', archived: false }],
  'keywords.add': ({ keywords }) => [keywords.add, 'site', { keywords: ['a'], group: 'g' }, intent()],
  'keywords.import': ({ keywords }) => [keywords.import, 'site', ['a', 'b'], { group: 'g', ...intent() }],
};

/** Writes something else into an object, and into all that is in it. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    overwrite(item);
    if (typeof item === 'number') Object.assign(value, { [name]: item + 1 });
    if (typeof item === 'string') Object.assign(value, { [name]: name === 'by' ? item : other });
  }
}

/** Calls a method, and returns what was sent for it, and the result. A random id of an operation is left out. */
async function run(name: string, isReused: boolean): Promise<readonly unknown[]> {
  const { client, sent } = scripted([server], rows);
  const [method, ...given] = await (calls[name] ?? expect.unreachable())(client);
  const before = sent.length;
  const result = method(...(given as never[]));
  if (isReused) overwrite(given);
  const found = await result;
  const hasIntent = JSON.stringify(given).includes('intent');
  const isLeftOut = (key: string) => key === 'item' || (key === 'operationId' && !hasIntent);
  const shown = JSON.stringify(found, (key, value) => (isLeftOut(key) ? undefined : value));
  const bodies = sent.slice(before).map(({ url, body }) => {
    const parsed: Record<string, unknown> = JSON.parse(body || '{}');
    return [url, hasIntent ? parsed : { ...parsed, operationId: undefined }];
  });
  return [...bodies, shown];
}

test.each(Object.keys(calls))(
  '%s does what it was called with, though its arguments change afterwards',
  async (name) => {
    const sent = await run(name, false);
    expect(sent.length).toBeGreaterThan(1);
    expect(await run(name, true)).toEqual(sent);
  },
);
