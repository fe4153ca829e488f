import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* What an export onto an edited file keeps and takes, beyond the fields of one record. */

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const exportFile = (...args: string[]) => file.run(['export', '-o', 'orgchat.yaml', ...args]);
const differences = async () => (await file.run(['diff', 'orgchat.yaml'])).json;
const newRoute = (reference: string) =>
  [
    '\nroutes:\n',
    `\nroutes:\n  - { name: New, accountId: Demo shop, tagId: ${reference}, scenarioId: null }\n`,
  ] as const;

describe('an export onto an edited file', () => {
  test('keeps edits and takes drift, also within one list, and plans only the edits', async () => {
    await file.rival('templates', 'create', '--name', 'Pair', '--text', 'Hello');
    await exportFile();
    file.edit(greenVip, freshTag, newRoute('Fresh'));
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    await file.rival('templates', 'update', 'Pair', '--text', 'Good morning');
    const { code, json, stderr } = await exportFile();
    expect([code, json]).toMatchObject([
      0,
      {
        result: 'updated',
        kept: [
          { action: 'create', label: 'Fresh' },
          { action: 'update', label: 'VIP', fields: [{ path: 'color', from: 'pink', to: 'green' }] },
          { action: 'create', resource: 'routes', label: 'New' },
        ],
      },
    ]);
    expect(stderr).toContain('orgchat.yaml keeps what only the file changed.');
    expect(file.read()).toContain(newRoute('Fresh')[1]);
    expect(file.read()).toContain('text: Good morning');
    expect((await differences()).changes).toMatchObject([
      { label: 'Fresh', origin: 'file' },
      { label: 'VIP', origin: 'file' },
      { label: 'New', origin: 'file' },
    ]);
  });

  test('says with --quiet only in JSON what it keeps', async () => {
    file.edit(greenVip);
    const { json, stderr } = await exportFile('--quiet');
    expect([json.kept, stderr]).toMatchObject([[{ label: 'VIP' }], '']);
  });

  test('writes references with the names that the merged file has', async () => {
    // One name is changed by each side.
    file.edit(['name: Newsletter', 'name: Letters'], ['submitTagId: Newsletter', 'submitTagId: Letters']);
    await file.rival('tags', 'update', 'Trial', '--name', 'Tryout');
    await file.rival('routes', 'update', 'Shop counter', '--name', 'Counter');
    expect((await exportFile()).code).toBe(0);
    const merged = file.read();
    for (const line of ['name: Letters', 'submitTagId: Letters', 'name: Tryout', 'name: Counter'])
      expect(merged).toContain(line);
    expect(merged).not.toMatch(/Id: (?:Trial|Newsletter)\b/);
    expect((await differences()).changes).toMatchObject([
      { action: 'update', label: 'Letters', fields: [{ path: 'name', origin: 'file' }] },
    ]);
  });

  test('keeps comments, anchors, order and style', async () => {
    const swapped = file
      .read()
      .replace('color: pink', 'color: &pink pink # ours')
      .replace('color: neutral', 'color: *pink')
      .replace('\ntags:\n', '\n# Colors\ntags:\n  - { color: *later, name: "Fresh" } # new\n')
      .replace('*later', 'blue');
    const [links = ''] = /\nlinks:[\s\S]*?\n(?=\nroutes:)/.exec(swapped) ?? [];
    file.write(`${swapped.replace(links, '')}${links}`);
    const edited = file.read();
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    expect((await exportFile()).code).toBe(0);
    expect(file.read()).toBe(edited.replace(/(name: Newsletter\n {4}color: )blue/, '$1orange'));
  });

  test('does not format a file that is up to date', async () => {
    file.edit(
      ['    color: pink', '    color:   "pink"'],
      ['\ntags:\n', '\ntags:\n  - {name: Fresh, color: blue}\n'],
    );
    const edited = file.read();
    const { json, stderr } = await exportFile();
    expect([json.result, file.read()]).toEqual(['unchanged', edited]);
    expect(stderr).toContain('tag "Fresh": only in the file');
  });

  test('keeps the order of a JSON file', async () => {
    await cli.run(['config', 'export', '--resources', 'tags', '-o', 'tags.json', '-q']);
    const path = join(cli.folder, 'tags.json');
    const { tags } = JSON.parse((await cli.run(['config', 'export', '--json'])).stdout) as {
      tags: { id: string; name: string; color: string }[];
    };
    const turned = tags.map(({ id, name, color }) => ({ color, name, id })).reverse();
    writeFileSync(path, JSON.stringify({ tags: [{ color: 'blue', name: 'Fresh' }, ...turned], version: 1 }));
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    expect((await file.run(['export', '--resources', 'tags', '-o', 'tags.json'])).code).toBe(0);
    const wanted = turned.map((one) => (one.name === 'VIP' ? { ...one, color: 'brown' } : one));
    expect(readFileSync(path, 'utf8')).toBe(
      `${JSON.stringify({ tags: [{ color: 'blue', name: 'Fresh' }, ...wanted], version: 1 }, null, 2)}\n`,
    );
  });

  test('does not bring back a section that was removed, unless it is named', async () => {
    file.edit([/\nlinks:[\s\S]*?\n(?=\nroutes:)/.exec(file.read())?.[0] ?? '', '']);
    const before = file.read();
    const { code, stderr } = await exportFile();
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('links: the section was removed from the file (1 in the organization)'),
    ]);
    expect(file.read()).toBe(before);
    expect((await exportFile('--resources', 'links')).json.result).toBe('updated' as never);
    expect(file.read()).toContain('\nlinks:\n  - id:');
  });

  test('does not touch the other sections with --resources, and lists only its own conflicts', async () => {
    file.edit(greenVip);
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    await file.rival('links', 'update', 'Spring page', '--url', 'https://example.com/summer');
    expect((await exportFile('--resources', 'links')).json).toMatchObject({
      result: 'updated',
      records: { links: 1 },
    });
    expect(file.read()).toContain('color: green');
    const { code, json } = await exportFile('--resources', 'tags');
    expect([code, json.error?.hint]).toEqual([
      5,
      expect.stringContaining('orgchat config export -o orgchat.yaml --resources tags --force'),
    ]);
  });
});
