import { afterAll, describe, expect, test } from 'vitest';
import { Harness, type Result } from '../../test-support/harness.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

describe('seed', () => {
  test.each(['large.json', 'large.yaml'])('of any size, which mock start accepts: %s', async (file) => {
    const size = ['--friends', '400', '--messages', '1', '--tags', '150'];
    const made = await cli.run(['mock', 'seed', ...size, '-o', file]);
    expect([made.code, made.stdout]).toEqual([0, '']);
    const list = [process.execPath, cli.command, 'friends', 'list', '--all', '--pacing', 'off', '--json'];
    const { code, json } = await cli.run([
      'mock',
      'exec',
      '--seed',
      file,
      '--rate-limit',
      'off',
      '--',
      ...list,
    ]);
    expect(code).toBe(0);
    expect(Number(json.length)).toBeGreaterThan(400);
  });

  test('on stdout, always the same, with only the demo keys', async () => {
    const args = ['mock', 'seed', '--friends', '3', '--random-seed', '7'];
    const [one, same] = [await cli.run(args), await cli.run(args)];
    expect(same.stdout).toBe(one.stdout);
    const keysIn = ({ json }: Result): string[] =>
      (json.organizations as unknown as { keys: { key: string }[] }[]).flatMap(({ keys }) =>
        keys.map(({ key }) => key),
      );
    expect(keysIn(one)).toEqual(keysIn(await cli.run(['mock', 'seed'])));
    const nowhere = await cli.run(['mock', 'seed', '-o', 'no/such/folder.json', '--json']);
    expect([nowhere.code, nowhere.json.error?.code]).toEqual([3, 'FILE_UNWRITABLE']);
  });
});
