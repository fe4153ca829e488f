import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { avoidToolProblems } from '../../generate/avoid-tool-problems.ts';
import { convertToOpenApi30, parseOpenApiYaml, readOpenApiYaml } from './documents.ts';
import { type JsonObject, mapObjects } from './map-objects.ts';
import { toOpenApi30 } from './to-openapi-30.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Every object of a document that is not data. */
function listObjects(name: string): JsonObject[] {
  const objects: JsonObject[] = [];
  mapObjects(parse(read(name)) as JsonObject, (object) => {
    objects.push(object);
    return object;
  });
  return objects;
}

describe.each(['openapi', 'control.openapi'])('the document %s', (name) => {
  it('avoids what third-party tools read wrongly', () => {
    const objects = listObjects(`${name}.yaml`);
    expect(objects.filter((object) => 'const' in object)).toEqual([]);
    expect(objects.filter(({ pattern }) => String(pattern).includes('\\/'))).toEqual([]);
    const { components, paths } = parse(read(`${name}.yaml`)) as {
      components: { schemas: Record<string, JsonObject> };
      paths: Record<string, Record<string, { requestBody?: unknown }>>;
    };
    const bodies = JSON.stringify(
      Object.values(paths).flatMap((path) => Object.values(path).map(({ requestBody }) => requestBody)),
    );
    const unions = Object.entries(components.schemas).filter(([, schema]) => 'discriminator' in schema);
    expect(unions.length).toBeGreaterThan(0);
    for (const [union] of unions) expect(bodies).not.toContain(`/${union}"`);
  });

  it('is the same in OpenAPI 3.0.3, without the words of 3.1', async () => {
    const text = read(`${name}-3.0.yaml`);
    expect(await convertToOpenApi30(read(`${name}.yaml`))).toBe(text);
    expect(text).toContain('openapi: 3.0.3');
    const objects = listObjects(`${name}-3.0.yaml`);
    for (const { type, nullable, anyOf, identifier, propertyNames } of objects) {
      expect(Array.isArray(type) || type === 'null').toBe(false);
      if (nullable === true) expect(type).toBeDefined();
      expect([identifier, propertyNames]).toEqual([undefined, undefined]);
      expect(JSON.stringify(anyOf ?? '')).not.toContain('"type":"null"');
    }
    const references = objects.filter((object) => '$ref' in object);
    expect(references.filter((object) => Object.keys(object).length > 1)).toEqual([]);
    expect(objects.filter(({ nullable }) => nullable === true).length > 0).toBe(true);
  });
});

it('the text of the document can be read without a file', async () => {
  expect(await readOpenApiYaml()).toBe(read('openapi.yaml'));
  expect(await parseOpenApiYaml('a: [1]')).toEqual({ a: [1] });
});

describe('the conversion to OpenAPI 3.0.3', () => {
  const schema = (value: JsonObject): unknown =>
    toOpenApi30({ components: { schemas: { A: value, E: { type: 'string' } } } }).components.schemas
      .A as unknown;
  const nullOnly = { type: 'object', nullable: true, not: { type: 'object' } };

  it.each([
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      { type: ['string', 'null'], enum: ['a'] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    [
      { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
      { type: 'string', maxLength: 2, nullable: true },
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }], description: 'B' },
      {
        description: 'B',
        type: 'object',
        nullable: true,
        anyOf: [{ $ref: '#/components/schemas/B' }, nullOnly],
      },
    ],
    [
      { type: 'null', description: 'never' },
      { description: 'never', ...nullOnly },
    ],
    [
      { $ref: '#/components/schemas/B', description: 'B' },
      { description: 'B', allOf: [{ $ref: '#/components/schemas/B' }] },
    ],
    [
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [{ type: 'object', propertyNames: { type: 'string' } }, { type: 'object' }],
    [
      { properties: { const: { type: ['integer', 'null'] } } },
      { properties: { const: { type: 'integer', nullable: true } } },
    ],
    [{ default: { type: ['a', 'null'] } }, { default: { type: ['a', 'null'] } }],
  ])('writes %j', (before, after) => {
    expect(schema(before)).toEqual(after);
  });

  it.each([{ prefixItems: [] }, { const: 1 }, { type: ['string', 'integer'] }])(
    'refuses %j',
    (unsupported) => {
      expect(() => schema(unsupported)).toThrow(/OpenAPI 3\.0 has no/);
    },
  );
});

it('tool problems are avoided in schemas, not in data', () => {
  const before = {
    paths: {
      '/a': {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/U' } } },
          },
        },
      },
    },
    components: {
      schemas: {
        U: { oneOf: [], discriminator: { propertyName: 'a' } },
        V: { oneOf: [], discriminator: { propertyName: 'a' } },
        W: { properties: { const: { const: 'x' }, pattern: { pattern: 'a\\/b' } }, example: { const: 1 } },
      },
    },
  };
  expect(avoidToolProblems(before).components.schemas).toEqual({
    U: { oneOf: [] },
    V: before.components.schemas.V,
    W: { properties: { const: { enum: ['x'] }, pattern: { pattern: 'a/b' } }, example: { const: 1 } },
  });
});
