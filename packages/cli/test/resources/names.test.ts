import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { create } from '../../test-support/tags.ts';

const cli = useCli({ inProcess: true });
const user = 'U70a62c6116f2ebacf5abf7e23b07a711';

const ids = new Map<string, string>();
async function createTags(...names: string[]): Promise<void> {
  ids.clear();
  for (const name of names) ids.set(name, String((await cli.run(create(name))).json.result?.id));
}
/** The names of the tags that a friend has after `friends tag`, or the code of the error. */
async function tagged(...args: string[]): Promise<unknown> {
  const { code, json } = await cli.run(['friends', 'tag', user, ...args, '--json']);
  if (code !== 0) return json.error?.code;
  const has = json.result?.tagIds as unknown as string[];
  return [...ids].filter(([, id]) => has.includes(id)).map(([name]) => name);
}

describe('names with commas', () => {
  beforeEach(() => createTags('A', 'B', 'A,B', 'Red, green', 'C'));

  test('a list is read as one name first', async () => {
    expect(await tagged('--set', 'Red, green')).toEqual(['Red, green']);
    expect(await tagged('--set', 'Red, green,C')).toEqual(['Red, green', 'C']);
  });

  test('a list is split at commas', async () => {
    expect(await tagged('--set', 'B, C')).toEqual(['B', 'C']);
  });

  test('a list that can be read in two ways is an error that says what to do', async () => {
    const { code, json } = await cli.run(['friends', 'tag', user, '--set', 'A,B', '--json']);
    expect([code, json.error]).toEqual([
      3,
      {
        code: 'AMBIGUOUS_NAME',
        message: expect.stringMatching(/^"A,B" names several tags: /),
        hint: 'Repeat the flag for each name. For a name that contains a comma, use its id.',
      },
    ]);
    expect(await tagged('--set', 'A', '--set', 'B')).toEqual(['A', 'B']);
    expect(await tagged('--set', `${ids.get('A,B')},C`)).toEqual(['A,B', 'C']);
  });

  test('a flag for several records of a new record is the same', async () => {
    const draft = [
      'broadcasts',
      'create',
      '--account',
      'Demo shop',
      '--title',
      'Commas',
      '--message',
      'x',
      '--json',
    ];
    const made = await cli.run([...draft, '--tag', 'Red, green', '--tag', 'C']);
    expect(made.json.result?.tagIds).toEqual([ids.get('Red, green'), ids.get('C')]);
    expect((await cli.run([...draft, '--tag', 'A,B'])).json.error?.code).toBe('AMBIGUOUS_NAME');
  });

  test('a name that is missing is named', async () => {
    const { code, json } = await cli.run(['friends', 'tag', user, '--tag', 'C,Nobody', '--json']);
    expect([code, json.error?.message]).toEqual([6, 'No tag named "Nobody".']);
  });

  test('the same command with an intent is recognized', async () => {
    const args = [
      'friends',
      'tag',
      user,
      '--set',
      'Red, green',
      '--set',
      'C',
      '--intent',
      'commas',
      '--json',
    ];
    expect((await cli.run(args)).json.replayed).toBe(false);
    expect((await cli.run(args)).json.replayed).toBe(true);
    expect((await cli.run([...args, '--set', 'A'])).json.error?.code).toBe('INPUT_CONFLICT');
  });
});

