import { expect, test } from 'vitest';
import type { OrgChatClient } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { json, record, scripted } from '../../test-support/servers/scripted.ts';

/* A gateway that mixes up two answers: what it hands on is well-formed, and about something else. */

const another = '11111111-1111-4111-8111-111111111111';
const accountId = '22222222-2222-4222-8222-222222222222';
const userId = `U${'a'.repeat(32)}`;
const friend = {
  accountId,
  userId,
  revision: 'a'.repeat(64),
  label: 'Ann',
  displayName: 'Ann',
  status: 'unread',
  notes: null,
  tagIds: [],
} as const;
const enrollment = { id: another, accountId, userId, scenarioId: record.id, status: 'active' };
const data = { name: record.name, color: 'pink' } as const;
const deletion = { id: record.id, deleted: true };

const changes: readonly [
  name: string,
  change: (client: OrgChatClient) => Promise<{ readonly result?: unknown }>,
  right: object,
  wrong: readonly object[],
][] = [
  ['update', ({ tags }) => tags.update(record, data), record, [{ ...record, id: another }]],
  ['delete', ({ tags }) => tags.delete(record), deletion, [{ ...deletion, id: another }]],
  [
    'friends.update',
    ({ friends }) => friends.update(friend, { status: 'unread' }),
    friend,
    [
      { ...friend, userId: `U${'b'.repeat(32)}` },
      { ...friend, accountId: another },
    ],
  ],
  [
    'friends.setTags',
    ({ friends }) => friends.setTags(friend, []),
    friend,
    [{ ...friend, accountId: another }],
  ],
  [
    'friends.enroll',
    ({ friends }) => friends.enroll(friend, record.id),
    enrollment,
    [
      { ...enrollment, scenarioId: another },
      { ...enrollment, userId: `U${'b'.repeat(32)}` },
    ],
  ],
];

const answerTo = (result: object) =>
  scripted([json({ ok: true, applied: true, replayed: false, auditRecorded: true, result })]);

test.each(changes)('%s leaves out a result about another record', async (_name, change, right, wrong) => {
  expect((await change(answerTo(right).client)).result).toMatchObject(right);
  for (const result of wrong) {
    const { client, sent } = answerTo(result);
    const outcome = await change(client);
    expect(outcome).toMatchObject({ applied: true });
    expect(outcome.result).toBeUndefined();
    expect(sent).toHaveLength(1);
  }
});

test('a part of another record is left out too, and not read', async () => {
  const { client, sent } = answerTo({ id: another, revision: record.revision });
  expect((await client.tags.update(record, data)).result).toBeUndefined();
  expect(sent).toHaveLength(1);
});

test('the letters of a UUID may be in upper case', async () => {
  const upper = { ...record, id: record.id.toUpperCase() };
  expect((await answerTo(upper).client.tags.update(record, data)).result).toMatchObject(upper);
  expect(await scripted([json({ record: upper })]).client.tags.get(record.id)).toMatchObject(upper);
});

const project = {
  id: record.id,
  name: 'P',
  description: '',
  archived: false,
  updatedAt: '2026-01-01T00:00:00Z',
};
const document = { id: another, title: 'D', kind: 'note', updatedAt: '2026-01-01T00:00:00Z', body: '' };
const documents = { project, documents: [], total: 0, next: null };

test.each<[string, (client: OrgChatClient) => PromiseLike<unknown>, right: object, wrong: object]>([
  ['tags.get', ({ tags }) => tags.get(record.id), { record }, { record: { ...record, id: another } }],
  [
    'friends.get',
    ({ friends }) => friends.get({ accountId, userId }),
    { record: friend },
    { record: { ...friend, accountId: another } },
  ],
  [
    'studio.document',
    ({ studio }) => studio.document(project.id, document.id),
    { project, document },
    { project, document: { ...document, id: accountId } },
  ],
  [
    'studio.document, by its project',
    ({ studio }) => studio.document(project.id, document.id),
    { project, document },
    { project: { ...project, id: accountId }, document },
  ],
  [
    'studio.documents',
    ({ studio }) => studio.documents(project.id),
    documents,
    { ...documents, project: { ...project, id: accountId } },
  ],
])('%s rejects an answer with another record', async (_name, read, right, wrong) => {
  await read(scripted([json(right)]).client);
  const error = await getRejection(read(scripted([json(wrong)]).client));
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', message: expect.stringContaining('not the one') });
});

test('edit does not write to a record that it did not read', async () => {
  const { client, sent } = scripted([json({ record: { ...record, id: another } })]);
  const error = await getRejection(client.tags.edit(record.id, (before) => ({ ...before, color: 'blue' })));
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
  expect(sent).toHaveLength(1);
});
