import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getThisProcess, readProcessFacts } from '@orgchat/atomic-files';
import { createMock } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ResumeAllOptions } from '../../src/index.ts';
import { clock } from '../../test-support/clock.ts';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';
import { canUnshare, spawnNamespaced } from '../../test-support/programs/namespaced.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, lost, replayed } from '../../test-support/servers/scripted.ts';

/* A program whose container was restarted: it cannot see whether the process before it lives. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder();
const { stored, put, here } = folder;

describe('a restarted container', () => {
  const program = fileURLToPath(new URL('../../test-support/programs/container-child.ts', import.meta.url));
  const mock = createMock({ rateLimit: 'off' });
  let baseUrl = '';
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    ({ baseUrl, close } = await mock.listen({ port: 0 }));
  });
  afterAll(() => close());

  test.runIf(canUnshare)(
    'gets the time, and finishes what the dead process left within its deadline plus five seconds',
    async () => {
      const dead = spawnNamespaced(program, baseUrl, folder.dir, 'begin');
      const over = once(dead, 'exit');
      await once(dead.stdout, 'data');
      dead.kill('SIGKILL');
      await over;
      const { entry } = stored();
      const freeAt = Date.parse(entry.deadline) + 5_000;
      const retryAt = new Date(freeAt).toISOString();

      const next = spawnNamespaced(program, baseUrl, folder.dir, 'finish');
      let said = '';
      for await (const text of next.stdout) said += text;
      const [first, last] = said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const inFlight = { code: 'OPERATION_IN_FLIGHT' };
      expect(first).toMatchObject({
        first: [{ state: 'pending', retryAt, error: inFlight }],
        again: inFlight,
      });
      expect(last).toMatchObject({ last: [{ state: 'applied', operationId: entry.operationId }] });
      expect(mock.requests.list().filter((request) => request.applied)).toHaveLength(1);
      // Not before the hold was over.
      expect(Date.parse(String(last?.endedAt))).toBeGreaterThan(freeAt);
    },
  );
});

describe('resumeAll with wait', () => {
  /** An entry that a process elsewhere began, whose call ends in a minute. */
  async function begunElsewhere(): Promise<void> {
    await getRejection(here(lost).client.tags.create(vip));
    const deadline = new Date(Date.now() + 60_000).toISOString();
    put({
      entry: { ...stored().entry, state: 'pending', deadline },
      owner: { ...getThisProcess(), host: 'elsewhere' },
    });
  }

  async function withClock<T>(work: () => Promise<T>): Promise<T> {
    vi.useFakeTimers({ toFake: [...clock.toFake] });
    try {
      return await work();
    } finally {
      vi.useRealTimers();
    }
  }

  test('resumes as soon as the hold is over, and not before', () =>
    withClock(async () => {
      await begunElsewhere();
      const { client, sent } = here(replayed);
      // What takes time of its own, a digest of the key, is done before the clock is the test's.
      await client.operations.list();
      const told = client.operations.resumeAll({ wait: true });
      await vi.advanceTimersByTimeAsync(65_000);
      expect(sent).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(await told).toMatchObject([{ state: 'applied', replayed: true }]);
      expect(sent).toHaveLength(1);
    }));

  test('sends nothing if the holder settles it in the meantime', () =>
    withClock(async () => {
      await begunElsewhere();
      const { client, sent } = here(applied);
      await client.operations.list();
      const told = client.operations.resumeAll({ wait: true });
      await vi.advanceTimersByTimeAsync(10_000);
      put({ entry: { ...stored().entry, state: 'applied' } });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await told).toMatchObject([{ state: 'applied' }]);
      expect(sent).toHaveLength(0);
    }));

  test('ends with its signal, and leaves the operation as it is', () =>
    withClock(async () => {
      await begunElsewhere();
      const { client, sent } = here(applied);
      const controller = new AbortController();
      await client.operations.list();
      const before = stored();
      const told = client.operations.resumeAll({ wait: true, signal: controller.signal });
      await vi.advanceTimersByTimeAsync(10_000);
      controller.abort();
      expect(await told).toMatchObject([{ state: 'pending' }]);
      expect(sent).toHaveLength(0);
      expect(stored()).toEqual(before);
    }));

  test('reports once what it waits for, and until when', () =>
    withClock(async () => {
      await begunElsewhere();
      const { client } = here(replayed);
      await client.operations.list();
      const { operationId, deadline } = stored().entry;
      const waits: unknown[] = [];
      const onWait: ResumeAllOptions['onWait'] = (operation) => {
        waits.push([operation.operationId, operation.state, operation.retryAt]);
        throw new Error('cannot be shown');
      };
      await client.operations.resumeAll({ onWait });
      expect(waits).toEqual([]);
      const told = client.operations.resumeAll({ wait: true, onWait });
      await vi.advanceTimersByTimeAsync(65_001);
      expect(await told).toMatchObject([{ state: 'applied' }]);
      expect(waits).toEqual([[operationId, 'pending', new Date(Date.parse(deadline) + 5_000)]]);
    }));

  test('refuses an onWait that cannot be called, before it asks about anything', async () => {
    await getRejection(here(lost).client.tags.create(vip));
    const { client, sent } = here(applied);
    const onWait = true as never;
    await expect(client.operations.resumeAll({ wait: true, onWait })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringMatching(/^onWait must be a function; got .*boolean/),
    });
    expect(sent).toHaveLength(0);
  });

  test('does not wait for a living process whose deadline has passed', () =>
    withClock(async () => {
      await getRejection(here(lost).client.tags.create(vip));
      const deadline = new Date(Date.now() - 60_000).toISOString();
      const owner = { ...getThisProcess(), pid: process.ppid, start: readProcessFacts(process.ppid).start };
      put({ entry: { ...stored().entry, state: 'pending', deadline }, owner });
      const [outcome] = await here(applied).client.operations.resumeAll({ wait: true });
      expect(outcome).toMatchObject({ state: 'pending', error: { code: 'OPERATION_IN_FLIGHT' } });
      // Nobody knows when it is free; the error says when to ask again.
      expect(outcome?.retryAt).toBeUndefined();
      expect(outcome?.error?.retryAt).toBeInstanceOf(Date);
    }));
});
