import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { json, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { createClient, InvalidInputError, type OrgChatClient } from '../index.ts';

const vip = { name: 'VIP 2', color: 'pink' } as const;
const byName = { by: 'name' } as const;

atEachDoor((at) => {
  /** Another machine: a client without the journal of the first. */
  const elsewhere = (): OrgChatClient => createClient(at.options);
  const sent = (operation: string): number =>
    at.mock.requests.list().filter((request) => request.operation === operation).length;
  const named = async (name: string) =>
    (await at.client.tags.list().toArray()).filter((tag) => tag.name === name);

  describe('upsert', () => {
    test('creates, then leaves as it is, then updates', async () => {
      const first = await at.client.tags.upsert(vip, byName);
      expect(first).toMatchObject({ outcome: 'created', record: vip, operationId: expect.any(String) });
      const second = await at.client.tags.upsert(vip, byName);
      expect(second).toEqual({ outcome: 'unchanged', record: first.record });
      const third = await at.client.tags.upsert({ ...vip, color: 'blue' }, byName);
      expect(third).toMatchObject({ outcome: 'updated', record: { id: first.record.id, color: 'blue' } });
      expect(await named('VIP 2')).toHaveLength(1);
      expect(sent('getAccount')).toBe(1);
    });

    test('of one label with other data, in one bulk, makes one record', async () => {
      const rows = [vip, { ...vip, color: 'blue' }, { ...vip, name: ' VIP 2 ', color: 'blue' }] as const;
      const { results } = await at.client.bulk(rows, (row) => at.client.tags.upsert(row, byName));
      expect(results).toMatchObject([
        { status: 'done', value: { outcome: 'created' } },
        { status: 'done', value: { outcome: 'updated' } },
        { status: 'done', value: { outcome: 'unchanged' } },
      ]);
      expect(await named('VIP 2')).toMatchObject([{ color: 'blue' }]);
    });

    test('of one label at once, by two clients of one key, makes one record', async () => {
      const client = elsewhere();
      const outcomes = await Promise.all([
        at.client.tags.upsert(vip, byName),
        client.with({ language: 'ja' }).tags.upsert({ ...vip, color: 'blue' }, byName),
        client.tags.upsert({ ...vip, name: 'Another' }, byName),
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'created']);
      expect(await named('VIP 2')).toHaveLength(1);
    });

    test('that fails or is aborted while it waits leaves the line to the next', async () => {
      const broken = { ...vip, color: 'none' as 'pink' };
      const reason = new Error('no longer needed');
      const abort = new AbortController();
      const calls = [
        getRejection(at.client.tags.upsert(broken, byName)),
        getRejection(at.client.tags.upsert(vip, { ...byName, signal: abort.signal })),
        at.client.tags.upsert({ ...vip, color: 'blue' }, byName),
        at.client.tags.upsert(vip, byName),
      ];
      abort.abort(reason);
      expect(await Promise.all(calls)).toMatchObject([
        { code: 'INVALID_INPUT' },
        { code: 'ABORTED', cause: reason },
        { outcome: 'created' },
        { outcome: 'updated' },
      ]);
      expect(await named('VIP 2')).toMatchObject([{ color: 'pink' }]);
    });

    test('finds a label in any Unicode form, and sends data as they were given', async () => {
      const [composed, decomposed] = ['\u30ac\u30a4\u30c9', '\u30ab\u3099\u30a4\u30c8\u3099'];
      const { record } = await at.client.tags.upsert({ name: decomposed, color: 'pink' }, byName);
      expect(await at.client.tags.upsert({ name: composed, color: 'pink' }, byName)).toEqual({
        outcome: 'unchanged',
        record,
      });
      expect(await at.client.tags.upsert({ name: composed, color: 'blue' }, byName)).toMatchObject({
        outcome: 'updated',
        record: { id: record.id, name: composed, color: 'blue' },
      });
    });

    test('finds records by their label, whatever the field', async () => {
      const [account] = (await at.client.accounts.list()).records;
      const accountId = account?.id ?? '';
      const reply = {
        accountId,
        keyword: 'parking',
        matchType: 'exact',
        responseText: 'Yes.',
        active: true,
      } as const;
      const messages = [{ type: 'text', text: 'Hello' }] as const;
      const target = { target: 'all' as const, tagIds: [], scheduledAt: null };
      const broadcast = { accountId, title: 'News 2', messages: [...messages], ...target };
      for (const outcome of ['created', 'unchanged']) {
        expect(await at.client.autoReplies.upsert(reply, { by: 'keyword' })).toMatchObject({ outcome });
        expect(await at.client.broadcasts.upsert(broadcast, { by: 'title' })).toMatchObject({ outcome });
      }
    });

    test('with where creates and updates one record per account, and again what was deleted', async () => {
      const [first, second] = (await at.client.accounts.list()).records;
      if (!first || !second) throw new Error('the demo has too few accounts');
      const reply = {
        keyword: 'opening',
        matchType: 'exact',
        responseText: 'At nine.',
        active: true,
      } as const;
      const upsert = (accountId: string, responseText = 'At nine.') => {
        const where = { accountId };
        return at.client.autoReplies.upsert({ ...reply, accountId, responseText }, { by: 'keyword', where });
      };
      const { record } = await upsert(first.id);
      expect(await upsert(second.id)).toMatchObject({ outcome: 'created' });
      expect(await upsert(first.id, 'At ten.')).toMatchObject({
        outcome: 'updated',
        record: { id: record.id },
      });
      expect(await upsert(second.id)).toMatchObject({ outcome: 'unchanged' });
      await at.client.autoReplies.delete(await at.client.autoReplies.get(record.id));
      // The id of its create is spent, and the record of the other account has its label.
      const again = await upsert(first.id);
      expect([again.outcome, again.record]).toMatchObject(['created', { accountId: first.id }]);
      const all = await at.client.autoReplies.list().toArray();
      expect(all.filter(({ keyword }) => keyword === 'opening')).toHaveLength(2);
    });

    test('keeps the value of a field that is undefined', async () => {
      const [account] = (await at.client.accounts.list()).records;
      const base = {
        accountId: account?.id ?? '',
        keyword: 'opening',
        matchType: 'exact',
        active: true,
      } as const;
      const content = [{ type: 'text' as const, text: 'At nine.' }];
      const by = { by: 'keyword' } as const;
      await at.client.autoReplies.upsert({ ...base, responseText: 'At nine.', content }, by);
      const again = await at.client.autoReplies.upsert(
        { ...base, responseText: 'At ten.', content: undefined },
        by,
      );
      expect(again).toMatchObject({ outcome: 'updated', record: { responseText: 'At ten.', content } });
    });

    test('rejects if several records have the label', async () => {
      for (let n = 0; n < 2; n++) await at.client.tags.create(vip);
      expect(await getRejection(at.client.tags.upsert(vip, byName))).toMatchObject({
        code: 'AMBIGUOUS_MATCH',
      });
    });

    test('keeps the fields that are not given', async () => {
      const content = [{ type: 'text', text: 'Behind the house' }] as const;
      const reply = {
        accountId: null,
        keyword: 'parking',
        matchType: 'exact',
        responseText: 'Yes.',
        active: true,
      } as const;
      await at.client.autoReplies.upsert({ ...reply, content: [...content] }, { by: 'keyword' });
      expect(await at.client.autoReplies.upsert(reply, { by: 'keyword' })).toMatchObject({
        outcome: 'unchanged',
      });
      const off = { ...reply, active: false };
      const { outcome, record } = await at.client.autoReplies.upsert(off, { by: 'keyword' });
      expect([outcome, record]).toMatchObject(['updated', { active: false, content }]);
    });

    test('of the same data by eight programs at once creates one record', async () => {
      const results = await Promise.all(
        Array.from({ length: 8 }, () => elsewhere().tags.upsert(vip, byName)),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(7);
      expect(await named('VIP 2')).toHaveLength(1);
    });

    test('creates again what was deleted', async () => {
      const first = await at.client.tags.upsert(vip, byName);
      await at.client.tags.delete(first.record);
      expect(await at.client.tags.upsert(vip, byName)).toMatchObject({ outcome: 'created' });
      expect(await named('VIP 2')).toHaveLength(1);
    });

    test('updates although a rival edits the record twice, and gives up after maxAttempts', async () => {
      await at.client.tags.upsert(vip, byName);
      at.mock.faults.arm({ effect: 'rival-edit', times: 2 });
      const wanted = { ...vip, color: 'blue' } as const;
      expect(await at.client.tags.upsert(wanted, byName)).toMatchObject({ record: { color: 'blue' } });
      at.mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const call = at.client.tags.upsert({ ...vip, color: 'green' }, { ...byName, maxAttempts: 2 });
      expect(await getRejection(call)).toMatchObject({ meaning: 'staleRevision' });
    });

    test.each([0, -1, 1.5, Number.NaN])('refuses maxAttempts: %s', async (maxAttempts) => {
      const error = await getRejection(at.client.tags.upsert(vip, { ...byName, maxAttempts }));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(sent('readChat')).toBe(0);
    });

    test.each([
      [vip, { by: 'color' }, 'by must be "name" for tags; got "color".'],
      [vip, {}, 'by must be "name" for tags; got undefined.'],
      [vip, undefined, 'by must be "name" for tags; got undefined.'],
      [
        vip,
        { ...byName, where: { color: 'blue' } },
        'data must have the color of where. A record outside of it would not be found again.',
      ],
      [vip, { ...byName, where: { shade: 1 } }, 'tags have no field "shade". Fields: name, color.'],
      [{ color: 'pink' }, byName, 'data.name must be a string; got undefined.'],
      [undefined, byName, 'data.name must be a string; got undefined.'],
      [
        vip,
        { ...byName, operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' },
        'An upsert may make several writes and does not accept operationId. Pass intent instead.',
      ],
    ])('refuses %j with %j before anything is sent', async (data, options, message) => {
      const error = await getRejection(at.client.tags.upsert(data as typeof vip, options as typeof byName));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(message);
      expect(sent('readChat')).toBe(0);
    });
  });
});

describe('an upsert of a label that another upsert is writing', () => {
  const list = (...records: object[]): Step => json({ records, total: records.length, limited: false });
  const pink = { id: 'a', revision: 'r', label: 'VIP 2', ...vip };

  test('waits at most its timeoutMs, and leaves the line to the next', async () => {
    let answer = (): void => undefined;
    const slow: Step = (request, body) =>
      new Promise((resolve) => {
        answer = () => void Promise.resolve(list(pink)(request, body)).then(resolve);
      });
    const { client, sent } = scripted([slow, list(pink)]);
    const first = client.tags.upsert(vip, byName);
    const second = getRejection(client.tags.upsert(vip, { ...byName, timeoutMs: 20 }));
    const third = client.tags.upsert(vip, byName);
    expect(await second).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      outcome: 'abandoned',
      name: 'DeadlineError',
    });
    expect(sent).toHaveLength(1);
    answer();
    expect(await Promise.all([first, third])).toMatchObject([
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
    ]);
    expect(sent).toHaveLength(2);
  });

  test.each([-1, Number.NaN, '20' as never])('refuses timeoutMs %j as every call does', async (timeoutMs) => {
    const { client } = scripted([list(pink)]);
    const first = client.tags.upsert(vip, byName);
    const second = getRejection(client.tags.upsert(vip, { ...byName, timeoutMs }));
    expect(await second).toMatchObject({ code: 'INVALID_OPTIONS' });
    await first;
  });
});
