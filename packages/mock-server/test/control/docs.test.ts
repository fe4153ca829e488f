import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { useServer } from '../../test-support/control-server.ts';

const { server } = useServer();
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.controlUrl}/docs${path}`, { headers, redirect: 'manual' });
const committed = (name: string): string =>
  readFileSync(new URL(`../../../../spec/${name}.md`, import.meta.url), 'utf8');

describe('the documents of the mock', () => {
  it.each([
    ['/specification', 'SPECIFICATION'],
    ['/decisions', 'DECISIONS'],
  ])('%s is the text of the repository for programs, and a page for browsers', async (path, name) => {
    const text = await get(path);
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text.headers.get('vary')).toBe('Accept');
    expect(await text.text()).toBe(committed(name));
    const page = await get(path, browser);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toBe('Accept');
    expect(await page.text()).toContain('<h1');
  });

  it('have each clause and each decision at its number', async () => {
    const specification = await (await get('/specification', browser)).text();
    const decisions = await (await get('/decisions', browser)).text();
    const clauses = Array.from(committed('SPECIFICATION').matchAll(/\*\*(\d+(?:\.\d+)+)\*\*/g), ([, n]) => n);
    const numbers = Array.from(committed('DECISIONS').matchAll(/^### (D\d+)/gm), ([, n]) => n);
    expect(clauses.length).toBeGreaterThan(400);
    expect(numbers.length).toBeGreaterThan(90);
    expect(clauses.filter((number) => !specification.includes(`id="${number}"`))).toEqual([]);
    expect(numbers.filter((number) => !decisions.includes(`id="${number}"`))).toEqual([]);
  });

  it('answer with one decision, clause or row', async () => {
    const decision = await (await get('/D62')).text();
    expect(decision).toMatch(/^### D62 /);
    expect(decision).not.toContain('D63 ');
    const clause = await (await get('/4.4.1')).text();
    expect(clause).toBe(
      '### 4.4 Chat changes: `POST {base_url}/chat/changes`\n\n**4.4.1** The operation is named `changeChat`.\n',
    );
    const row = await (await get('/4.4.40')).text();
    expect(row.split('\n').slice(2)).toEqual([
      '| clause | status | when |',
      '|---|---|---|',
      expect.stringMatching(/^\| \*\*4\.4\.40\*\* \| 404 \|/),
      '',
    ]);
    expect(await (await get('/4.4')).text()).toContain('**4.4.40**');
  });

  it('name the request that the reader came from, and mark what decided it', async () => {
    const from = new URLSearchParams({
      request: 'req-0000000t',
      title: 'create-links <b>"404"',
      mark: '4.4.40,D62',
    });
    const page = await (await get(`/decisions?${from}`, browser)).text();
    expect(page).toContain(
      '<a href="../#/requests/req-0000000t">← create-links &#60;b&#62;&#34;404&#34; (req-0000000t)</a>',
    );
    expect(page.match(/<[^>]* data-mark="">/g)).toEqual(['<h3 id="D62" data-mark="">']);
    const [, next = ''] = /href="(specification\?[^"]*)#4\.4\.40"/.exec(page) ?? [];
    const clause = await (await get(`/${next.replaceAll('&#38;', '&')}`, browser)).text();
    expect(clause).toContain('<tr id="4.4.40" data-mark="">');
    expect(clause).toContain('(req-0000000t)</a>');
    // What is not a request changes nothing.
    const other = await (await get('/decisions?request=x%22%3E&title=A&mark=D62', browser)).text();
    expect(other).toBe(await (await get('/decisions', browser)).text());
  });

  it('send a browser to the place of a number', async () => {
    const place = async (path: string) => (await get(path, browser)).headers.get('location');
    expect(await place('/D62')).toBe(`${server.controlUrl}/docs/decisions#D62`);
    expect(await place('/4.4.40')).toBe(`${server.controlUrl}/docs/specification#4.4.40`);
    expect(await place('')).toBe(`${server.controlUrl}/docs/specification`);
  });

  it.each(['/D999', '/9.9.9', '/nothing', '/..%2f..', '/D62%0d%0aX-Header:%20a'])(
    '%s is 404, and says where all are',
    async (path) => {
      for (const headers of [{}, browser]) {
        const answer = await get(path, headers);
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({
          error: 'NOT_FOUND',
          message: expect.stringContaining(`${server.controlUrl}/docs/decisions`),
        });
      }
    },
  );

  it('list their addresses, which sandboxes have too, and require no token', async () => {
    const guarded = await createMock({ controlToken: 'secret' }).listen({ port: 0 });
    try {
      const list = await fetch(`${guarded.controlUrl}/docs`);
      expect(list.status).toBe(200);
      const [address = ''] = /http\S+\/D62/.exec(await list.text()) ?? [];
      expect((await fetch(address)).status).toBe(200);
    } finally {
      await guarded.close();
    }
    const mock = createMock();
    const { controlUrl } = mock.sandbox();
    expect(await (await mock.fetch(`${controlUrl}/docs/D62`)).text()).toMatch(/^### D62 /);
    expect(await (await mock.fetch('http://any/')).json()).toMatchObject({ docs: 'http://any/_mock/docs' });
  });
});
