import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../yaml.ts';
import { createSeed, writeSeed } from './write-seed.ts';

async function written(seed: object, format: 'json' | 'yaml'): Promise<string> {
  const parts: string[] = [];
  await writeSeed(seed, format, async (text) => void parts.push(text));
  return parts.join('');
}

const read = {
  json: JSON.parse as (text: string) => unknown,
  yaml: (text: string) => parseDocument(text).toJS() as unknown,
};

describe.each(['json', 'yaml'] as const)('as %s', (format) => {
  test.each([
    ['the demo', {}],
    ['one with more than the demo', { tags: 5, templates: 2, documents: 3, keywords: 7 }],
    [
      'one with lists so long that a record is a line',
      { friends: 250, messages: 2, tags: 120, keywords: 300 },
    ],
  ])('%s is read back as it was', async (_what, options) => {
    const seed = createSeed(options);
    expect(read[format](await written(seed, format))).toEqual(JSON.parse(JSON.stringify(seed)));
  });
});

test('the same numbers give the same seed, another random seed another', async () => {
  const size = { friends: 20, tags: 3 };
  const [one, same, other] = [createSeed(size), createSeed(size), createSeed({ ...size, randomSeed: 2 })];
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});
