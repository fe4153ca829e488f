import { createMock, type Listening } from '@orgchat/mock-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';

const cli = useCli({ inProcess: true });
let server: Listening;

beforeEach(async () => {
  server = await createMock({ rateLimit: 'off' }).listen({ port: 0 });
});
afterEach(() => server.close());

const ask = (): Promise<Response> =>
  fetch(`${server.baseUrl}/me`, { headers: { Authorization: 'Bearer demo-read-key' } });
const requests = async (...args: string[]) => cli.run(['mock', 'requests', ...args, '--url', server.url]);

test('a page of the log, and one request with headers and bodies', async () => {
  for (let n = 0; n < 3; n++) await ask();
  const page = await requests('list', '--after', '1', '--limit', '1', '--json');
  const [row] = JSON.parse(page.stdout) as { id: number; requestId: string }[];
  expect(row).toMatchObject({ id: 2, operation: 'getAccount' });
  const shown = await requests('show', '2', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ...row,
    request: { headers: { authorization: 'Bearer demo***ey' } },
    response: { body: { plan: 'business' } },
  });
  expect(JSON.parse((await requests('show', row?.requestId ?? '', '--json')).stdout)).toMatchObject({
    ...row,
  });
  expect((await requests('show', '99')).code).toBe(6);
  for (const wrong of [
    ['--after', '-1'],
    ['--limit', '0'],
    ['--limit', 'x'],
  ])
    expect((await requests('list', ...wrong)).code).toBe(3);
});

test('--follow prints requests as they arrive, in lines', async () => {
  await ask();
  const following = requests('--follow', '--limit', '3', '--json');
  await ask();
  await ask();
  const { code, stdout } = await following;
  expect(code).toBe(0);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number });
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  const table = await requests('--follow', '--after', '2', '--limit', '1', '--format', 'table');
  expect(table.stdout).toMatch(/^3 {2}[\d:.]{12} {2}getAccount {2}demo\*\*\*ey {2}200\n$/);
});

test('an invalid number of bytes for the log is refused', async () => {
  expect((await cli.run(['mock', 'start', '--log-bytes', '-1'])).code).toBe(3);
});

test('verify has filters, ranges, and says what differs', async () => {
  await ask();
  const verify = (...args: string[]) => requests('verify', '--operation', 'getAccount', ...args, '--json');
  expect((await verify()).code).toBe(0);
  expect((await verify('--at-least', '1', '--at-most', '2', '--applied', 'false')).code).toBe(0);
  expect((await verify('--at-least', '2')).code).toBe(5);
  expect((await verify('--resource', 'tags', '--times', '0')).code).toBe(0);
  expect((await verify('--record-id', 'x', '--times', '0')).code).toBe(0);
  expect((await verify('--body', '{"a":1}', '--times', '0')).code).toBe(0);
  const missed = await requests('verify', '--status', '404', '--format', 'table');
  expect(missed.code).toBe(5);
  expect(missed.stdout + missed.stderr).toContain('status (expected 404, found 200)');
  for (const wrong of [
    ['--body', '{'],
    ['--times', '1', '--at-least', '1'],
    ['--applied', 'maybe'],
  ])
    expect((await verify(...wrong)).code).toBe(3);
});
