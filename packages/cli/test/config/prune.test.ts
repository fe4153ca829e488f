import { describe, expect, test } from 'vitest';
import { useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const onlyTags = 'version: 1\ntags: [{name: Trial, color: neutral}]\n';
const plan = (...args: string[]) =>
  cli.run(['config', 'diff', 'orgchat.yaml', '--pacing', 'off', '--format', 'table', ...args]);

describe('--prune', () => {
  test('says what still uses a record that it deletes', async () => {
    file.write(onlyTags);
    const { stdout } = await plan('--prune');
    expect(stdout).toMatch(/^ {2}- VIP {3}\(.*\)\n {6}still used by .*(route|link|broadcast) "/m);
    expect(stdout).toMatch(/^ {4}Friends with a deleted tag are not looked at\.$/m);
    const { json } = await file.run(['plan', 'orgchat.yaml', '--prune']);
    const used = (json.changes as unknown as { label: string; usedBy?: object[] }[]).find(
      ({ label }) => label === 'VIP',
    );
    expect(used?.usedBy).toContainEqual({
      resource: expect.any(String),
      id: expect.any(String),
      label: expect.any(String),
    });
    const unasked = await file.run(['apply', 'orgchat.yaml', '--prune']);
    expect(unasked.json.error?.message).toMatch(
      /delete 2 tags \(.*2 still used by other records, friends with the tags not looked at\)/,
    );
  });

  test('does not count records that are deleted too, or that the plan changes', async () => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    await file.rival(
      'links',
      'create',
      '--name',
      'Old link',
      '--url',
      'https://example.com/',
      '--tag',
      'Old',
    );
    await file.rival('routes', 'update', 'Shop counter', '--tag', 'Old');
    const { json } = await file.run(['diff', 'orgchat.yaml', '--prune']);
    const deletions = (
      json.changes as unknown as { action: string; label: string; usedBy?: object[] }[]
    ).filter(({ action }) => action === 'delete');
    expect(deletions.map(({ label, usedBy }) => [label, usedBy])).toEqual([
      ['Old link', undefined],
      ['Old', undefined],
    ]);
  });

  test.each([
    ['tags:\n', 0],
    ['tags: # none\n', 0],
    ['tags: ~\n', 0],
    ['tags: []\n', 3],
  ])('with %j deletes %i tags', async (section, count) => {
    file.write(`version: 1\n${section}`);
    const { json, stderr } = await file.run(['diff', 'orgchat.yaml', '--prune']);
    expect(json.changes).toHaveLength(count);
    if (count === 0)
      expect(stderr).toContain('tags has no value in the file, so none of these records is deleted');
  });
});

describe('plan --markdown', () => {
  test('is one block of code', async () => {
    file.write(onlyTags.replace('neutral', 'green'));
    const { stdout } = await file.run(['plan', 'orgchat.yaml', '--prune', '--markdown']);
    expect(stdout).toMatch(/^### Plan of the messaging configuration\n\n```diff\n[\s\S]+\n```\n$/);
    expect(stdout).toMatch(/^! {2}Trial$/m);
    expect(stdout).toMatch(/^- {2}VIP /m);
    expect(stdout).toContain(' 0 to create, 1 to update, 2 to delete, 0 unchanged.');
  });

  test('no name can leave the block or start a line', async () => {
    const name = '```\n<img src=x onerror=alert(1)>\u001b[2J\u202e @team';
    file.write(
      JSON.stringify({
        version: 1,
        templates: [{ name: 'T', text: `${name}\n\`\`\`\`\n- x` }],
        tags: [{ name: `a\`\`\`b <b>`, color: 'blue' }],
      }),
    );
    const { stdout } = await file.run(['plan', 'orgchat.yaml', '--markdown']);
    const [fence = ''] = /^`+(?=diff$)/m.exec(stdout) ?? [];
    const [, , inside = ''] =
      stdout.split(new RegExp(`^${fence}(?:diff)?$`, 'm')).length === 3 ? stdout.split(fence) : [];
    expect(fence.length).toBeGreaterThan(4);
    expect(stdout.trimEnd().endsWith(fence)).toBe(true);
    expect([...stdout].filter((sign) => '\u001b\u202e'.includes(sign))).toEqual([]);
    expect(inside).toBeDefined();
  });

  test('is saved with a plan, and does not share stdout', async () => {
    file.write(onlyTags);
    const saved = await file.run(['plan', 'orgchat.yaml', '--markdown', '-o', 'plan.json']);
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringContaining('```diff')]);
    expect((await file.run(['apply', 'plan.json'])).code).toBe(0);
    expect((await file.run(['plan', 'orgchat.yaml', '--markdown', '-o', '-'])).code).toBe(3);
    expect((await file.run(['plan', 'orgchat.yaml', '--markdown', '--fields', 'changes'])).code).toBe(3);
  });
});
