import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Listening, type Mock } from '../../src/index.ts';

let mock: Mock;
let server: Listening;
beforeAll(async () => {
  mock = createMock();
  server = await mock.listen({ port: 0 });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' });
/** `fetch` sets `Host` and `Sec-Fetch-Mode` itself. */
const ask = (path: string, headers: Record<string, string>) =>
  new Promise<{ readonly status: number | undefined }>((resolve, reject) => {
    request({ port: server.port, host: '127.0.0.1', path, headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode });
    })
      .on('error', reject)
      .end();
  });
const page = '/_mock/';
const files = [page, '/_mock/inspector.js', '/_mock/inspector.css'];

describe('the inspector', () => {
  it('is a page with one script and one style sheet of its own', async () => {
    const [html, script, style] = await Promise.all(files.map((file) => get(file)));
    expect(html?.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(style?.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await html?.text()).toContain('<script type="module" src="inspector.js">');
    expect((await script?.text())?.length).toBeGreaterThan(10_000);
  });

  it.each(files)('%s has the security headers', async (file) => {
    const { headers } = await get(file);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  });

  it('is where browsers that open the server are sent, and other programs get JSON', async () => {
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/', '/_mock']) {
      const sent = await get(path, { Accept: browser });
      expect([sent.status, sent.headers.get('location')]).toEqual([302, `${server.url}/_mock/`]);
      expect(sent.headers.get('vary')).toBe('Accept');
    }
    for (const Accept of ['*/*', 'application/json']) {
      const described = await get('/', { Accept });
      expect(described.status).toBe(200);
      expect(await described.json()).toMatchObject({ inspector: `${server.url}/_mock/` });
    }
  });

  it.each([...files, '/', '/openapi.yaml'])('%s answers HEAD as GET, without a body', async (file) => {
    const [got, asked] = [await get(file), await fetch(server.url + file, { method: 'HEAD' })];
    // Those of the connection differ, because `fetch` closes it after HEAD.
    const ofConnection = ['x-request-id', 'date', 'connection', 'keep-alive'];
    const readHeaders = ({ headers }: Response) =>
      [...headers].filter(([name]) => !ofConnection.includes(name));
    expect(asked.status).toBe(200);
    expect(readHeaders(asked)).toEqual(readHeaders(got));
    expect(await asked.text()).toBe('');
  });

  it('has a key of the seed in its commands, and never a placeholder', async () => {
    const own = createMock({
      seed: { organizations: [{ id: 'o', keys: [{ key: 'k1', name: 'K', scope: 'write' }] }] },
    });
    const index = await own.fetch(new URL('/', own.baseUrl));
    expect(await index.text()).toContain('Bearer k1');
  });

  it('exists for each sandbox, at its own address', async () => {
    const sandbox = mock.sandbox();
    const root = `/_sandbox/${sandbox.id}`;
    expect((await get(`${root}/_mock/`)).status).toBe(200);
    const sent = await get(root, { Accept: 'text/html' });
    expect(sent.headers.get('location')).toBe(`${server.url}${root}/_mock/`);
  });

  it('is only read', async () => {
    const posted = await fetch(server.url + page, { method: 'POST' });
    expect(posted.status).toBe(404);
  });

  it('is where listen() says', async () => {
    expect(server.inspectorUrl).toBe(`${server.url}/_mock/`);
  });
});

describe('a page of another address', () => {
  const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const getStatus = async (path: string, headers: Record<string, string>) =>
    (await ask(path, headers)).status;

  it.each(['cross-site', 'same-site'])('is refused if it is %s', async (site) => {
    for (const path of ['/_mock/requests', '/_mock/state', ...files]) {
      const refused = await get(path, { 'Sec-Fetch-Site': site });
      expect([path, refused.status]).toEqual([path, 403]);
      expect(await refused.json()).toMatchObject({ error: 'FORBIDDEN' });
    }
  });

  it('may link to the inspector, but neither frame it nor link to calls', async () => {
    const foreign = { 'Sec-Fetch-Site': 'cross-site', ...link };
    expect(await getStatus(page, foreign)).toBe(200);
    expect(await getStatus(page, { ...foreign, 'Sec-Fetch-Dest': 'iframe' })).toBe(403);
    expect(await getStatus('/_mock/state', foreign)).toBe(403);
  });

  it('is refused, unlike the page itself, the address bar and programs', async () => {
    for (const site of ['same-origin', 'none'])
      expect((await get('/_mock/clock', { 'Sec-Fetch-Site': site })).status).toBe(200);
    expect((await get('/_mock/clock')).status).toBe(200);
  });
});

describe('with a token', () => {
  it('the page is open, its data is not, and the address has the token where browsers do not send it', async () => {
    const guarded = await createMock({ controlToken: 'let me in' }).listen({ port: 0 });
    try {
      expect(guarded.inspectorUrl).toBe(`${guarded.controlUrl}/#token=let%20me%20in`);
      expect((await fetch(guarded.inspectorUrl)).status).toBe(200);
      expect((await fetch(`${guarded.controlUrl}/inspector.js`)).status).toBe(200);
      expect((await fetch(`${guarded.controlUrl}/requests`)).status).toBe(401);
    } finally {
      await guarded.close();
    }
  });

  it('the page is not served under a name that is not of this machine', async () => {
    // A page that points its own name at this machine must not become same-origin.
    const { status } = await ask(page, { Host: 'evil.example' });
    expect(status).toBe(403);
  });
});
