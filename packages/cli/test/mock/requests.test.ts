import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

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
  expect(table.stdout).toMatch(/^3 {2}[\d:.]{12} {2}getAccount {2}Demo read key {2}200\n$/);
  const picked = ['--follow', '--after', '2', '--limit', '1', '--fields', 'status,operation', '--format'];
  expect((await requests(...picked, 'value')).stdout).toBe('200\tgetAccount\n');
  for (const format of ['json', 'table'])
    expect((await requests(...picked, format)).stdout).toBe('{"status":200,"operation":"getAccount"}\n');
});

test.each([
  [['rewind', '5'], 5, 'Turn it on: orgchat mock limits --history 100'],
  [['requests', 'show', '99'], 6, 'See what there is: orgchat mock requests list'],
  [['fault', 'clear', 'nope'], 6, 'See what there is: orgchat mock fault list'],
  [['sandbox', 'drop', 'nope'], 6, 'See what there is: orgchat mock sandbox list'],
  [['fault', 'add', 'respond'], 3, 'See the options with --help.'],
])('the hint of a refused %j fits', async (args, exit, hint) => {
  const { code, json } = await cli.run(['mock', ...args, '--url', server.url, '--json']);
  expect([code, json.error?.hint]).toEqual([exit, hint]);
});

test.each([
  [['clock', '--set', 'gestern'], '--set <time>. It must be a date and time, such as 2026-05-01T00:00:00Z.'],
  [['clock', '--advance', '365001d'], '--advance <time>. It must be at most 365000d.'],
  [['sandbox', 'create', '--ttl', '8d'], '--ttl <time>. It must be at most 7d.'],
])('%j names the option, and sends nothing', async (args, text) => {
  const { code, json } = await cli.run(['mock', ...args, '--url', 'http://127.0.0.1:9', '--json']);
  expect([code, json.error?.message]).toEqual([3, `Invalid value "${args.at(-1)}" for ${text}`]);
});

test('a mock that was not detached is not stopped', async () => {
  const { code, json } = await cli.run(['mock', 'stop', '--url', server.url, '--json']);
  expect([code, json.error]).toMatchObject([
    6,
    {
      message: `A mock answers at ${server.url}, but it was not started with --detach.`,
      hint: 'Stop it where it was started, with Ctrl-C.',
    },
  ]);
});

/** A mock that answers as told: it lists two requests, and its streams end. After the last one, it resets connections. */
async function scriptedMock(streams: readonly string[]): Promise<ScriptedMock> {
  const lastEventIds: unknown[] = [];
  const script = [...streams];
  const mock = createServer(({ url, headers }, response) => {
    if (url?.startsWith('/_mock/requests')) {
      response.end(JSON.stringify({ requests: [{ id: 1 }, { id: 2 }], dropped: { entries: 0, bodies: 0 } }));
      return;
    }
    lastEventIds.push(headers['last-event-id']);
    const text = script.shift();
    if (text === undefined) response.socket?.destroy();
    else response.end(`retry: 1\nid: 00000000.1.0\n\n${text}`);
  });
  await new Promise<void>((resolve) => mock.listen(0, '127.0.0.1', resolve));
  const { port } = mock.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, lastEventIds, close: () => mock.close() };
}

interface ScriptedMock {
  readonly url: string;
  readonly lastEventIds: readonly unknown[];
  readonly close: () => void;
}

