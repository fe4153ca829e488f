import { describe, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const run = (...args: string[]) => cli.run([...args, '--json']);
const tagNames = async () =>
  (await cli.run(['tags', 'list', '--format', 'value', '--fields', 'name'])).stdout.trim().split('\n').sort();

describe('get of several names', () => {
  test('prints them in the order in which they were named', async () => {
    const { json } = await run('tags', 'get', 'VIP', 'Trial');
    expect(json).toMatchObject([{ name: 'VIP' }, { name: 'Trial' }]);
    const lines = await cli.run(['tags', 'get', 'VIP', 'Trial', '--format', 'value', '--fields', 'name']);
    expect(lines.stdout).toBe('VIP\nTrial\n');
    expect((await cli.run(['tags', 'get', 'VIP', 'Trial', '--format', 'table'])).stdout).toMatch(
      /^NAME +COLOR/,
    );
  });

  test('prints nothing if one of them does not exist', async () => {
    const { code, json } = await run('tags', 'get', 'VIP', 'Nobody');
    expect([code, json.error?.message]).toEqual([6, 'No tag named "Nobody".']);
  });
});

describe('delete of several names', () => {
  test('prints a result per record, and asks once', async () => {
    const unasked = await run('tags', 'delete', 'VIP', 'Trial');
    expect([unasked.code, unasked.json.error]).toMatchObject([
      3,
      { code: 'CONFIRMATION_NEEDED', message: expect.stringContaining('Delete 2 tags: "VIP", "Trial"?') },
    ]);
    const { code, json, stderr } = await run('tags', 'delete', 'VIP', 'Trial', '--yes');
    expect([code, json]).toMatchObject([
      0,
      [
        { name: 'VIP', outcome: 'applied', result: { deleted: true } },
        { name: 'Trial', outcome: 'applied', operationId: expect.any(String) },
      ],
    ]);
    expect(stderr).toContain('tags: 2 applied.');
    expect(await tagNames()).toEqual(['Newsletter']);
  });

  test('deletes nothing if one of them does not exist', async () => {
    const { code, json } = await run('tags', 'delete', 'VIP', 'Nobody', '--yes');
    expect([code, json.error?.code]).toEqual([6, 'NOT_FOUND']);
    expect(await tagNames()).toEqual(['Newsletter', 'Trial', 'VIP']);
  });

  test('exits 7 if the outcome of one is unknown, and deletes the others', async () => {
    await cli.control('POST', '/faults', { effect: 'lose-response', action: 'delete-configuration' });
    const { code, json } = await run('tags', 'delete', 'VIP', 'Trial', '--yes', '--retries', '0');
    const outcomes = (json as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
    expect([code, outcomes.sort()]).toEqual([7, ['applied', 'unknown']]);
    expect((await run('ops', 'resume', '--all')).code).toBe(0);
    expect(await tagNames()).toEqual(['Newsletter']);
  });

  test('exits 4 if the key may not write, although the last ones were not started', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Tag ${index}`);
    for (const name of names) await run('tags', 'create', '--name', name, '--color', 'blue');
    const env = { ORGCHAT_API_KEY: 'demo-read-key' };
    const { code, json } = await cli.run(['tags', 'delete', ...names, '--yes', '--json'], { env });
    const outcomes = (json as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
    expect([code, new Set(outcomes)]).toEqual([4, new Set(['refused', 'not-started'])]);
  });

  test('refuses what is about one record, and previews all of them', async () => {
    for (const flag of [
      ['--intent', 'x'],
      ['--expect-label', 'x'],
    ])
      expect((await run('tags', 'delete', 'VIP', 'Trial', '--yes', ...flag)).code).toBe(3);
    const { json } = await run('tags', 'delete', 'VIP', 'Trial', 'VIP', '--dry-run');
    expect(json.changes).toHaveLength(2);
  });

  test('the same record under two names is deleted once', async () => {
    const { id } = (await run('tags', 'get', 'VIP')).json;
    const { code, json } = await run('tags', 'delete', 'VIP', String(id), '--yes');
    expect([code, json]).toMatchObject([0, [{ name: 'VIP', outcome: 'applied' }]]);
  });
});

describe('delete of a record that others use', () => {
  const unread = 'warning: Friends with a deleted tag are not looked at.\n';
  const preview = (...names: string[]) => run('tags', 'delete', ...names, '--dry-run');

  test('names them, and says what it does not look at', async () => {
    for (const names of [['VIP'], ['VIP', 'Trial']]) {
      const { code, stderr } = await preview(...names);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/warning: The tag "VIP" is still used by .*(route|link|broadcast|scenario) "/),
      ]);
      expect(stderr).toContain(unread);
    }
  });

  test('names nothing if nothing uses it', async () => {
    await run('tags', 'create', '--name', 'Free', '--color', 'blue');
    expect((await preview('Free')).stderr).not.toContain('still used');
  });

  test('is possible if the users cannot be read', async () => {
    await cli.control('POST', '/faults', {
      effect: 'respond',
      status: 500,
      operation: 'readChat',
      resource: 'routes',
      times: 'always',
    });
    const { code, stderr } = await run('tags', 'delete', 'Trial', '--dry-run', '--retries', '0');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Cannot find out what uses tag "Trial"')]);
  });

  test.each([[['VIP']], [['VIP', 'Trial']]])('reads no other list with --yes: %j', async (names) => {
    const { code, stderr } = await run('tags', 'delete', ...names, '--yes');
    const read = new Set((await cli.received('readChat')).map(({ resource }) => resource));
    expect([code, stderr, read]).toEqual([0, expect.not.stringContaining('warning'), new Set(['tags'])]);
  });
});
