import { expect, test } from 'vitest';
import { readPages } from '../../../test/test-support/read-pages.ts';
import { freshTag, greenVip, useConfigFile } from '../test-support/config-harness.ts';
import { wrongMentions } from '../test-support/mentions.ts';

/* What the README and its pages show is what the command prints for the demo organization. */

const text = [...readPages('cli').values()].join('\n');
const blocks = (language: string, pages = text): string[] =>
  [...pages.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
const [table, plan, error, ...otherTexts] = blocks('text');
const [errorDocument, ...otherDocuments] = blocks('json');

const file = useConfigFile({ inProcess: true });
const { cli } = file;

test('every sample of output is compared below', () => {
  expect([otherTexts, otherDocuments]).toEqual([[], []]);
});

test('the table is that of tags list', async () => {
  expect((await cli.run(['tags', 'list', '--format', 'table'])).stdout).toBe(table);
});

test('the plan is that of config diff after the edits it describes', async () => {
  file.edit([freshTag[0], '\ntags:\n  - name: Spring\n    color: green\n'], greenVip);
  await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
  const args = ['config', 'diff', 'orgchat.yaml', '--pacing', 'off'];
  expect((await cli.run([...args, '--format', 'table'])).stdout).toBe(plan);
});

test('the error is that of a missing tag, as text and as JSON', async () => {
  const get = (format: string) => cli.run(['tags', 'get', 'Nobody', '--format', format]);
  expect((await get('table')).stderr).toBe(error);
  expect((await get('json')).stdout).toBe(errorDocument);
});

test('every command and option of a shell block exists, on the pages of all packages', () => {
  const all = ['cli', 'fleet', 'mock-server', 'sdk'].flatMap((name) => [...readPages(name).values()]);
  const lines = blocks('sh', all.join('\n')).flatMap((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '')),
  );
  expect(lines.filter((line) => line.includes('orgchat ')).length).toBeGreaterThan(45);
  expect(lines.flatMap((line) => wrongMentions(line))).toEqual([]);
});
