import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { errorCatalog } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { generateReference } from '../../../docs/site/reference/index.ts';
import { ApiDocument, type Endpoint } from '../../../docs/site/reference/openapi.ts';
import { placeEndpoint, SchemaPlaces } from '../../../docs/site/reference/schema-places.ts';
import { listGroups, readPages } from '../../test-support/reference-pages.ts';

/* The pages of the site that are made from the documents of the API and the codes. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = await generateReference(root);
const { read, readSection } = readPages(pages);

it('have one page for each address, and no link between them that leads to nothing', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  const anchors = new Set(
    pages.flatMap(({ path, text }) => [
      path,
      ...Array.from(text.matchAll(/\{#([^} ]+)(?: open)?\}$/gm), ([, anchor]) => `${path}#${anchor}`),
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
  it('begin with the address and the key, then the endpoints, and a request with its answer', () => {
    const [box = '', list = '', request = '', limit = ''] = read('/reference/api/').split('\n## ');
    expect(box).toContain('`Accept-Language: en`');
    expect(request).toContain('[Install the command](');
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
    const [{ curl } = {}, { Response: answer } = {}] = listGroups(page);
    expect(curl).toContain(`Bearer ${key}'`);
    expect(answer).toMatch(/^\{\n/);
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

  it('show each request of curl with the SDK, too', async () => {
    const { endpoints } = ApiDocument.read(root, 'openapi');
    for (const endpoint of endpoints) {
      const { operation } = endpoint;
      const groups = listGroups(readEndpoint('/reference/api/', endpoint)).filter(({ curl }) => curl);
      const examples = operation.requestBody?.content?.['application/json']?.examples ?? { one: {} };
      expect(groups).toHaveLength(Object.keys(examples).length);
      for (const { curl, TypeScript = '' } of groups) {
        const [, line = ''] = TypeScript.split('const client = createClient();\n');
        const mock = createMock();
        const bodies: string[] = [];
        const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
          const request = new Request(input, init);
          bodies.push(await request.clone().text());
          return mock.fetch(request);
        };
        const client = createClient({ baseUrl: mock.baseUrl, apiKey: mock.writeKey, fetch });
        const run = new Function('client', 'console', `return (async () => { ${line} })()`);
        // The demo does not have the records of all examples.
        await run(client, { log: () => undefined }).catch((error: unknown) => {
          expect(error).toMatchObject({ status: expect.toSatisfy((status) => [404, 409].includes(status)) });
        });
        expect(mock.requests.list().at(-1)?.operation).toBe(operation.operationId);
        const [, shown] = /-d '([\s\S]*?)'$/.exec(curl ?? '') ?? [];
        const parse = (body = ''): unknown =>
          body === '' ? undefined : { ...JSON.parse(body), operationId: undefined };
        expect(parse(bodies[0])).toEqual(parse(shown));
      }
    }
  });

  it.each([
    ['/reference/api/chat', 16],
    ['/reference/api/chat-changes', 22],
    ['/reference/api/studio', 3],
  ])(
    '%s has each value that selects the fields in one section, which has all fields of its requests',
    (path, count) => {
      const [start = '', ...sections] = read(path)
        .split('\n## Response')[0]!
        .split(/^### (?=.* \{#[\w-]+\}$)/m);
      expect(start).toMatch(/`(?:resource|action)` decides/);
      const values = sections.flatMap((section) =>
        Array.from(
          section.matchAll(
            /(?:`(?:change\.action|resource)`.* (?:One of|Set it to|to) (`.*)|^::: details .*?\*\* (`[\w-]+`))/gm,
          ),
          ([, list, one]) => (one ?? list!.split('. ')[0]!).match(/`[\w-]+`/g) ?? [],
        ).flat(),
      );
      expect(new Set(values).size).toBe(values.length);
      expect(values).toHaveLength(count);
      for (const section of sections) {
        const { curl } = listGroups(section)[0] ?? {};
        if (curl === undefined) continue;
        const { change, ...body } = JSON.parse(/-d '([\s\S]*?)'$/.exec(curl)![1]!);
        for (const name of Object.keys(change ?? body))
          expect(section).toMatch(new RegExp(`\x60(?:change\\.)?${name}\x60`));
      }
    },
  );

  it('list all records that can be created, each with its action and the names of the fields of its data', () => {
    const rows = Array.from(
      read('/reference/api/chat-changes').matchAll(
        /^::: details \*\*[\w -]+\*\* `create-[\w-]+`<br>(.*) \{#\w+( open)?\}$/gm,
      ),
      ([, fields, open]) => ({ fields, isOpen: open !== undefined }),
    );
    expect(rows).toHaveLength(9);
    expect(rows[0]).toEqual({ fields: '`name`, `color`', isOpen: true });
    expect(rows.filter(({ isOpen }) => isOpen)).toHaveLength(1);
    expect(rows.at(-1)?.fields).toMatch(/`scheduledAt`; optional: `accountIds`$/);
  });

  it.each(['/reference/api/chat', '/reference/api/chat-changes', '/reference/api/studio'])(
    '%s has an answer beside each request, in which nothing is wider than the page',
    (path) => {
      const groups = listGroups(read(path));
      const requests = groups.flatMap(({ curl }, index) => (curl === undefined ? [] : [index]));
      expect(requests.length).toBeGreaterThan(2);
      for (const index of requests) {
        const { Response: answer = '' } = groups[index + 1] ?? {};
        expect(Math.max(...answer.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
        expect(answer).toMatch(/^\{\n/);
      }
    },
  );

  it('show a change with its own id in each example, and the answer to a stale revision', () => {
    const page = read('/reference/api/chat-changes');
    const ids = listGroups(page).flatMap(({ curl = '' }) => /"operationId": "(.*)"/.exec(curl)?.[1] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(6);
    expect(page).toMatch(/\[Response 409: .*\][\s\S]*?"error": "STALE_REVISION"/);
  });
});

it('link each error code of the API to its page', () => {
  const text = pages
    .flatMap(({ path, text: own }) => (path.startsWith('/reference/api/') ? [own] : []))
    .join();
  const codes = Object.keys(errorCatalog).filter((code) => code !== 'METHOD_NOT_ALLOWED');
  for (const code of codes) expect(text).toContain(`[\`${code}\`](/reference/error-codes#${code})`);
});
