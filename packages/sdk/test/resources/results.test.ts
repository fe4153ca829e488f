import { describe, expect, test } from 'vitest';
import {
  getRequestId,
  InvalidInputError,
  type OrgChatClient,
  OutcomeUnknownError,
  requireResult,
  ServerError,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, json, lost, record, type Step, scripted } from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const friend = {
  ...{ accountId: 'account', userId: 'U', revision: 'b'.repeat(64), label: 'Ada' },
  ...{ status: 'unread', notes: null, tagIds: [] },
} as const;
const envelope = { ok: true, applied: true, replayed: false, auditRecorded: true };
const answer = (result?: unknown): Step => json({ ...envelope, result });

type Change = (client: OrgChatClient) => ReturnType<OrgChatClient['changeChat']>;
const create: Change = (client) => client.tags.create(vip);
const changes: readonly [string, Change, unknown][] = [
  ['a create', create, record],
  ['an update', (client) => client.tags.update(record, vip), record],
  ['a deletion', (client) => client.tags.delete(record), { id: record.id, deleted: true }],
  ['a friend update', (client) => client.friends.update(friend, { notes: 'x' }), friend],
  ['a tag set', (client) => client.friends.setTags(friend, []), friend],
  [
    'an enrollment',
    (client) => client.friends.enroll(friend, 'scenario'),
    { id: 'i', accountId: 'account', userId: 'U', scenarioId: 'scenario' },
  ],
  ['the bare operation', (client) => client.changeChat({ action: 'create-tags', data: vip }), record],
];

describe.each(changes)('the result of %s', (_name, change, right) => {
  test('of the expected shape is passed on', async () => {
    const { client } = scripted([answer(right)]);
    expect((await change(client)).result).toEqual(right);
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['text', 'done'],
    ['a list', [right]],
    ['another object', { wrong: 'shape' }],
    ['around the record', { record: right }],
  ])('that is %s is undefined, and the change is applied', async (_shape, wrong) => {
    const { client, sent } = scripted([answer(wrong)]);
    const { data, body } = await change(client).withResponse();
    expect(data).toMatchObject({ applied: true, replayed: false, auditRecorded: true });
    expect(data.result).toBeUndefined();
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...envelope, result: wrong })));
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
    expect(await client.operations.resumeAll()).toEqual([]);
  });
});

test('the result of a resumed change is checked as well', async () => {
  for (const [result, expected] of [
    [{ wrong: 'shape' }, undefined],
    [record, record],
  ] as const) {
    const { client } = scripted([lost, answer(result)], { retry: false });
    const error = await getRejection(client.tags.create(vip));
    expect((await (error as OutcomeUnknownError).resume?.())?.result).toEqual(expected);
  }
});

test('requireResult returns the result, or says that the change is applied without one', async () => {
  expect(requireResult(await scripted([answer(record)]).client.tags.create(vip))).toEqual(record);
  const outcome = await scripted([answer()]).client.tags.create(vip);
  const error = await getRejection((async () => requireResult(outcome))());
  expect(error).toBeInstanceOf(ServerError);
  expect(error).not.toBeInstanceOf(OutcomeUnknownError);
  expect(error).toMatchObject({ code: 'RESULT_MISSING', operationId: outcome.operationId });
  expect(error.message).toContain('was applied');
});

test('requireResult() of a change resolves to its result, or rejects and says that it is applied without one', async () => {
  const { client, sent } = scripted([answer(record), answer(), failure(403, 'FORBIDDEN')]);
  const result = await client.tags.create(vip).requireResult();
  expect(result).toEqual(record);
  expect(getRequestId(result)).toBe('req-200');
  const call = client.tags.update(result, vip);
  const { operationId } = await call;
  for (const _ of [1, 2]) {
    const error = await getRejection(call.requireResult());
    expect(error).toMatchObject({ code: 'RESULT_MISSING', operationId, outcome: 'applied' });
  }
  const refused = await getRejection(client.tags.delete(result).requireResult());
  expect(refused).toMatchObject({ code: 'FORBIDDEN', outcome: 'refused' });
  expect(sent).toHaveLength(3);
});

test('methods that need a record refuse a missing result, and nothing is sent', async () => {
  const { client, sent } = scripted([answer()]);
  const { result } = await client.tags.create(vip);
  const edited = (data: object) => data as never;
  for (const call of [
    () => client.tags.update(result, vip),
    () => client.tags.delete(result),
    () => client.tags.edit(result, edited),
    () => client.friends.update(undefined, {}),
    () => client.friends.setTags(undefined, []),
    () => client.friends.edit(undefined, edited),
  ]) {
    const error = await getRejection(call());
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toMatch(
      /got undefined\. If a change had no result, read the record with get\(\)\./,
    );
  }
  expect(sent).toHaveLength(1);
});
