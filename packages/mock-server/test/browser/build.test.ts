import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleBrowser } from '../../bundle-browser.ts';
import type * as browserBuild from '../../src/browser/index.ts';
import { createMock, type MockOptions } from '../../src/index.ts';
import type { ServedMock } from '../../src/served-mock.ts';
import { act, decidedRequests } from '../../test-support/decided-requests.ts';

/** What a page may have to load for the mock, with gzip. */
const mostBytes = 130_000;

let code: string;
let built: typeof browserBuild;

beforeAll(async () => {
  const { outputFiles } = await bundleBrowser('esm', true);
  code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const file = join(mkdtempSync(join(tmpdir(), 'browser-build-')), 'browser.mjs');
  // Without its map, which is not beside it.
  writeFileSync(file, code.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  built = (await import(pathToFileURL(file).href)) as typeof browserBuild;
});

const toUuid = (count: number): `${string}-${string}-${string}-${string}-${string}` =>
  `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;

describe('the build for browsers', () => {
  it('is at most 130 kB as one file, minified and with gzip, and imports nothing', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(mostBytes);
    expect(code).not.toMatch(/\bimport\s*[("'{*]|\brequire\(|\bBuffer\b|\bprocess\./);
  });

  it.each(Object.entries(decidedRequests))('answers and logs like the mock on Node: %s', async (_, given) => {
    const log = async (create: (options: MockOptions) => unknown): Promise<unknown> => {
      let time = Date.UTC(2026, 0, 2);
      let ids = 0;
      const nextId = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => toUuid(++ids));
      const options = { now: () => (time += 5), monotonicNow: () => time, ...given.options };
      const mock = await act({ ...given, options }, create);
      nextId.mockRestore();
      return {
        log: mock.requests.list().map(({ id }) => mock.requests.get(id)),
        state: mock.state(),
        audit: mock.audit(),
      };
    };
    const onNode = await log(createMock);
    expect(await log(built.createMock)).toEqual(onNode);
  });

  it('refuses options that need Node', () => {
    const create = built.createMock as (options: object) => unknown;
    expect(() => create({ data: 'file.db' })).toThrow(
      /^createMock has no option data in a browser\. Its options are seed, state, /,
    );
    expect(() => create({ seed: 'seed.yaml' })).toThrow('must be an object');
  });

  it('has sandboxes, faults, the control API and its log, and answers 404 for what only Node has', async () => {
    const mock = built.createMock();
    const status = async (url: string): Promise<number> => (await mock.fetch(url)).status;
    const { origin } = new URL(mock.baseUrl);
    expect(await status(mock.sandbox().controlUrl.concat('/health'))).toBe(200);
    expect(await status(`${mock.controlUrl}/requests`)).toBe(200);
    const paths = ['/openapi.yaml', '/_mock/', '/_mock/inspector.js', '/_mock/docs', '/_mock/openapi.json'];
    for (const path of paths) expect([path, await status(origin + path)]).toEqual([path, 404]);
    const index = (await (await mock.fetch(origin)).json()) as object;
    expect(Object.keys(index)).not.toContain('inspector');
    await expect((mock as unknown as ServedMock).listen()).rejects.toThrow('cannot listen');
  });
});
