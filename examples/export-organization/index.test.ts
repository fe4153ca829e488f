import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('reads every kind of data', async () => {
  const lines = (await runExample('export-organization')).trimEnd().split('\n');
  const counted = lines.filter((line) => /^\w+: (some|none)$/.test(line));
  expect(counted).toEqual([
    'tags: some',
    'templates: some',
    'autoReplies: some',
    'scenarios: some',
    'forms: some',
    'richMenus: some',
    'links: some',
    'routes: some',
    'broadcasts: some',
    'friends: some',
    'messages: some',
    'documents: some',
  ]);
});
