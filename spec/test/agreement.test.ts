import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Operation, operationNames, operations } from '../src/operations.ts';
import { mutated, valid } from '../test-support/bodies.ts';
import { document, type Schema, validator } from '../test-support/document.ts';

/** The request schema of an operation, from the document. */
function getRequestSchema(name: string): Schema {
  const all = Object.values(document.paths).flatMap((path) => Object.values(path));
  const schema = all.find((one) => one.operationId === name)?.requestBody?.content['application/json'].schema;
  if (schema?.$ref === undefined) throw new Error(`${name} has no request in the document`);
  return schema;
}

const withBody = operationNames.filter((name) => operations[name].request !== null);

describe('the document and the schemas', () => {
  it.each(withBody)('agree on every body of %s', (name) => {
    const { request }: Operation = operations[name];
    const schema = getRequestSchema(name);
    const judge = validator(schema.$ref ?? '');
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(valid(schema), mutated(valid(schema))), (body) => {
        // Through text, as a body travels: undefined and prototypes do not.
        const received: unknown = JSON.parse(JSON.stringify(body ?? null));
        const byDocument = judge(received);
        const bySchema = request?.safeParse(received).success;
        if (byDocument) accepted++;
        else refused++;
        expect(bySchema, JSON.stringify(judge.errors)).toBe(byDocument);
      }),
      { numRuns: 1_500 },
    );
    // Both answers must have been tried, or agreement says nothing.
    expect(accepted).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(300);
  });

  it.each(withBody)('the document accepts every valid body of %s', (name) => {
    const schema = getRequestSchema(name);
    const judge = validator(schema.$ref ?? '');
    fc.assert(
      fc.property(valid(schema), (body) => {
        expect(judge(JSON.parse(JSON.stringify(body))), JSON.stringify(judge.errors)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the examples of the document', () => {
  const named = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    (schema.examples ?? []).map((example) => [name, example] as const),
  );
  it.each(named)('%s: %j', (name, example) => {
    const judge = validator(`#/components/schemas/${name}`);
    expect(judge(example), JSON.stringify(judge.errors)).toBe(true);
  });
});
