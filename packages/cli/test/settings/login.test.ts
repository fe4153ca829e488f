import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until, useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true, holdsAnswers: true });

test('a key is refused if the address of its profile is that of another server', async () => {
  const config = join(cli.folder, 'mismatch');
  const env = { ORGCHAT_CONFIG_DIR: config, ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: undefined };
  // As a process that was killed between its two files leaves them.
  mkdirSync(config, { mode: 0o700 });
  const profiles = { default: { baseUrl: cli.ready?.baseUrl, store: 'file' } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
  const stored = { default: { baseUrl: 'https://other.example/api/v1', key: 'demo-write-key' } };
  writeFileSync(join(config, 'keys.json'), JSON.stringify(stored), { mode: 0o600 });
  const { code, json } = await cli.run(['account', '--json'], { env });
  expect([code, json.error]).toMatchObject([
    4,
    {
      code: 'KEY_OF_ANOTHER_SERVER',
      message: `The stored key of profile "default" belongs to https://other.example/api/v1 and is not sent to ${cli.ready?.baseUrl}.`,
      hint: 'Log in again: orgchat auth login --profile default',
    },
  ]);
  expect(await cli.received('getAccount')).toEqual([]);
});

test('logins at the same time keep the profiles of each other', async () => {
  const config = join(cli.folder, 'together');
  const env = { ORGCHAT_CONFIG_DIR: config, ORGCHAT_API_KEY: undefined };
  const asked = async (): Promise<number> => (await cli.received('getAccount')).length;
  const args = ['auth', 'login', '--with-token', '--insecure-storage', '--json', '--profile'];
  const names = ['one', 'two'];
  const logins = names.map((name) => cli.spawn([...args, name], { env }));
  const ends = logins.map((child) => once(child, 'close'));
  // Each has asked the address without a key, and waits for its key.
  await until(async () => (await asked()) === names.length);
  const letGo = cli.hold('getAccount');
  for (const child of logins) child.stdin?.end('demo-read-key\n');
  await until(async () => (await asked()) === 2 * names.length);
  letGo();
  expect((await Promise.all(ends)).map(([code]) => code as number)).toEqual([0, 0]);
  const { profiles } = JSON.parse(readFileSync(join(config, 'profiles.json'), 'utf8'));
  const keys = JSON.parse(readFileSync(join(config, 'keys.json'), 'utf8'));
  expect([Object.keys(profiles).sort(), Object.keys(keys).sort()]).toEqual([names, names]);
});
