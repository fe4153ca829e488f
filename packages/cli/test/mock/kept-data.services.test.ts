import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeedDocument } from '@orgchat/mock-server';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';
import { startMock } from '../../test-support/started-mock.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

const start = (args: readonly string[]) => startMock(cli, args);
const mock = (args: readonly string[]) => cli.run(['mock', ...args, '--json']);

describe('a data file', () => {
  test('that contains data is used instead of the seed, with a warning', async () => {
    const data = join(cli.folder, 'kept.sqlite');
    const seed = join(cli.folder, 'own.yaml');
    writeFileSync(seed, 'organizations: [{ id: org_own, keys: [{ key: own-key, name: K, scope: write }] }]');
    const args = ['--data', data, '--seed', seed];
    expect(await (await start(args)).stop()).toBe('');
    expect(statSync(data).mode & 0o777).toBe(0o600);
    expect(await (await start(['--data', data])).stop()).toBe('');
    expect(await (await start(args)).stop()).toContain(
      `${data} already contains data, so --seed ${seed} was ignored.`,
    );
    const { json, stderr } = await mock(['start', '--detach', '--port', '0', ...args]);
    expect(stderr).toContain('was ignored');
    await mock(['stop', '--url', String(json.url)]);
  });

  test('that is damaged is refused, and used as far as it can be read if the loss is accepted', async () => {
    const data = join(cli.folder, 'damaged.sqlite');
    expect(await (await start(['--data', data])).stop()).toBe('');
    const bytes = readFileSync(data);
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(data, bytes);
    const refused = await mock(['start', '--port', '0', '--data', data]);
    expect([refused.code, refused.json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(refused.json.error?.message).toMatch(/is damaged: .*not modified.*--data-accept-loss/);
    expect(readFileSync(data).equals(bytes)).toBe(true);
    expect(await (await start(['--data', data, '--data-accept-loss'])).stop()).toMatch(
      /is damaged: .*What could be read is used; the damaged files are .*damaged\.sqlite\.damaged-/,
    );
    expect(await (await start(['--data', data])).stop()).toBe('');
    const alone = await mock(['start', '--port', '0', '--data-accept-loss']);
    expect([alone.code, alone.json.error?.message]).toEqual([3, '--data-accept-loss requires --data.']);
  });

  test.each([
    ['is a directory', '.', /is a directory\. Choose a file in it/],
    ['is in no directory', 'nowhere/mock.sqlite', /the directory .* does not exist/],
    ['is on a full disk', '/dev/full', /the disk is full\. Free some space/],
  ])('that %s is refused with what to do', async (_what, data, message) => {
    const { code, json } = await mock(['start', '--port', '0', '--data', data]);
    expect([code, json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(json.error?.message).toMatch(message);
  });
});

describe('a saved state', () => {
  test('can be read by its owner alone, and is loaded again', async () => {
    const { ready, stop } = await start([]);
    const at = ['--url', ready.controlUrl];
    const file = join(cli.folder, 'saved.json');
    expect((await mock(['state', 'save', file, ...at])).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await mock(['state', 'load', file, ...at])).code).toBe(0);
    expect((await mock(['sandbox', 'create', '--state', file, ...at])).code).toBe(0);
    await stop();
  });

  test('may be larger than a request of the API', async () => {
    const { ready, stop } = await start([]);
    const seed = join(cli.folder, 'large.json');
    expect((await cli.run(['mock', 'seed', '--friends', '420', '-o', seed])).code).toBe(0);
    const { organizations, ...rest } = JSON.parse(readFileSync(seed, 'utf8')) as SeedDocument;
    const notes = 'x'.repeat(40_000);
    const withNotes = organizations.map((organization) => ({
      ...organization,
      friends: (organization.friends ?? []).map((friend) => ({ ...friend, notes })),
    }));
    writeFileSync(seed, JSON.stringify({ ...rest, organizations: withNotes }));
    const large = await start(['--seed', seed, '--rate-limit', 'off']);
    const file = join(cli.folder, 'large-state.json');
    expect((await mock(['state', 'save', file, '--url', large.ready.url])).code).toBe(0);
    await large.stop();
    expect(statSync(file).size).toBeGreaterThan(16 * 2 ** 20);
    const friends = async (baseUrl: string) => {
      const env = { ORGCHAT_BASE_URL: baseUrl, ORGCHAT_API_KEY: 'demo-write-key' };
      const read = await cli.run(['friends', 'list', '--search', '41', '--json'], { env });
      return Object.keys(read.json).length;
    };
    expect(await friends(ready.baseUrl)).toBe(0);
    const { json, code } = await mock(['sandbox', 'create', '--state', file, '--url', ready.url]);
    expect(code).toBe(0);
    expect(await friends(String(json.baseUrl))).toBe(14);
    expect((await mock(['state', 'load', file, '--url', ready.url])).code).toBe(0);
    expect(await friends(ready.baseUrl)).toBe(14);
    await stop();
  }, 120_000);

  test('that is invalid is rejected with a valid example', async () => {
    const { ready, stop } = await start([]);
    const file = join(cli.folder, 'none.json');
    writeFileSync(file, '{"format":"x"}');
    const { code, json } = await mock(['state', 'load', file, '--url', ready.url]);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
    expect(json.error?.message).toContain('must be "orgchat-state"');
    await stop();
  });
});