const event = (number: number, name: string, data: object): string =>
  `id: 00000000.1.${number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

test('--follow continues after the last event if the connection breaks, and reports gaps', async () => {
  const mock = await scriptedMock([
    event(1, 'request', { id: 2 }) + event(2, 'clock', {}) + event(3, 'request', { id: 3 }),
    event(7, 'gap', { lost: 4 }) + event(8, 'request', { id: 9 }),
    event(0, 'gap', { lost: null }) + event(1, 'request', { id: 1000 }),
  ]);
  const { code, stdout, stderr } = await cli.run([
    ...['mock', 'requests', '--follow', '--json', '--limit', '5', '--url', mock.url],
  ]);
  mock.close();
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([1, 2, 3, 9, 1000].map((id) => JSON.stringify({ id })));
  expect(stderr).toMatch(/dropped 4 events before they were read.*The mock was restarted/s);
  expect(mock.lastEventIds).toEqual([undefined, '00000000.1.3', '00000000.1.8']);
});

test('--follow fails if the mock cannot be reached again', async () => {
  const mock = await scriptedMock([event(1, 'request', { id: 3 })]);
  const { code, stdout, stderr } = await cli.run([
    'mock',
    'requests',
    '--follow',
    '--json',
    '--url',
    mock.url,
  ]);
  mock.close();
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, 3)).toEqual([1, 2, 3].map((id) => JSON.stringify({ id })));
  expect(stdout + stderr).toContain('No mock server answers');
});

test('a table has time, path, outcome and error, and why a request failed', async () => {
  await ask();
  await fetch(`${server.baseUrl}/me`);
  await fetch(`${server.url}/nowhere`);
  const list = async (...args: string[]) =>
    (await requests('list', '--format', 'table', ...args)).stdout
      .replaceAll(/[\d:.]{12}/g, 'TIME')
      .split('\n');
  const [head, ok, refused, why, unknown, whyUnknown, ...rest] = await list();
  expect(head?.split(/ +/)).toEqual(['ID', 'TIME', 'PATH', 'ACTION', 'STATUS', 'ERROR', 'OUTCOME', 'KEY']);
  expect(ok?.split(/ {2,}/)).toEqual(['1', 'TIME', '/me', 'getAccount', '200', '-', 'ok', 'Demo read key']);
  expect(refused?.split(/ {2,}/)).toEqual([
    '2',
    'TIME',
    '/me',
    'getAccount',
    '401',
    'UNAUTHORIZED',
    'refused',
    '-',
  ]);
  expect(why).toMatch(/^ {4}The request has no header /);
  expect(unknown?.split(/ {2,}/)).toEqual(['3', 'TIME', '/nowhere', '-', '404', 'NOT_FOUND', 'refused', '-']);
  expect(whyUnknown).toMatch(/^ {4}\S/);
  expect(rest).toEqual(['']);
  expect(await list('--failed')).toHaveLength(6);
  expect((await list('--limit', '1'))[1]).toMatch(/^3 /);
  expect((await list('--why'))[2]).toMatch(/^ {4}Key "Demo read key" is valid/);
  expect((await list('--fields', 'id,path')).slice(0, 2)).toEqual(['ID  PATH', '1   /me']);
  const newest = JSON.parse((await requests('--limit', '2', '--failed', '--json')).stdout) as {
    id: number;
  }[];
  expect(newest.map(({ id }) => id)).toEqual([2, 3]);
});

test('--follow says why a request failed, and with --failed prints only those', async () => {
  await ask();
  await fetch(`${server.baseUrl}/me`);
  const lines =
    /^2 {2}[\d:.]{12} {2}getAccount {2}no key {2}401 {2}UNAUTHORIZED\n {4}The request has no header .*\n$/;
  const follow = ['--follow', '--limit', '1', '--format', 'table'];
  expect((await requests(...follow, '--failed')).stdout).toMatch(lines);
  expect((await requests(...follow, '--why')).stdout).toMatch(/\n {4}Key "Demo read key" is valid/);
  const [row] = JSON.parse((await requests('--failed', '--json')).stdout) as { decidedBy: object }[];
  expect(row?.decidedBy).toMatchObject({ step: 'authenticate', clause: '3.10' });
});

test('--why lists every problem of a body', async () => {
  await fetch(`${server.baseUrl}/chat/read`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-read-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ resource: 'friends', serach: '\u202ea', limit: 0 }),
  });
  const { stdout } = await requests('--why', '--format', 'table');
  expect(stdout.split('\n').slice(-4)).toEqual([
    expect.stringContaining('The body has 1 more problem.'),
    '    - The body has no field serach: rename serach to search.',
    '    - limit must be at least 1.',
    '',
  ]);
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
  // No request of getAccount has a resource, and no record has this id: these could never fail.
  expect((await verify('--resource', 'tags', '--times', '0')).code).toBe(3);
  const any = (...args: string[]) => requests('verify', ...args, '--json');
  expect((await any('--resource', 'tags', '--times', '0')).code).toBe(0);
  expect((await any('--record-id', crypto.randomUUID(), '--times', '0')).code).toBe(3);
  expect((await any('--operation-id', crypto.randomUUID(), '--times', '0')).code).toBe(0);
  expect((await any('--operation-id', crypto.randomUUID())).code).toBe(5);
  expect((await any('--body', '{"resource":"tags"}', '--times', '0')).code).toBe(0);
  expect((await verify('--path', '/me', '--times', '1')).code).toBe(0);
  expect((await any('--site-id', 'demo-site', '--times', '0')).code).toBe(0);
  const missed = await requests('verify', '--status', '404', '--format', 'table');
  expect(missed.code).toBe(5);
  expect(missed.stdout + missed.stderr).toContain('status (expected 404, found 200)');
  for (const wrong of [
    ['--body', '{'],
    ['--times', '1', '--at-least', '1'],
    ['--applied', 'maybe'],
    // No request can match these.
    ['--resource', 'tags', '--times', '0'],
    ['--record-id', 'x', '--times', '0'],
    ['--site-id', 'demo-site', '--times', '0'],
    ['--path', '/you', '--times', '0'],
    ['--key', 'demo-writ-key', '--times', '0'],
  ])
    expect((await verify(...wrong)).code).toBe(3);
});
