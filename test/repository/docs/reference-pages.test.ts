import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { errorCatalog } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { generateReference } from '../../../docs/site/reference/index.ts';
import { ApiDocument, type Endpoint } from '../../../docs/site/reference/openapi.ts';
import { placeEndpoint, SchemaPlaces } from '../../../docs/site/reference/schema-places.ts';
import { readPages } from '../../test-support/reference-pages.ts';

/* The pages of the site that are made from the documents of the API and the codes. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = await generateReference(root);
const { read, readSection } = readPages(pages);

it('have one page for each address, and no link between them that leads to nothing', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  const anchors = new Set(
    pages.flatMap(({ path, text }) => [
      path,
      ...Array.from(text.matchAll(/\{#([^}]+)\}$/gm), ([, anchor]) => `${path}#${anchor}`),
    ]),
  );
  const isGenerated = /^\/reference\/(?:api|control-api|commands|error-codes|exit-codes)\b/;
  const links = pages.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) =>
      target.startsWith('#') ? path + target : target,
    ),
  );
  expect(links.length).toBeGreaterThan(700);
  const headings = ['/reference/commands/#global-options', '/reference/control-api/#errors-of-every-request'];
  const lost = links.filter((link) => isGenerated.test(link) && !anchors.has(link));
  expect([...new Set(lost)].sort()).toEqual(headings);
});

/** The names of all fields below some schemas. */
function listFieldNames(schemas: unknown, names = new Set<string>()): Set<string> {
  if (typeof schemas !== 'object' || schemas === null) return names;
  for (const [key, inner] of Object.entries(schemas)) {
    if (key === 'examples') continue;
    if (key === 'properties') for (const name of Object.keys(inner)) names.add(name);
    listFieldNames(inner, names);
  }
  return names;
}

