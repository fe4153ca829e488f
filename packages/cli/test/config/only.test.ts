import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const apply = (...args: string[]) => file.run(['apply', 'orgchat.yaml', '--yes', ...args]);
const exportFile = (...args: string[]) => file.run(['export', '-o', 'orgchat.yaml', ...args]);
const color = async (name: string) => (await cli.run(['tags', 'get', name, '--json'])).json.color;
/** The origin of each difference. */
const origins = async (...args: string[]) => {
  const { changes } = (await file.run(['diff', 'orgchat.yaml', ...args])).json as unknown as {
    changes: { label: string; origin: string }[];
  };
  return changes.map(({ label, origin }) => `${label} ${origin}`);
};
const orangeTrial = ['name: Trial\n    color: neutral', 'name: Trial\n    color: orange'] as const;

describe('apply --only', () => {
  test('changes the named records, and the others keep their differences and origins', async () => {
    file.edit(greenVip, orangeTrial, freshTag);
    await file.rival('tags', 'update', 'Newsletter', '--color', 'brown');
    expect((await apply('--only', 'tags/VIP')).json).toMatchObject({ applied: 1, unchanged: 0, failed: [] });
    expect([await color('VIP'), await color('Trial')]).toEqual(['green', 'neutral']);
    expect(await origins()).toEqual(['Fresh file', 'Newsletter drift', 'Trial file']);
    await file.rival('tags', 'update', 'VIP', '--color', 'blue');
    expect(await origins('--only', 'tags/VIP')).toEqual(['VIP drift']);
  });

  test('takes ids, old names and several records', async () => {
    file.edit(greenVip, ['name: Shop counter', 'name: Counter'], freshTag);
    const { id } = (await cli.run(['tags', 'get', 'VIP', '--json'])).json;
    const named = ['--only', `tags/${id}`, '--only', 'routes/Shop counter', '--only', 'tags/Fresh'];
    expect((await apply(...named)).json).toMatchObject({ applied: 3 });
    expect(await origins()).toEqual([]);
  });

  test('takes several records with commas between them, and names with commas', async () => {
    await file.rival('tags', 'create', '--name', 'Fresh, new', '--color', 'blue');
    file.edit(greenVip, freshTag);
    expect((await apply('--only', 'tags/VIP, tags/Fresh,routes/Shop counter')).json).toMatchObject({
      applied: 2,
      unchanged: 1,
    });
    expect((await exportFile('--only', 'tags/VIP,tags/Fresh, new')).code).toBe(0);
    expect(file.read()).toContain('name: Fresh, new');
  });

  test('is refused if it can be read in two ways', async () => {
    const { json: odd } = await file.rival('tags', 'create', '--name', 'VIP,tags/Trial', '--color', 'blue');
    const { code, json } = await file.run(['diff', 'orgchat.yaml', '--only', 'tags/VIP,tags/Trial']);
    expect([code, json.error?.code]).toEqual([3, 'AMBIGUOUS_NAME']);
    expect(json.error?.hint).toContain('repeat the flag: --only tags/VIP --only tags/Trial.');
    expect((await exportFile('--only', `tags/${odd.result?.id}`)).code).toBe(0);
  });

  test('takes each flag on its own, beside a record whose name has both', async () => {
    await file.rival('tags', 'create', '--name', 'VIP,tags/Trial', '--color', 'blue');
    file.edit(greenVip, orangeTrial);
    expect((await apply('--only', 'tags/VIP', '--only', 'tags/Trial')).json).toMatchObject({ applied: 2 });
  });

  test('takes a name that contains another record, if only the whole is there', async () => {
    await file.rival('tags', 'create', '--name', 'Gold,tags/Silver', '--color', 'blue');
    expect((await exportFile('--only', 'tags/Gold,tags/Silver')).code).toBe(0);
    expect(file.read()).toContain('name: Gold,tags/Silver');
  });

  test('deletes only the named record with --prune', async () => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    await file.rival('tags', 'create', '--name', 'Other', '--color', 'blue');
    const { json } = await apply('--prune', '--only', 'tags/Old');
    expect(json.steps).toMatchObject([{ action: 'delete', label: 'Old' }]);
    expect((await apply('--only', 'tags/Other')).json).toMatchObject({
      applied: 0,
      unmanaged: [{ label: 'Other' }],
    });
    expect(await origins('--prune')).toEqual(['Other drift']);
  });

  test('a first apply with it leaves no base for the other records', async () => {
    file.edit(greenVip, orangeTrial);
    const elsewhere = { env: { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') } };
    await file.run(['apply', 'orgchat.yaml', '--yes', '--only', 'tags/VIP'], elsewhere);
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    const { json } = await file.run(['diff', 'orgchat.yaml', '--prune'], elsewhere);
    expect(json.changes).toMatchObject([
      { label: 'Trial', origin: 'unknown' },
      { label: 'Old', origin: 'unknown' },
    ]);
  });

  test('refuses a record that needs another one, and says how to add it', async () => {
    file.edit(freshTag, ['submitTagId: Newsletter', 'submitTagId: Fresh']);
    const { code, json } = await apply('--only', 'forms/Survey');
    expect([code, json.error]).toMatchObject([
      3,
      { code: 'NOT_SELECTED', hint: 'Add them: --only tags/Fresh' },
    ]);
    expect((await apply('--only', 'forms/Survey', '--only', 'tags/Fresh')).json.applied).toBe(2 as never);
  });

  test.each([
    ['tags', 3],
    ['tags/', 3],
    ['tag/VIP', 3],
    ['friends/Emi', 3],
    ['tags/Nobody', 6],
  ])('%s is refused with %i', async (only, exit) => {
    expect((await apply('--only', only)).code).toBe(exit);
  });

  test('an invalid record elsewhere does not matter, and one that is named does', async () => {
    file.edit(greenVip, ['submitTagId: Newsletter', 'submitTagId: Nobody']);
    expect((await apply('--only', 'tags/VIP')).code).toBe(0);
    expect((await apply('--only', 'forms/Survey')).code).toBe(3);
  });

  test('is of a plan when it is made, not when it is applied', async () => {
    file.edit(greenVip, orangeTrial);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json', '--only', 'tags/VIP']);
    const refused = await file.run(['apply', 'plan.json', '--only', 'tags/Trial']);
    expect([refused.code, refused.json.error?.message]).toEqual([
      3,
      expect.stringContaining('--only requires'),
    ]);
    expect((await file.run(['apply', 'plan.json'])).json.applied).toBe(1 as never);
    expect(await origins()).toEqual(['Trial file']);
  });

  test('an unfinished apply is continued only with the same records', async () => {
    file.edit(greenVip, orangeTrial);
    await file.loseAnswerTo('update-tags');
    expect((await apply('--only', 'tags/VIP', '--retries', '0')).code).toBe(7);
    expect((await file.run(['diff', 'orgchat.yaml', '--only', 'tags/VIP'])).json.unfinished?.willResume).toBe(
      true as never,
    );
    expect((await file.run(['diff', 'orgchat.yaml'])).json.unfinished?.willResume).toBe(false as never);
    expect((await apply()).json.applied).toBe(1 as never);
    expect([await color('VIP'), await color('Trial'), await origins()]).toEqual(['green', 'orange', []]);
  });

  test('a record that takes the old name of another one is created beside it only on purpose', async () => {
    file.edit(['name: VIP\n', 'name: Gold\n'], ['\ntags:\n', '\ntags:\n  - name: VIP\n    color: blue\n']);
    const { json } = await apply('--only', 'tags/VIP');
    expect(json.steps).toMatchObject([{ action: 'create', label: 'VIP' }]);
    expect(await origins()).toEqual(['Gold file', 'Shop counter file']);
  });
});

describe('export --only', () => {
  test('takes the named record from the organization, and leaves everything else', async () => {
    file.edit(orangeTrial, freshTag);
    const before = file.read();
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    await file.rival('tags', 'update', 'Newsletter', '--color', 'brown');
    await file.rival('tags', 'create', '--name', 'Rival', '--color', 'blue');
    expect((await exportFile('--only', 'tags/VIP')).code).toBe(0);
    expect(file.read()).toBe(before.replace('color: pink', 'color: brown'));
    expect(await origins()).toEqual(['Fresh file', 'Newsletter drift', 'Trial file']);
    expect((await exportFile('--only', 'tags/Rival')).code).toBe(0);
    expect(file.read()).toContain('name: Rival');
    expect(file.read()).toContain('name: Fresh');
  });

  test('keeps an edit of the named record, and lists a conflict', async () => {
    file.edit(greenVip);
    expect((await exportFile('--only', 'tags/VIP')).json).toMatchObject({
      result: 'unchanged',
      kept: [{ label: 'VIP' }],
    });
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    const refused = await exportFile('--only', 'tags/VIP');
    expect([refused.code, refused.json.error?.hint]).toEqual([
      5,
      expect.stringContaining('orgchat.yaml --only tags/VIP --force'),
    ]);
    expect((await exportFile('--only', 'tags/VIP', '--force')).code).toBe(0);
    expect(file.read()).toContain('name: VIP\n    color: brown');
  });

  test('other records follow the new name of a reference', async () => {
    await file.rival('tags', 'update', 'Newsletter', '--name', 'Weekly');
    expect((await exportFile('--only', 'tags/Newsletter')).code).toBe(0);
    expect(file.read()).toContain('submitTagId: Weekly');
    expect(await origins()).toEqual([]);
  });

  test('does not drop a record that others in the file refer to', async () => {
    const before = file.read();
    await file.rival('tags', 'delete', 'Newsletter');
    for (const force of [[], ['--force']]) {
      const { code, json } = await exportFile('--only', 'tags/Newsletter', ...force);
      expect([code, json.error?.hint]).toEqual([5, expect.stringContaining('name them with --only')]);
    }
    expect(file.read()).toBe(before);
  });

  test('drops a record that the organization deleted', async () => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    await exportFile();
    const { json: kept } = await file.run(['validate', 'orgchat.yaml']);
    await file.rival('tags', 'delete', 'Old');
    expect((await exportFile('--only', 'tags/Old')).code).toBe(0);
    expect((await file.run(['validate', 'orgchat.yaml'])).json.records).toBe(
      (Number(kept.records) - 1) as never,
    );
    expect(await origins('--prune')).toEqual([]);
  });

  test('adds a section that the file does not have', async () => {
    const without = file.read().replace(/\nroutes:[\s\S]*?\n(?=\n\w)/, '');
    file.write(without);
    const { code } = await exportFile('--only', 'routes/Shop counter');
    expect([code, file.read()]).toEqual([0, expect.stringContaining('name: Shop counter')]);
  });

  test('prints or writes only that record where there is no file', async () => {
    const printed = await file.run(['export', '--only', 'tags/VIP']);
    expect(printed.json).toMatchObject({ version: 1, tags: [{ name: 'VIP' }] });
    expect(Object.keys(printed.json)).toEqual(['version', 'tags']);
    await file.run(['export', '-o', 'one.yaml', '--only', 'routes/Shop counter', '--only', 'tags/VIP']);
    const text = readFileSync(join(cli.folder, 'one.yaml'), 'utf8');
    expect(text.match(/- id:/g)).toHaveLength(2);
    writeFileSync(join(cli.folder, 'one.yaml'), text.replace('color: pink', 'color: green'));
    const diff = await file.run(['diff', 'one.yaml']);
    expect(diff.json.changes).toMatchObject([{ label: 'VIP', origin: 'file' }]);
  });

  test.each([
    ['--only', 'tags/VIP'],
    ['--resources', 'tags'],
  ])('a new file that is limited by %s %s has no history of a former one', async (...limit) => {
    rmSync(file.path);
    await exportFile(...limit);
    const { code, json } = await exportFile();
    expect([code, json.error?.code]).toEqual([5, 'CONFLICT']);
    expect(json.error?.missing).toContainEqual({ resource: 'routes', records: 2 });
    // What was not exported was not removed from the file.
    const changes = (await file.run(['diff', 'orgchat.yaml', '--prune'])).json.changes;
    expect(new Set(Object.values(changes ?? {}).map(({ origin }) => origin))).toEqual(
      new Set(limit[0] === '--only' ? ['unknown'] : []),
    );
  });

  test('a record that neither side has is not found, and --resources does not fit', async () => {
    expect((await exportFile('--only', 'tags/Nobody')).code).toBe(6);
    expect((await file.run(['export', '--only', 'tags/Nobody'])).code).toBe(6);
    expect((await exportFile('--only', 'tags/VIP', '--resources', 'tags')).code).toBe(3);
  });
});
