import { expect, test } from 'vitest';
import type { Learned } from './learn.ts';
import { completeDescription, findDescriptionError } from './write-description.ts';

const checked = { at: '2026-01-01T00:00:00Z', organization: 'digest', requests: 45 };
const learned: readonly Learned[] = [
  { topic: 'codes.notFound', key: ['codes', 'notFound'], value: 'missing' },
  { topic: 'codes.invalidInput', key: ['codes', 'invalidInput'], value: ['bad', 'worse'] },
  { topic: 'shapes.one', key: ['shapes', 'one'], value: '/item' },
];

const complete = (text: string | undefined, name = 'server.yaml'): Promise<string> =>
  completeDescription({ name, text }, [], learned, checked);

test('keeps the comments of everything that it changes, and codes of other cases', async () => {
  const text = `# ours
server: 1
checked: # in CI
  at: 2025-01-01T00:00:00Z # by hand
  requests: 1
codes:
  notFound: [ missing, gone ] # of forms
  invalidInput: # two services
    - bad # the first
    - other
shapes:
  one: /thing # since May
unknown: [ uncertain, staleRevision, notFound ] # ask them
`;
  expect(await complete(text)).toBe(`# ours
server: 1
checked:
  # in CI
  at: 2026-01-01T00:00:00Z # by hand
  requests: 45
  organization: digest
codes:
  notFound: [ missing, gone ] # of forms
  invalidInput:
    # two services
    - bad # the first
    - other
    - worse
shapes:
  one: /item # since May
unknown: [ staleRevision, uncertain ] # ask them
`);
});

test.each([
  ['{"server":1}', 'server.yaml'],
  [undefined, 'server.json'],
])('writes JSON if the file is JSON: %s in %s', async (text, name) => {
  const written = await complete(text, name);
  expect(JSON.parse(written)).toMatchObject({ server: 1, checked, shapes: { one: '/item' } });
});

test('refuses what no server could answer', async () => {
  const valid = 'server: 1\nshapes: { record: { revision: /meta } }\n';
  expect(await findDescriptionError('x', valid)).toBeUndefined();
  const shared = 'server: 1\nshapes: { record: { revision: /name } }\n';
  expect((await findDescriptionError('x.yaml', shared))?.message).toMatch(
    /^x\.yaml was not written: .*revision and name/,
  );
});
