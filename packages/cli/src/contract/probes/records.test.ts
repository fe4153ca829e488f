import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { CheckHarness } from '../../../test-support/contract.ts';
import { learn } from '../learn.ts';
import type { Verdict } from '../verdicts.ts';

/** Checks a server whose records are changed before they are sent. */
async function check(
  resource: string,
  alter: (record: Record<string, unknown>) => object,
  alterRow: (row: Record<string, unknown>) => object = (row) => row,
  group: 'one' | 'people' = 'one',
): Promise<Verdict[]> {
  const mock = createMock();
  const fetch = async (request: Request): Promise<Response> => {
    const asked =
      request.method === 'POST' ? ((await request.clone().json()) as { resource: string }) : undefined;
    const response = await mock.fetch(request);
    if (asked?.resource !== resource || response.status !== 200) return response;
    const body = (await response.json()) as Record<'record' | 'records', never>;
    return Response.json(
      body.record === undefined
        ? { ...body, records: Array.from<Record<string, unknown>>(body.records).map(alterRow) }
        : { record: alter(body.record) },
    );
  };
  const server = { baseUrl: mock.baseUrl, apiKey: 'demo-write-key', fetch };
  const { verdicts } = await new CheckHarness().check(server, { only: [group] });
  return [...verdicts];
}

const seenOf = (verdicts: readonly Verdict[], topic: Verdict['topic'], resource: string): unknown =>
  verdicts.find((verdict) => verdict.topic === topic)?.seen.find(({ places }) => places.includes(resource))
    ?.fact;

test('what users wrote is never taken for a part of the record', async () => {
  const verdicts = await check('scenarios', ({ label: _, revision: __, ...record }) => ({
    ...record,
    steps: [
      { ...(record.steps as object[])[0], text: record.name, condition: { key: 'k', value: 'f'.repeat(64) } },
    ],
    createdAt: undefined,
    triggerTagId: undefined,
    trigger: { createdAt: '2026-01-01T00:00:00Z', label: record.name },
  }));
  expect(seenOf(verdicts, 'shapes.record.label', 'scenarios')).toBe('/name');
  expect(seenOf(verdicts, 'shapes.record.revision', 'scenarios')).toBeUndefined();
  expect(seenOf(verdicts, 'shapes.record.rename', 'scenarios')).toEqual([]);
  expect(seenOf(verdicts, 'records.fields', 'scenarios')).toEqual([]);
});

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['links', 'id', { id: '_id' }],
  ['friends', 'userId', { accountId: 'account_id', userId: 'user_id' }],
])('the identity of %s in another spelling is learned', async (resource, name, spelled) => {
  const respell = (record: Record<string, unknown>): object =>
    Object.fromEntries(Object.entries(record).map(([field, value]) => [spelled[field] ?? field, value]));
  const verdicts = await check(resource, respell, respell, resource === 'friends' ? 'people' : 'one');
  expect(seenOf(verdicts, 'shapes.record.rename', resource)).toEqual(
    Object.entries(spelled).map(([field, other]) => `${field}:/${other}`),
  );
  const key = ['shapes', 'resources', resource, 'record', 'rename', name];
  const learned = learn(verdicts).filter((one) => one.value === `/${spelled[name]}`);
  // Alone, it is the spelling of all resources that have the field.
  expect(learned.map((one) => one.key)).toEqual(
    resource === 'friends' ? [['shapes', 'record', 'rename', name]] : [key],
  );
});

test('a data field in another spelling is never taken for the label, though it has the same text', async () => {
  const verdicts = await check('rich-menus', ({ label, chatBarText: _, ...record }) => ({
    ...record,
    chat_bar_text: record.name,
    meta: { title: label },
  }));
  expect(seenOf(verdicts, 'shapes.record.label', 'rich-menus')).toBe('/meta/title');
});

test('a field that is required and never null is missed', async () => {
  const verdicts = await check('links', ({ url: _, tagId: __, ...record }) => record);
  expect(seenOf(verdicts, 'records.fields', 'links')).toEqual(['url']);
});

test.each<[string, (row: Record<string, unknown>) => object, unknown]>([
  ['is not text is missed', (row) => ({ ...row, id: 7 }), ['id']],
  ['has another name is not missed', ({ id, ...row }) => ({ ...row, uuid: id }), undefined],
])('an id that %s, and the report says that it may have another name', async (_, alterRow, missed) => {
  const verdicts = await check('links', (record) => record, alterRow);
  expect(seenOf(verdicts, 'records.fields', 'links')).toEqual(missed);
  const one = verdicts.find(({ topic }) => topic === 'shapes.one');
  expect(one?.gaps.find(({ place }) => place === 'links')?.unknown).toMatch(
    /no id as text.*shapes\.record\.rename/,
  );
});
