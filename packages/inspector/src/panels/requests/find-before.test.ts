import { createMock, type Mock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import type { RequestDetail } from '../../control-api/types.ts';
import { findBefore } from './find-before.ts';

const send = async (mock: Mock, path: string, body: object) => {
  const headers = { Authorization: 'Bearer demo-write-key' };
  const response = await mock.fetch(mock.baseUrl + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as { records: Record<string, string>[]; result: Record<string, string> };
};

const readTags = async (mock: Mock) => {
  const { records } = await send(mock, '/chat/read', { resource: 'tags' });
  return records.find(({ name }) => name === 'VIP') ?? {};
};

const update = ({ id, revision, label }: Record<string, string>, color: string) => ({
  operationId: crypto.randomUUID(),
  change: {
    action: 'update-tags',
    id,
    expectedRevision: revision,
    expectedLabel: label,
    data: { name: 'VIP', color },
  },
});

/** What the record was before the last change, as the page finds it over the control API. */
async function find(mock: Mock) {
  const read = async <T>(path: string) =>
    (await (await mock.fetch(`${mock.controlUrl}/${path}`)).json()) as T;
  const change = mock.requests.list().findLast(({ applied }) => applied);
  return findBefore(change as unknown as RequestDetail, read);
}

test('a read shows the record before its change, however many reads came after it', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const vip = await readTags(mock);
  for (let n = 0; n < 30; n++) await send(mock, '/chat/read', { resource: 'tags', search: 'VIP', offset: 1 });
  for (let n = 0; n < 30; n++) await send(mock, '/chat/read', { resource: 'friends' });
  await send(mock, '/chat/changes', update({ ...vip, label: 'Other' }, 'blue'));
  await send(mock, '/chat/changes', update(vip, 'blue'));
  expect(await find(mock)).toMatchObject({ id: vip.id, color: vip.color, revision: vip.revision });
});

test('so does the change before it', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const { result } = await send(mock, '/chat/changes', update(await readTags(mock), 'blue'));
  await send(mock, '/chat/changes', update(result, 'green'));
  expect(await find(mock)).toMatchObject({ color: 'blue' });
});

test('nothing is found if no answer has it', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const vip = await readTags(mock);
  mock.requests.clear();
  await send(mock, '/chat/changes', update(vip, 'blue'));
  expect(await find(mock)).toBeUndefined();
});

test('few answers are read, however many have the revision only in a part of them', async () => {
  const calls: string[] = [];
  const requests = Array.from({ length: 500 }, (_, n) => ({ id: n, status: 200 }));
  const found = await findBefore({ id: 1000, revisionBefore: 'r1' }, async <T>(path: string) => {
    calls.push(path);
    return (path.includes('?') ? { requests } : { response: { body: 'cut' } }) as T;
  });
  expect(found).toBeUndefined();
  expect(calls[0]).toBe('requests?search=r1&last=200');
  expect(calls.slice(1)).toEqual(Array.from({ length: 20 }, (_, n) => `requests/${499 - n}`));
});
