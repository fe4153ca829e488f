import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRequests } from '../../test-support/browser/requests.ts';

/* `@orgchat/mock-server/browser` as it is built, in Debian's Chromium, which can reach nothing but this process. */

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** Programs of a user, bundled with the packages as they are built. */
async function bundle(file: string, options: object = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}test-support/browser/${file}`],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'error',
    write: false,
    ...options,
  });
  return outputFiles[0]?.text ?? '';
}

const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' https://api.example.com";

let server: Server;
let origin: string;
let browser: Browser;
const requested = new Set<string>();

beforeAll(async () => {
  const require = createRequire(import.meta.url);
  const packed = { external: ['/browser.js'], alias: { '@orgchat/mock-server/browser': '/browser.js' } };
  const files = new Map([
    ['/browser.js', readFileSync(`${folder}dist/esm/browser.js`, 'utf8')],
    ['/page.js', await bundle('page.ts', packed)],
    ['/worker-page.js', await bundle('worker-page.mjs')],
    ['/worker.js', await bundle('worker.mjs')],
    ['/msw-page.js', await bundle('msw-page.ts')],
    ['/mockServiceWorker.js', readFileSync(require.resolve('msw/mockServiceWorker.js'), 'utf8')],
  ]);
  server = createServer(({ url = '' }, response) => {
    requested.add(url);
    const code = files.get(url);
    const type = code === undefined ? 'text/html' : 'text/javascript';
    const [, module] = url.split('?');
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy });
    response.end(code ?? `<!doctype html><script type="module" src="${module}"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath: process.env.ORGCHAT_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
});

afterAll(async () => {
  await browser.close();
  server.close();
});

/** Loads a module that leaves its result in the global variable `result`; returns the result, and what was requested. */
async function run(module: string): Promise<unknown> {
  requested.clear();
  const page = await browser.newPage();
  const left: string[] = [];
  page.on('response', (response) => {
    if (!response.url().startsWith(origin) && !response.fromServiceWorker()) left.push(response.url());
  });
  await page.goto(`${origin}/?${module}`);
  const result = await page.evaluate(() => (globalThis as unknown as { result: unknown }).result);
  await page.close();
  return { result, left, files: [...requested].slice(1) };
}

it('answers in a page as on Node, with a strict Content-Security-Policy, and sends nothing', async () => {
  const onNode = await sendRequests(createMock({ now: () => Date.UTC(2026, 3, 10), randomSeed: 1 }));
  expect(onNode.answers).toHaveLength(12);
  expect(await run('/page.js')).toEqual({
    result: onNode,
    left: [],
    files: ['/page.js', '/browser.js'],
  });
});

it('answers the SDK in a Web Worker: a lost answer, the retry, one record', async () => {
  expect(await run('/worker-page.js')).toEqual({
    result: { replayed: true, name: 'From a worker', total: 1 },
    left: [],
    files: ['/worker-page.js', '/worker.js'],
  });
});

it('answers what msw intercepts in the browser', async () => {
  expect(await run('/msw-page.js')).toEqual({
    result: ['TypeError: Failed to fetch', [200, true], 2],
    left: [],
    files: ['/msw-page.js', '/mockServiceWorker.js'],
  });
});
