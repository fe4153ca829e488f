import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { controlCallNames, controlCalls } from '../../src/control/calls.ts';
import { createMock } from '../../src/index.ts';
import { useServer } from '../../test-support/control-server.ts';

const { caller, control, server } = useServer();
const committed = (name: string): string =>
  readFileSync(new URL(`../../../../spec/${name}`, import.meta.url), 'utf8');

const controlDocument = parse(committed('control.openapi.yaml')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

describe('the documents that the server hands out', () => {
  it.each([
    ['openapi.yaml', '/openapi.yaml'],
    ['openapi-3.0.yaml', '/openapi-3.0.yaml'],
    ['control.openapi.yaml', '/_mock/openapi.yaml'],
    ['control.openapi-3.0.yaml', '/_mock/openapi-3.0.yaml'],
  ])('are those of the repository: %s', async (name, path) => {
    const answer = await get(server.url + path);
    expect(answer).toEqual({ status: 200, type: 'application/yaml; charset=utf-8', text: committed(name) });
    // The second one comes from memory.
    expect((await get(server.url + path)).text).toBe(answer.text);
    expect(await (await createMock().fetch(`http://any${path}`)).text()).toBe(answer.text);
  });

  it('are also JSON for the control API, and served by sandboxes and with a data file', async () => {
    const { status, body } = await control('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(controlDocument);
    const { controlUrl } = createMock().sandbox();
    expect((await createMock().fetch(`${controlUrl}/openapi.json`)).status).toBe(404);
    const { body: sandbox } = await control('POST', '/sandboxes');
    expect((await get(`${String(sandbox.controlUrl)}/openapi.yaml`)).text).toBe(
      committed('control.openapi.yaml'),
    );
    const about = JSON.parse((await get(`${server.url}/`)).text) as Record<string, string>;
    expect((await get(about.controlOpenapi ?? '')).status).toBe(200);
  });

  it('are refused with the token of the control API missing', async () => {
    const guarded = await createMock({ controlToken: 'secret' }).listen({ port: 0 });
    expect((await get(`${guarded.controlUrl}/openapi.yaml`)).status).toBe(401);
    expect((await get(`${guarded.url}/openapi.yaml`)).status).toBe(200);
    await guarded.close();
  });
});

interface Described {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref: string };
        readonly examples: { readonly example: { readonly value: Readonly<Record<string, unknown>> } };
      };
    };
  };
}

const described = Object.entries(controlDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
  })),
);

/** Ids of the demo, or names that stand for them. */
const known: Readonly<Record<string, string>> = {
  key: 'demo-read-key',
  accountId: 'shop',
  userId: 'aiko',
  formId: 'survey',
  linkId: 'spring-page',
  projectId: 'website',
};

describe('the document of the control API', () => {
  it('has every call, by its name', () => {
    expect(
      described.map(({ path, method, operation }) => [operation.operationId, method, path]).sort(),
    ).toEqual(
      controlCallNames.map((name) => [name, controlCalls[name].method, controlCalls[name].path]).sort(),
    );
  });

  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ ...controlDocument, $id: 'control' });
  const withBody = described.flatMap(({ path, method, operation }) => {
    const media = operation.requestBody?.content['application/json'];
    return media === undefined ? [] : [{ path, method, media }];
  });

  it.each(withBody)('agrees with $method $path on bodies', async ({ path, method, media }) => {
    const accepts = ajv.compile({ $ref: `control${media.schema.$ref}` });
    const { value } = media.examples.example;
    const call = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? name);
    const { body } = await control('GET', '/state');
    const [organization] = body.organizations as { tags: { id: string }[] }[];
    const example: Record<string, unknown> = { ...value };
    if (path === '/edit') example.id = organization?.tags[0]?.id;
    if (path === '/rewind') {
      await control('PATCH', '/limits', { history: 1 });
      const made = await caller.apply({ action: 'create-tags', data: { name: 'VIP', color: 'pink' } });
      example.requestId = made.headers.get('x-request-id');
    }
    expect(accepts(example)).toBe(true);
    expect((await control(method, call, example)).status).toBeLessThan(300);
    const wrong: Record<string, unknown>[] = [...Object.keys(value), 'nobodyHasThis'].map((name) => ({
      ...example,
      [name]: { nobodyHasThis: [{}] },
    }));
    for (const mistaken of wrong) {
      // A state and the data of a record are open in the document, and checked by the rules of what they are for.
      const isData = path === '/edit' && !('nobodyHasThis' in mistaken) && mistaken.data !== value.data;
      const isOpen = isData || (path === '/state' && 'nobodyHasThis' in mistaken);
      expect([mistaken, accepts(mistaken)]).toEqual([mistaken, isOpen]);
      expect([mistaken, (await control(method, call, mistaken)).status]).toEqual([mistaken, 400]);
    }
  });
});
