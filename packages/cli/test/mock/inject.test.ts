import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
let mock: Mock;
let server: Listening;

beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  server = await mock.listen({ port: 0 });
});
afterEach(() => server.close());

const run = (...args: string[]) => cli.run(['mock', ...args, '--url', server.url]);
const json = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

test('inject adds a record, with fields and with data', async () => {
  const message = await json('inject', 'message', '--to', 'shop/aiko', 'text=Are you open? a=b');
  expect(message).toMatchObject({ direction: 'incoming', text: 'Are you open? a=b' });
  expect(mock.records({ resource: 'messages', limit: 1 }).records).toEqual([message]);
  writeFileSync(join(cli.folder, 'friend.yaml'), 'displayName: Mio\ntagIds: [vip]\n');
  const friend = await json('inject', 'friend', 'accountId=salon', '--data', 'friend.yaml');
  expect(friend).toMatchObject({ displayName: 'Mio' });
  expect(mock.records({ resource: 'friends', limit: 1 }).records).toEqual([friend]);
  expect(await json('inject', 'key', 'name=Second', 'scope=read')).toMatchObject({ name: 'Second' });
  expect(await json('inject', 'click', '--to', 'spring-page')).toMatchObject({ accountId: null });
});

test('inject refuses what is wrong, before it is sent and after', async () => {
  for (const wrong of [
    ['inject', 'message', 'text=Hello'],
    ['inject', 'nothing'],
    ['inject', 'friend', 'Mio'],
    ['inject', 'friend', '--to', 'shop', 'displayName=Mio'],
    ['inject', 'friend', 'color=pink'],
  ]) {
    expect([wrong, (await run(...wrong)).code]).toEqual([wrong, 3]);
  }
  expect((await run('inject', 'message', '--to', 'shop/nobody', 'text=Hello')).code).toBe(6);
  expect((await run('inject', 'site', 'id=demo-site')).code).toBe(5);
  expect((await run('inject', 'site', '--organization', 'nobody')).code).toBe(6);
});

test('records lists a page, and says how many there are', async () => {
  const page = await json('records', 'tags', '--offset', '1', '--limit', '1');
  expect(page).toEqual([mock.records({ resource: 'tags' }).records[1]]);
  const { stdout, stderr } = await run('records', 'tags', '--limit', '1', '--format', 'table');
  expect(stdout).toContain('Trial');
  expect(stderr).toContain('There are 3 records in total.');
  expect((await run('records', 'nothing')).code).toBe(3);
  expect(await json('records', 'sites', '--organization', 'org_demo')).toHaveLength(2);
});