/** What the page that the start page links says about an endpoint. */
function readEndpoint(base: string, { method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const link = `| [\`${method} ${path}\`](`;
  const [, after = ''] = read(base).split(link);
  const [page = '', anchor] = after.slice(0, after.indexOf(')')).split('#');
  return anchor === undefined ? read(page) : readSection(page, anchor);
}

describe.each([
  { file: 'openapi', base: '/reference/api/', hasOwnPages: true },
  { file: 'control.openapi', base: '/reference/control-api/', hasOwnPages: false },
])('the pages of $file', ({ file, base, hasOwnPages }) => {
  const document = ApiDocument.read(root, file);
  const { endpoints } = document;

  it('list every endpoint at the top, and describe it with each of its statuses', () => {
    expect(endpoints.length).toBeGreaterThan(4);
    for (const endpoint of endpoints) {
      const { method, path, operation } = endpoint;
      const section = readEndpoint(base, endpoint);
      expect(section).toContain(`\`${method} ${path}\``);
      for (const status of Object.keys(operation.responses))
        expect([operation.operationId, status, (section + read(base)).includes(`\`${status}\``)]).toEqual([
          operation.operationId,
          status,
          true,
        ]);
    }
  });

  it('describe every field of every schema in its own section', () => {
    const places = new SchemaPlaces(document, base, (endpoint) =>
      placeEndpoint(document, { base, hasOwnPages }, endpoint),
    );
    const { schemas } = document.content.components;
    // What answers have as requests have it is shown once.
    const findShown = (name: string): string => {
      const inRequests = name.replace(/Output$/, '');
      const isOwn = read(`${base}objects-in-answers`).includes(`{#${name}}`);
      return isOwn || !(inRequests in schemas) ? name : inRequests;
    };
    const lost = Object.entries(schemas).flatMap(([name, schema]) => {
      const [, path = '', anchor = ''] = /\]\((\S+)#(\S+)\)/.exec(places.link(findShown(name))) ?? [];
      const section = readSection(path, anchor);
      return [...listFieldNames([schema])]
        .filter((field) => !new RegExp(`\\x60(?:[\\w.[\\]]+\\.)?${field}\\x60`).test(section))
        .map((field) => `${name}.${field}`);
    });
    expect(lost).toEqual([]);
  });

  it('show a request with curl for each endpoint, which the mock accepts', async () => {
    for (const endpoint of endpoints) {
      const { method, operation } = endpoint;
      const section = readEndpoint(base, endpoint);
      const [, command = ''] = /````sh(?: \[curl\])?\n([\s\S]*?)\n````/.exec(section) ?? [];
      const [, url = ''] = /(http:[^\s']+)/.exec(command) ?? [];
      const [, body] = /-d '([\s\S]*)'$/.exec(command) ?? [];
      const headers = Object.fromEntries(
        Array.from(command.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]),
      );
      expect(/ -X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST')).toBe(method);
      const request = { method, headers, ...(body !== undefined && { body }) };
      const answer = await createMock().fetch(url, request);
      // Records in examples of the control API do not exist in the demo organization, but the path does.
      const isMissing =
        answer.status === 404 && !/There is no (?:such path|control call)/.test(await answer.text());
      const isAccepted = answer.status < 300 || (file !== 'openapi' && (answer.status === 409 || isMissing));
      expect([operation.operationId, isAccepted || answer.status]).toEqual([operation.operationId, true]);
    }
  });
});

describe('the pages of the API', () => {
  it('begin with the address and the key, then a request and its answer, and the endpoints', () => {
    const [box = '', request = '', list = '', limit = ''] = read('/reference/api/').split('\n## ');
    expect(box).toMatch(/\n\| Base URL \| `http:.*\n\| Authentication \| Send `Authorization: Bearer KEY`/);
    for (const path of ['GET /me', 'POST /sites/{siteId}/keywords', 'POST /chat/read', 'POST /studio/read'])
      expect(list).toContain(`| [\`${path}\`](`);
    expect(list).toMatch(/\| \[`POST \/chat\/changes`\].* \| `write` \|/);
    expect(list).toMatch(/\/chat\/read`\].* \| `read` or `write` \|/);
    expect(request).toMatch(/````sh \[curl\]\ncurl [\s\S]*````json\n\{/);
    expect(limit).toMatch(/\| `429` \[`RATE_LIMITED`\]\(/);
    expect(read('/reference/api/').match(/Bearer KEY/g)).toHaveLength(1);
  });

  it.each([
    ['/chat/read', 'demo-read-key'],
    ['/chat/changes', 'demo-write-key'],
    ['/studio/read', 'demo-read-key'],
  ])('%s has a request with the key %s, and its answer below', (path, key) => {
    const page = readEndpoint('/reference/api/', { method: 'POST', path });
    expect(page).toMatch(new RegExp(`Bearer ${key}'[\\s\\S]*\n:::\n\nThe response has .*\n\n\x60{4}json\n`));
  });

  it('name for each error what to do, and only codes that the endpoint answers with', () => {
    const list = (path: string): string[] => {
      const [, table = ''] = readEndpoint('/reference/api/', { method: 'POST', path }).split(
        '\n## Errors {#errors}\n',
      );
      return Array.from(table.matchAll(/^\| \[`(\w+)`\].* \| .+ \| .+ \|$/gm), ([, code = '']) => code);
    };
    expect(list('/chat/read')).not.toContain('KEYWORD_LIMIT_EXCEEDED');
    expect(list('/sites/{siteId}/keywords')).toContain('KEYWORD_LIMIT_EXCEEDED');
    expect(list('/sites/{siteId}/keywords')).not.toContain('RUNTIME_UNAVAILABLE');
    expect(list('/chat/changes')).toEqual(expect.arrayContaining(['STALE_REVISION', 'RUNTIME_UNAVAILABLE']));
  });

  it('show the request of curl with the SDK, too', async () => {
    const { endpoints } = ApiDocument.read(root, 'openapi');
    for (const endpoint of endpoints) {
      const { operation } = endpoint;
      const section = readEndpoint('/reference/api/', endpoint);
      const [, code = ''] = /````ts \[TypeScript\]\n([\s\S]*?)\n````/.exec(section) ?? [];
      const [, line = ''] = code.split('const client = createClient();\n');
      const mock = createMock();
      const bodies: string[] = [];
      const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const request = new Request(input, init);
        bodies.push(await request.clone().text());
        return mock.fetch(request);
      };
      const client = createClient({ baseUrl: mock.baseUrl, apiKey: mock.writeKey, fetch });
      const run = new Function('client', 'console', `return (async () => { ${line} })()`);
      await run(client, { log: () => undefined });
      expect(mock.requests.list().map((request) => request.operation)).toEqual([operation.operationId]);
      const [, shown] = /-d '([\s\S]*?)'\n````/.exec(section) ?? [];
      const parse = (body = ''): unknown =>
        body === '' ? undefined : { ...JSON.parse(body), operationId: undefined };
      expect(bodies.map(parse)).toEqual([parse(shown)]);
    }
  });

  it('show the fields of a request by the value that selects them, those of several values once', () => {
    const page = read('/reference/api/chat');
    expect(page).toContain('\n| `resource`\u00a0<small>required</small> |');
    const messages = readSection('/reference/api/chat', 'messages').split('\n### ')[0];
    expect(messages).toContain('Required [common fields](#common-fields): `accountId` and `userId`.');
    expect(messages).toContain('Optional [common fields](#common-fields): `limit`.');
    const common = readSection('/reference/api/chat', 'common-fields');
    for (const name of ['accountId', 'userId', 'offset', 'limit']) {
      expect(common).toContain(`| \`${name}\` |`);
      expect(page.match(new RegExp(`^\\| \x60${name}\x60`, 'gm'))).toHaveLength(1);
    }
    expect(readSection('/reference/api/chat', 'configuration-records')).toMatch(
      /`tags`, .* or `broadcasts`\./,
    );
  });

  it.each([
    ['/reference/api/chat', 16],
    ['/reference/api/chat-changes', 22],
    ['/reference/api/studio', 3],
  ])('%s links each value that selects the fields to its section', (path, count) => {
    const [, choice = ''] =
      /^\| .* \| string \| One of (.*) It selects the other fields\. \|$/m.exec(read(path)) ?? [];
    const links = Array.from(choice.matchAll(/\[`[\w-]+`\]\(#([\w-]+)\)/g), ([, anchor = '']) => anchor);
    expect(links).toHaveLength(count);
    for (const anchor of links) expect(read(path)).toContain(`{#${anchor}}\n`);
  });

  it('list all records that can be changed, each with its actions and the fields of its data', () => {
    const page = read('/reference/api/chat-changes');
    const rows = page.matchAll(
      /^\| [\w -]+ \| `create-([\w-]+)` \| `update-\1` \| \[\w+\]\(\S+#(\w+)\) \|$/gm,
    );
    const data = Array.from(rows, ([, , name = '']) => name);
    expect(data).toHaveLength(9);
    for (const name of data)
      expect(page).toMatch(new RegExp(`^::: details ${name}: .* \\{#${name}\\}$`, 'm'));
  });

  it.each(['/reference/api/chat', '/reference/api/chat-changes', '/reference/api/studio'])(
    '%s has an answer for each example of a request',
    (path) => {
      const page = read(path);
      const requests = page.match(/^\*\*Request: /gm) ?? [];
      expect(requests.length).toBeGreaterThan(1);
      expect(page.match(/^\*\*Response\*\*$/gm)).toHaveLength(requests.length);
    },
  );

  it('show a change with its own id in each example, and the answer to a stale revision', () => {
    const page = read('/reference/api/chat-changes');
    const samples = Array.from(page.matchAll(/^`{4}json\n([\s\S]*?)\n`{4}$/gm), ([, code = '']) => code);
    const ids = samples.flatMap((code) => /"operationId": "(.*)"/.exec(code)?.[1] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(5);
    expect(page).toMatch(/Response `409`[\s\S]*?"error": "STALE_REVISION"/);
    expect(page).not.toContain('…');
  });
});

it('link each error code of the API to its page', () => {
  const text = pages
    .flatMap(({ path, text: own }) => (path.startsWith('/reference/api/') ? [own] : []))
    .join();
  const codes = Object.keys(errorCatalog).filter((code) => code !== 'METHOD_NOT_ALLOWED');
  for (const code of codes) expect(text).toContain(`[\`${code}\`](/reference/error-codes#${code})`);
});
