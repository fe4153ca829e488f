import { describe, expect, test } from 'vitest';
import { useCli } from './harness.ts';

const cli = useCli();

describe('records', () => {
  test('what get prints of a friend goes into update, which says what it does not change', async () => {
    const [first] = (await cli.run(['friends', 'list', '--json'])).json as unknown as { userId: string }[];
    const userId = String(first?.userId);
    const { json: friend } = await cli.run(['friends', 'get', userId, '--json']);
    const update = (file: object, ...named: string[]) =>
      cli.run(['friends', 'update', ...named, '--data', '-', '--json'], { input: JSON.stringify(file) });
    const edited = { ...friend, notes: 'Read and given back.' };
    const changed = await update(edited);
    expect([changed.code, changed.json.result]).toMatchObject([0, { userId, notes: 'Read and given back.' }]);
    expect((await update(edited, userId)).json.error?.code).toBe('STALE_REVISION');
    const now = (await cli.run(['friends', 'get', userId, '--json'])).json;
    const tagged = await update({ ...now, tagIds: [] });
    expect([tagged.code, tagged.json.error?.hint]).toEqual([
      3,
      expect.stringContaining('friends tag USER --set'),
    ]);
    const other = await update(edited, `U${'0'.repeat(32)}`);
    expect([other.code, other.json.error?.message]).toEqual([3, expect.stringContaining('another record')]);
  });

  test('friends by user id, tags by name', async () => {
    const list = await cli.run(['friends', 'list', '--search', 'ben', '--json']);
    const [userId, accountId] = [String(list.json[0]?.userId), String(list.json[0]?.accountId)];
    const tagged = await cli.run(['friends', 'tag', userId, '--tag', 'VIP', '--json']);
    expect(tagged.json.result?.tagIds).toHaveLength(2);
    const untagged = await cli.run([
      'friends',
      'tag',
      accountId,
      userId,
      '--remove',
      'VIP,Newsletter',
      '--json',
    ]);
    expect(untagged.json.result?.tagIds).toEqual([]);
    const enrolled = await cli.run([
      'friends',
      'enroll',
      `Demo shop/${userId}`,
      '--scenario',
      'Welcome series',
      '--json',
    ]);
    expect(enrolled.json.result).toMatchObject({ userId, status: 'active' });
    expect((await cli.run(['friends', 'automations', userId, '--json'])).json).toHaveLength(1);
    expect((await cli.run(['friends', 'messages', userId, '--json'])).json[0]).toHaveProperty('text');
    const updated = await cli.run([
      'friends',
      'update',
      userId,
      '--status',
      'resolved',
      '--notes',
      'none',
      '--json',
    ]);
    expect(updated.json.result).toMatchObject({ status: 'resolved', notes: null });
  });
});
