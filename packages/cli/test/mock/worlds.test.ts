import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Harness, once } from '../../test-support/harness.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

let mock: Mock;
let server: Listening;
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  server = await mock.listen({ port: 0 });
});
afterEach(() => server.close());

const run = (...args: string[]) => cli.run(['mock', ...args, '--url', server.controlUrl, '--json']);

/** Creates a tag; resolves to the requestId. */
async function createTag(): Promise<string> {
  const body = { operationId: crypto.randomUUID(), change: { action: 'create-tags', data } };
  const { status, headers } = await mock.fetch(`${mock.baseUrl}/chat/changes`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
  return headers.get('x-request-id') ?? '';
}
const data = { name: 'New', color: 'pink' };
const applied = (): number => mock.operations().length;

describe('mock rewind', () => {
  test('goes back to the state before a request, with history turned on at run time', async () => {
    const first = await createTag();
    const off = await run('rewind', first);
    expect(off.code).toBe(5);
    expect(off.stdout).toContain('--history 100');
    expect((await run('limits', '--history', '10')).json).toMatchObject({ history: 10 });
    const second = await createTag();
    await createTag();
    expect((await run('rewind', second)).json).toEqual({ id: 2, requestId: second });
    expect(applied()).toBe(1);
    expect((await run('requests')).json[3]).toMatchObject({ action: 'rewind', rewoundTo: second });
    expect((await run('rewind', '99')).code).toBe(6);
    expect((await run('rewind', first)).code).toBe(5);
  });

  test('branches into a sandbox', async () => {
    await run('limits', '--history', '10');
    await createTag();
    const branch = await run('sandbox', 'create', '--from', '1', '--history', '3');
    expect(branch.code).toBe(0);
    const sandbox = mock.sandboxes.get(String(branch.json.id));
    expect([sandbox?.operations().length, sandbox?.patchLimits({}).history, applied()]).toEqual([0, 3, 1]);
  });

  test('works with mock start --history, which refuses too much', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', '--history', '5']);
    const [line] = await once(child);
    const { controlUrl } = JSON.parse(line) as { controlUrl: string };
    expect((await cli.run(['mock', 'limits', '--url', controlUrl, '--json'])).json).toMatchObject({
      history: 5,
    });
    child.kill('SIGTERM');
    await result;
    for (const history of ['1001', '-1', 'many'])
      expect((await cli.run(['mock', 'start', '--port', '0', `--history=${history}`])).code).toBe(3);
    expect((await run('limits', '--history', '1001')).code).toBe(3);
    expect((await run('rewind')).code).toBe(3);
  });
});

describe('mock sandbox create --ttl', () => {
  test('creates a sandbox that says when it is dropped', async () => {
    const before = Date.now();
    expect((await run('sandbox', 'create', '--ttl', '10m')).code).toBe(0);
    const [listed] = (await run('sandbox', 'list')).json as unknown as { expiresAt: string }[];
    expect(Date.parse(listed?.expiresAt ?? '') - before).toBeGreaterThanOrEqual(600_000);
    expect(Date.parse(listed?.expiresAt ?? '') - before).toBeLessThan(700_000);
  });

  test.each(['soon', '0', '-1m'])('refuses %s', async (ttl) => {
    expect((await run('sandbox', 'create', `--ttl=${ttl}`)).code).toBe(3);
    expect(mock.listSandboxes()).toEqual([]);
  });

  test('refuses more than a week, as the mock says', async () => {
    const { code, stdout } = await run('sandbox', 'create', '--ttl', '8d');
    expect(code).toBe(3);
    expect(stdout).toContain('for --ttl <time>. It must be at most 7d.');
  });
});
