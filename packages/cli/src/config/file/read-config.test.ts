import { describe, expect, test } from 'vitest';
import { parseConfig } from './read-config.ts';

const problemsIn = (text: string) => parseConfig('file.yaml', text).problems;

describe('an alias', () => {
  test('may be used in hundreds of records', () => {
    const records = Array.from({ length: 300 }, (_, n) => `  - { name: T${n}, color: *color }`);
    const text = `tags:\n  - { name: T, color: &color blue }\n${records.join('\n')}\n`;
    expect(parseConfig('file.yaml', text)).toMatchObject({
      problems: [],
      file: { records: { length: 301 } },
    });
  });

  test('of nothing is a problem of its line', () => {
    expect(problemsIn('tags:\n  - name: A\n    color: *none\n')).toEqual([
      { line: 3, message: 'Undefined alias *none: no anchor &none before it' },
    ]);
  });

  test.each([
    ['of what it stands in', 'tags:\n  - &self { name: A, color: blue, also: *self }\n'],
    [
      'that multiplies itself',
      `tags:\n${['a', 'b', 'c', 'd', 'e', 'f', 'g']
        .map(
          (name, index, all) => `  - &${name} [${Array(10).fill(index === 0 ? 'x' : `*${all[index - 1]}`)}]`,
        )
        .join('\n')}\n`,
    ],
  ])('%s is a problem', (_what, text) => {
    expect(problemsIn(text)).toEqual([{ line: 1, message: expect.stringContaining('alias') }]);
  });
});

test('a plan is distinguished from a configuration', () => {
  expect(() => parseConfig('my plan.json', '{"format":"orgchat-plan","steps":[]}')).toThrow(
    expect.objectContaining({
      message: 'my plan.json is a saved plan, not a configuration.',
      hint: "To apply it: orgchat config apply 'my plan.json'",
    }),
  );
  expect(() => parseConfig('plan.yaml', 'format: orgchat-plan\nsteps: []\n')).toThrow(
    expect.objectContaining({
      message: 'plan.yaml is a saved plan, not a configuration.',
      hint: 'A plan can be applied only as the JSON file that orgchat config plan FILE -o PLAN wrote.',
    }),
  );
});

test.each([
  ['cut off', (plan: string) => plan.slice(0, -20), 1],
  ['twice in the file', (plan: string) => plan + plan, 6],
])('a plan that is %s is one problem', (_what, damage, line) => {
  const plan = JSON.stringify({ format: 'orgchat-plan', version: 2, steps: [1, 2], gone: [] }, null, 2);
  expect(problemsIn(damage(plan))).toHaveLength(1);
  expect(problemsIn(damage(plan))[0]?.line).toBeGreaterThan(line);
});

test('every key that is there twice is a problem', () => {
  expect(problemsIn('tags:\n  - name: A\n    name: B\n  - color: blue\n    color: pink\n')).toHaveLength(2);
});

test('a reference without a name is a problem, as an empty value is everywhere', () => {
  const link = 'url: https://example.com/\n    scenarioId: null\n    tagId: " "\n';
  expect(problemsIn(`links:\n  - name: Page\n    ${link}`)).toEqual([
    { line: 2, message: 'link "Page": tagId must not be empty: it takes a name or an id' },
  ]);
});
