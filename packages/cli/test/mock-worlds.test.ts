import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Harness } from '../test-support/harness.ts';

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
    expect(stdout).toContain('ttlMs must be at most 604800000');
  });
});
