import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const tagChange = { action: 'create-tags', data: data.tags };

describe('a sandbox', () => {
  it('has its own state, clock, limits, faults and request log', async () => {
    const root = createMock({ rateLimit: 2, now: () => Date.parse('2026-04-01T00:00:00.000Z') });
    const [one, two] = [root.sandbox(), root.sandbox()];
    const callers = [root, one, two].map((mock) => new Caller(mock));
    one.clock.move({ now: '2030-01-01T00:00:00.000Z' });
    one.faults.arm({ effect: 'respond', status: 500 });
    expect((await callers[1]?.me())?.status).toBe(500);
    for (const caller of callers) expect((await caller.apply(tagChange)).status).toBe(200);
    for (const caller of callers) expect((await caller.me()).status).toBe(200);
    for (const caller of callers) expect((await caller.me()).status).toBe(429);
    expect([root, one, two].map((mock) => mock.requests.list().length)).toEqual([3, 4, 3]);
    expect(two.clock.read().iso).toBe('2026-04-01T00:00:00.000Z');
  });

  it('resets to the state it was forked from', async () => {
    const root = createMock();
    const caller = new Caller(root);
    await caller.apply(tagChange);
    const sandbox = root.sandbox({ state: root.state() });
    const inside = new Caller(sandbox);
    await inside.apply(tagChange);
    expect((await inside.read({ resource: 'tags' })).body.total).toBe(5);
    sandbox.reset();
    expect((await inside.read({ resource: 'tags' })).body.total).toBe(4);
    sandbox.drop();
    expect((await root.fetch(`${sandbox.baseUrl}/me`)).status).toBe(410);
  });

  it('serves over HTTP by itself', async () => {
    const sandbox = createMock().sandbox();
    const server = await sandbox.listen({ port: 0 });
    const caller = new Caller({ baseUrl: server.baseUrl, fetch });
    expect((await caller.me()).status).toBe(200);
    await server.close();
  });
});

describe('the fixture for node:test', () => {
  it('gives each test its own', { timeout: 60_000 }, () => {
    const file = fileURLToPath(new URL('../../test-support/node-test-consumer.ts', import.meta.url));
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--test', '--test-reporter=tap', bundleProgram(file)],
      {
        encoding: 'utf8',
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      },
    );
    expect(stdout).toContain('# pass 2');
    expect(status).toBe(0);
  });
});
