import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutated, valid } from '../../test-support/bodies.ts';
import { document } from '../../test-support/document.ts';
import { plantTypos } from '../../test-support/typos.ts';
import { chatChange } from '../endpoints/chat-changes.ts';
import { configurationData } from '../resources/configurations.ts';
import { friendData } from '../resources/data.ts';
import { changeableResources } from '../server/record-fields.ts';
import { changeActions, createChangeSchema, createDataSchema } from './json-schemas.ts';

const dataSchemas = { ...configurationData, friends: friendData };
const subjects = [
  ...changeableResources.map((name) => ({
    name,
    schema: createDataSchema(name),
    contract: dataSchemas[name],
    component: String(dataSchemas[name].meta()?.id),
  })),
  ...changeActions.map((name) => {
    const contract = chatChange.options.find(({ shape }) => shape.action.value === name) ?? chatChange;
    return { name, schema: createChangeSchema(name), contract, component: String(contract.meta()?.id) };
  }),
];

test('there is a schema for the data of ten resources and for twenty-two actions', () => {
  expect([changeableResources.length, changeActions.length]).toEqual([10, 22]);
});

describe.each(subjects)('the schema of $name', ({ schema, contract, component }) => {
  // Strict refuses unknown keywords and formats, and schemas that cannot mean what they say.
  const judge = new Ajv2020({ strict: true }).compile(schema);

  test('is a whole schema with a description and a valid example', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      description: expect.stringMatching(/\w\.$/),
    });
    for (const example of schema.examples) {
      expect(judge(example), JSON.stringify(judge.errors)).toBe(true);
      expect(contract.safeParse(example).error).toBeUndefined();
    }
    expect(schema.examples).toHaveLength(1);
  });

  test('refuses its example with any typo', () => {
    for (const { what, value } of plantTypos(schema.examples[0]))
      expect([what, judge(value)]).toEqual([what, false]);
  });

  test('accepts what the contract accepts, and nothing else', () => {
    const body = valid(document.components.schemas[component] ?? {});
    const count = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(body, mutated(body)), (value) => {
        const sent: unknown = JSON.parse(JSON.stringify(value ?? null));
        const isAccepted = judge(sent);
        count[isAccepted ? 'accepted' : 'refused']++;
        expect(contract.safeParse(sent).success, JSON.stringify(judge.errors)).toBe(isAccepted);
      }),
      { numRuns: 60 },
    );
    // Both answers must have been tried, or agreement says nothing.
    expect([count.accepted > 0, count.refused > 0]).toEqual([true, true]);
  });
});

test('a schema is of its own each time, so that it may be changed', () => {
  const schema = createDataSchema('scenarios');
  delete schema.$defs?.ScenarioStep?.properties;
  schema.examples.pop();
  expect(createDataSchema('scenarios')).not.toEqual(schema);
  expect(createDataSchema('scenarios').examples).toHaveLength(1);
});
