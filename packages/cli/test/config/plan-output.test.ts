import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* What a plan shows is what is sent. */

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const tagsNamed = async (name: string) =>
  (await cli.run(['tags', 'list', '--search', name, '--json'])).json as unknown as unknown[];
/** `config …` as a person sees it. */
const text = async (...args: string[]) =>
  (await cli.run(['config', ...args, '--format', 'table', '--pacing', 'off'])).stdout;

interface SavedStep {
  label: string;
  data: Record<string, unknown>;
  fields: { path: string; to: unknown }[];
}

describe('a saved plan that was edited', () => {
  const saved = () => join(cli.folder, 'plan.json');

  /** Edits a step of the saved plan, with the digest that belongs to it. */
  async function edited(edit: (step: SavedStep) => unknown, label: string): Promise<void> {
    file.edit(freshTag, greenVip);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    const { digest: _, ...plan } = JSON.parse(readFileSync(saved(), 'utf8')) as {
      digest: string;
      steps: SavedStep[];
    };
    for (const step of plan.steps) if (step.label === label) edit(step);
    const digest = createHash('sha256').update(canonical(plan)).digest('hex');
    writeFileSync(saved(), JSON.stringify({ ...plan, digest }));
  }

  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    );

  test('without any change can be applied, with a digest computed here', async () => {
    await edited(() => undefined, 'Fresh');
    expect((await file.run(['apply', 'plan.json'])).json).toMatchObject({ applied: 2 });
  });

  test('without a new digest is rejected, also with --dry-run', async () => {
    file.edit(freshTag);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    writeFileSync(saved(), readFileSync(saved(), 'utf8').replaceAll('Fresh', 'Other'));
    for (const args of [
      ['apply', 'plan.json'],
      ['apply', 'plan.json', '--dry-run'],
    ]) {
      const { code, json } = await file.run(args);
      expect([code, json.error?.code]).toEqual([3, 'PLAN_EDITED']);
    }
    expect(await tagsNamed('Other')).toEqual([]);
  });

  test.each<[string, string, (step: SavedStep) => unknown]>([
    ['another label than it sends', 'Fresh', ({ data }) => Object.assign(data, { name: 'EVIL' })],
    ['another field of a create', 'Fresh', ({ data }) => Object.assign(data, { color: 'pink' })],
    ['another field of an update', 'VIP', ({ data }) => Object.assign(data, { color: 'brown' })],
    ['less than an update changes', 'VIP', (step) => Object.assign(step, { fields: [] })],
    ['an update as the follow-up of another step', 'VIP', (step) => Object.assign(step, { followsUp: '1' })],
  ])('to show %s is rejected', async (_name, label, edit) => {
    await edited(edit, label);
    const { code, json } = await file.run(['apply', 'plan.json', '--yes']);
    expect([code, json.error?.code]).toEqual([3, 'PLAN_EDITED']);
    expect((await file.run(['diff', 'orgchat.yaml'])).json.changes).toHaveLength(2);
  });
});

describe('a plan', () => {
  test('shows what a create sends, with names in place of ids', async () => {
    file.edit([
      '\nroutes:\n',
      '\nroutes:\n  - { name: New route, accountId: Demo shop, tagId: VIP, scenarioId: null }\n',
    ]);
    expect(await text('plan', 'orgchat.yaml')).toMatch(
      / {2}\+ New route\n {6}accountId: "Demo shop"\n {6}name: "New route"\n {6}tagId: "VIP"\n/,
    );
  });

  test('shows a difference at the end of a long text', async () => {
    const before = 'Lorem ipsum dolor sit amet. '.repeat(20);
    await file.rival('templates', 'create', '--name', 'Long', '--text', `${before}Yes.`);
    await file.run(['export', '-o', 'orgchat.yaml']);
    file.edit(['amet. Yes.', 'amet. No.']);
    const shown = await text('diff', 'orgchat.yaml');
    expect(shown).toMatch(/- "….*Yes\."\n.*\+ "….*No\."/);
  });

  test('counts records that are not in the file, and lists them with --show-unmanaged', async () => {
    for (let number = 0; number < 3; number++)
      await file.rival('tags', 'create', '--name', `Other ${number}`, '--color', 'blue');
    const args = ['diff', 'orgchat.yaml'];
    expect(await text(...args)).not.toContain('Other 1');
    expect(await text(...args)).toContain(
      '3 in the organization are not in the file and stay (list them with --show-unmanaged',
    );
    expect(await text(...args, '--show-unmanaged')).toMatch(
      / {4}Other 1 {3}\(created outside the file; stays/,
    );
    expect((await file.run(args)).json.unmanaged).toHaveLength(3);
  });
});

test('records from before the first apply of a file are not reported as created outside the file', async () => {
  await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
  const first = join(cli.folder, 'first.yaml');
  writeFileSync(first, 'tags:\n  - { name: Fresh, color: blue }\n');
  expect((await file.run(['apply', first, '--yes'])).code).toBe(0);
  await file.rival('tags', 'create', '--name', 'Later', '--color', 'blue');
  const { json } = await file.run(['diff', first]);
  const unmanaged = json.unmanaged as unknown as { label: string; origin: string }[];
  const originOf = (label: string) => unmanaged.find((one) => one.label === label)?.origin;
  expect([originOf('Old'), originOf('VIP'), originOf('Later')]).toEqual(['unknown', 'unknown', 'drift']);
  const asked = await file.run(['apply', first, '--prune']);
  expect(asked.json.error?.message).toMatch(
    /\(1 created outside the file, 3 still used by other records, friends with the tags not looked at\)/,
  );
});