describe('names in another Unicode form', () => {
  const [composed, decomposed] = ['\u30ac\u30a4\u30c9', '\u30ab\u3099\u30a4\u30c8\u3099'];
  beforeEach(() => createTags('C', decomposed));

  test('are found as argument, flag and list', async () => {
    expect((await cli.run(['tags', 'get', composed, '--json'])).json.name).toBe(decomposed);
    expect(await tagged('--set', `${composed},C`)).toEqual(['C', decomposed]);
    const link = ['links', 'update', 'Spring page', '--tag', composed, '--json'];
    expect((await cli.run(link)).json.result?.tagId).toBe(ids.get(decomposed));
  });

  test('are found by --search', async () => {
    const { json } = await cli.run(['tags', 'list', '--search', composed, '--json']);
    expect(json).toMatchObject([{ name: decomposed }]);
  });

  test('are found among friends, where the server searches', async () => {
    await cli.run(['mock', 'inject', 'friend', `displayName=${decomposed}`]);
    const { code, json } = await cli.run(['friends', 'get', composed, '--json']);
    expect([code, json.displayName]).toEqual([0, decomposed]);
  });

  test('are the same record in a configuration file, in records and references', async () => {
    const name = join(cli.folder, 'forms.yaml');
    const content = (color: string) => `tags:
  - { name: ${composed}, color: ${color} }
templates: []
links:
  - { name: New link, url: "https://example.com/", tagId: ${composed}, scenarioId: null }
`;
    writeFileSync(name, content('blue'));
    const plan = (await cli.run(['config', 'plan', name, '--output', '-'])).json;
    expect(plan.steps).toMatchObject([{ action: 'create', data: { tagId: ids.get(decomposed) } }]);
    writeFileSync(name, content('green'));
    expect((await cli.run(['config', 'apply', name, '--yes', '--json'])).code).toBe(0);
    const tag = (await cli.run(['tags', 'get', String(ids.get(decomposed)), '--json'])).json;
    expect([tag.color, tag.name]).toEqual(['green', composed]);
    writeFileSync(
      name,
      `tags:\n  - { name: ${composed}, color: blue }\n  - { name: ${decomposed}, color: blue }\n`,
    );
    const { json } = await cli.run(['config', 'validate', name, '--json']);
    expect(JSON.stringify(json)).toContain('is listed twice');
  });

  test('two records with one name in two forms are ambiguous', async () => {
    await createTags('caf\u00e9', 'cafe\u0301');
    const { code, json } = await cli.run(['tags', 'get', 'caf\u00e9', '--json']);
    expect([code, json.error?.code, json.error?.hint]).toEqual([
      3,
      'AMBIGUOUS_NAME',
      expect.stringContaining(String(ids.get('cafe\u0301'))),
    ]);
  });
});

describe('names that only look the same', () => {
  const hidden = 'VI\u200bP';

  test.each([
    ['vip', 'VIP'],
    [hidden, 'VIP'],
    ['\uff36\uff29\uff30', 'VIP'],
  ])('%j is not "%s", and the error names that', async (typed, name) => {
    const { json: tag } = await cli.run(['tags', 'get', name, '--json']);
    const { code, json } = await cli.run(['tags', 'get', typed, '--json']);
    expect([code, json.error]).toEqual([
      6,
      {
        code: 'NOT_FOUND',
        message: `No tag named "${typed}".`,
        hint: `Did you mean "${name}" (${tag.id})? Only letter case, width or invisible characters differ. List tags: orgchat tags list`,
      },
    ]);
  });

  test('are different records of a configuration file, with a warning for each pair', async () => {
    const name = join(cli.folder, 'similar.yaml');
    const vip = (await cli.run(['tags', 'get', 'VIP', '--json'])).json;
    const differ = 'only letter case, width or invisible characters differ';
    writeFileSync(
      name,
      'tags: [{ name: vip, color: blue }, { name: Fresh, color: blue }, { name: fresh, color: blue }]\n',
    );
    const plan = (await cli.run(['config', 'plan', name, '--output', '-'])).json;
    expect(plan.warnings).toEqual([
      `tag "vip" and tag "VIP" (${vip.id}) are different records: ${differ}`,
      `tag "Fresh" and tag "fresh" are different records: ${differ}`,
    ]);
    // A new name of a record is one like that of a new record; an old one was accepted before.
    writeFileSync(
      name,
      `tags: [{ id: ${vip.id}, name: TRIAL, color: pink }, { name: Newsletter, color: blue }]\n`,
    );
    const renamed = (await cli.run(['config', 'diff', name, '--json'])).json;
    expect(renamed.warnings).toEqual([
      expect.stringMatching(/^tag "TRIAL" and tag "Trial" \(.+\) are different/),
    ]);
    writeFileSync(
      name,
      'links: [{ name: New, url: "https://example.com/", tagId: vip, scenarioId: null }]\n',
    );
    const { json } = await cli.run(['config', 'plan', name, '--json']);
    expect(JSON.stringify(json.error)).toContain('in the organization; did you mean \\"VIP\\"?');
  });
});
