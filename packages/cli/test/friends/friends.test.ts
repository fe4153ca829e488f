import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('records', () => {
  test('update accepts the output of get, and rejects fields that it cannot change', async () => {
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

  test('friends are named by user id, tags by name', async () => {
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

  test('friends get, messages and automations accept a display name; changes accept only the user id', async () => {
    const list = (await cli.run(['friends', 'list', '--json'])).json as unknown as Record<string, string>[];
    const emi = list.find(({ displayName }) => displayName === 'Emi Sato');
    const got = await cli.run(['friends', 'get', 'Emi Sato', '--json']);
    expect([got.code, got.json.userId]).toEqual([0, emi?.userId]);
    const ofAccount = ['--account', String(emi?.accountId), '--user', 'Emi Sato'];
    expect((await cli.run(['friends', 'messages', ...ofAccount, '--json'])).code).toBe(0);
    const elsewhere = list.find(({ accountId }) => accountId !== emi?.accountId)?.accountId;
    const missing = await cli.run(['friends', 'automations', String(elsewhere), 'Emi Sato', '--json']);
    expect([missing.code, missing.json.error?.message]).toEqual([6, 'No friend named "Emi Sato".']);
    const tagged = await cli.run(['friends', 'tag', 'Emi Sato', '--tag', 'VIP', '--json']);
    expect(tagged.code).toBe(3);
  });

  test('friends get shows tags by name in a table, and with --fields tags', async () => {
    const get = (...more: string[]) => cli.run(['friends', 'get', 'Dana Novak', ...more]);
    expect((await get('--format', 'table')).stdout).toMatch(/tags +\["VIP"\]/);
    expect((await get('--fields', 'tags', '--json')).json).toEqual({ tags: ['VIP'] });
    expect((await get('--json')).json).not.toHaveProperty('tags');
  });
});
