import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from './harness.ts';
import { create, named } from './tags.ts';

const cli = useCli();

test.runIf(process.platform === 'linux')(
  'a state folder that cannot be made is named, and keeps nothing from reading',
  async () => {
    const env = { ORGCHAT_STATE_DIR: '/proc/orgchat/state' };
    const change = await cli.run(create('Nowhere'), { env });
    expect([change.code, change.json.error?.code]).toEqual([1, 'FILE_UNWRITABLE']);
    expect(change.json.error?.hint).toContain('ORGCHAT_STATE_DIR');
    expect((await cli.run(['tags', 'list'], { env })).code).toBe(0);
    expect((await cli.run(['ops', 'list', '--json'], { env })).json.error?.code).toBe('FILE_UNWRITABLE');
    expect((await cli.run(['mock', 'start', '--detach', '--port', '0', '--json'], { env })).code).toBe(1);
    expect(await named(cli, 'Nowhere')).toBe(0);
  },
);

test('an entry that a later version wrote is named, and no other folder is offered to send it again from', async () => {
  const folder = join(cli.folder, 'later');
  const env = { ORGCHAT_STATE_DIR: folder };
  const once = [...create('Later'), '--intent', 'later', '--json'];
  expect((await cli.run(once, { env })).code).toBe(0);
  const [name = ''] = readdirSync(join(folder, 'journal'));
  const file = join(folder, 'journal', name);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format":1', '"format":2'));
  const { code, json } = await cli.run(once, { env });
  expect([code, json.error?.code]).toEqual([1, 'JOURNAL_FAILED']);
  expect(json.error?.message).toContain(`${name}: it was written in format 2`);
  expect(json.error?.hint).toContain(join(folder, 'journal'));
  expect(json.error?.hint).not.toContain('ORGCHAT_STATE_DIR');
  expect(await named(cli, 'Later')).toBe(1);
});
