import { configurationData, configurationResources } from '@orgchat/spec';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutated, valid } from '../../../../../spec/test-support/bodies.ts';
import { document } from '../../../../../spec/test-support/document.ts';
import type { Data } from '../../resources/fields.ts';
import { createConfigSchema } from './config-schema.ts';
import { parseConfig } from './read-config.ts';
import { mapReferences } from './references.ts';

const judge = new Ajv2020({ strict: true }).compile(createConfigSchema());

test.each(configurationResources)('the schema and the reader agree on every file with %s', (resource) => {
  const component = String(configurationData[resource].meta()?.id);
  const data = valid(document.components.schemas[component] ?? {}) as fc.Arbitrary<Data>;
  const named = data.map((one) => mapReferences(resource, one, () => 'Name: "1" {a} # 千葉'));
  const record = fc.oneof(data, named, mutated(data), mutated(named));
  const count = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(record, (one) => {
      const text = JSON.stringify({ version: 1, [resource]: [one ?? 1] });
      const isAccepted = judge(JSON.parse(text));
      count[isAccepted ? 'accepted' : 'refused']++;
      const { problems } = parseConfig('orgchat.json', text);
      expect([problems.length === 0, problems], JSON.stringify(judge.errors)).toEqual([isAccepted, problems]);
    }),
    { numRuns: 60 },
  );
  // Both answers must have been tried, or agreement says nothing.
  expect([count.accepted > 0, count.refused > 0]).toEqual([true, true]);
});
