import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DataFile } from '../../src/data-file/data-file.ts';
import { loadDriver } from '../../src/data-file/database.ts';
import { readDataFile } from '../../src/data-file/read-data-file.ts';
import { data } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const tagChange = { action: 'create-tags', data: data.tags };
const file = new RestartableMock();
afterEach(() => vi.restoreAllMocks());
const megabyte = 1024 * 1024;

/** The size of each batch that is written. */
function watchBatches(): number[] {
  const sizes: number[] = [];
  const { append } = DataFile.prototype;
  vi.spyOn(DataFile.prototype, 'append').mockImplementation(function (this: DataFile, text) {
    sizes.push(text.length);
    return append.call(this, text);
  });
  return sizes;
}

describe('the log of a data file', () => {
  it('has lines whose size does not depend on the limit', async () => {
    const sizes = watchBatches();
    const { caller } = file.start({ rateLimit: 1_000_000 });
    for (let n = 0; n < 500; n++) await caller.me();
    expect(sizes).toHaveLength(500);
    expect(Math.max(...sizes)).toBeLessThan(200);
  });

  it('keeps the counted requests of the last minute across a restart', async () => {
    let now = Date.parse('2026-05-01T00:00:00.000Z');
    const options = { rateLimit: 5, now: () => now };
    const { caller } = file.start(options);
    for (let n = 0; n < 5; n++) {
      expect((await caller.me()).status).toBe(200);
      now += 10_000;
    }
    const again = file.start(options);
    expect((await again.caller.me()).status).toBe(429);
    now += 10_000;
    expect((await again.caller.me()).status).toBe(200);
    expect((await file.start(options).caller.me()).status).toBe(429);
  });

  it('is rewritten in the background if it is much larger than the state', { timeout: 60_000 }, async () => {
    const rewrite = vi.spyOn(DataFile.prototype, 'rewrite');
    const { mock, caller } = file.start();
    await caller.apply({ action: 'create-templates', data: data.templates });
    const { id } = await caller.first('templates');
    const sizes: number[] = [];
    for (let n = 0; rewrite.mock.calls.length === 0 || sizes.length < 200; n++) {
      mock.edit({ resource: 'templates', id, data: { text: `${n} `.padEnd(5_000, 'x') } });
      expect((await caller.me()).status).toBe(200);
      if (rewrite.mock.calls.length > 0) sizes.push(n);
    }
    await rewrite.mock.results[0]?.value;
    await caller.apply(tagChange);
    const before = { ...(mock.state() as object), savedAt: '' };
    expect(rewrite).toHaveBeenCalledTimes(1);
    file.close();
    expect(statSync(file.path).size).toBeLessThan(4 * megabyte);
    expect({ ...(file.start().mock.state() as object), savedAt: '' }).toEqual(before);
  });

  it('counts if a server is closed while it is rewritten', { timeout: 60_000 }, async () => {
    const { mock, caller } = file.start();
    await caller.apply({ action: 'create-templates', data: data.templates });
    const { id } = await caller.first('templates');
    const rewrite = vi.spyOn(DataFile.prototype, 'rewrite');
    for (let n = 0; rewrite.mock.calls.length === 0; n++) {
      mock.edit({ resource: 'templates', id, data: { text: `${n} `.padEnd(5_000, 'x') } });
      await caller.me();
    }
    const before = { ...(mock.state() as object), savedAt: '' };
    const again = file.start();
    expect({ ...(again.mock.state() as object), savedAt: '' }).toEqual(before);
    await again.caller.apply(tagChange);
    expect((await file.start().caller.read({ resource: 'tags' })).body.total).toBe(4);
  });

  it('is not locked again by a step that begins while its server closes', async () => {
    const { Database, execInBackground } = loadDriver();
    const data = DataFile.open(file.path, undefined);
    data.replace(['the state']);
    // They use every thread of the driver for a while, so that the step begins late.
    const busy = Array.from({ length: 2 * availableParallelism() }, () =>
      execInBackground(
        new Database(':memory:'),
        'CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 200000) SELECT x FROM c',
      ),
    );
    const rewritten = data.rewrite(['a later state'], () => true);
    data.close();
    const batches: string[] = [];
    const content = readDataFile(file.path, (batch) => batches.push(batch));
    const again = DataFile.open(file.path, content);
    // The step is done: if it began now, the file would be in use.
    expect(await rewritten).toBe(false);
    expect(batches).toEqual(['the state']);
    await Promise.all(busy);
    again.close();
  });
});

describe('health', () => {
  const isReady = async ({ controlUrl, fetch }: { controlUrl: string; fetch: typeof globalThis.fetch }) =>
    (await fetch(`${controlUrl}/health`)).status;

  it('is answered while a write takes long, and other requests wait for it', async () => {
    const { mock, caller } = file.start();
    const { append } = DataFile.prototype;
    let finish = (): void => {};
    vi.spyOn(DataFile.prototype, 'append').mockImplementation(async function (this: DataFile, text) {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return append.call(this, text);
    });
    const answered: string[] = [];
    const change = caller.apply(tagChange).then(() => answered.push('change'));
    await vi.waitUntil(() => vi.mocked(DataFile.prototype.append).mock.calls.length === 1);
    expect(await isReady(mock)).toBe(200);
    expect(answered).toEqual([]);
    finish();
    await change;
  });

  it('is answered while nothing can be written', async () => {
    const { mock, caller } = file.start({ onError: () => {} });
    vi.spyOn(DataFile.prototype, 'append').mockRejectedValue(new Error('the disk is full'));
    expect((await caller.me()).status).toBe(500);
    expect(await isReady(mock)).toBe(200);
    vi.restoreAllMocks();
    expect((await caller.me()).status).toBe(200);
  });
});
