import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationResources } from '@orgchat/spec';
import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('records', () => {
  test('create, get, update of single fields, delete', async () => {
    const made = await cli.run([
      'links',
      'create',
      '--name',
      'L',
      '--url',
      'https://example.com',
      '--tag',
      'VIP',
      '--json',
    ]);
    expect(made.json).toMatchObject({
      applied: true,
      replayed: false,
      result: { name: 'L', scenarioId: null },
    });
    const id = String(made.json.result?.id);
    const changed = await cli.run(['links', 'update', id, '--tag', 'none', '--json']);
    expect(changed.json.result).toMatchObject({ name: 'L', url: 'https://example.com', tagId: null });
    expect((await cli.run(['links', 'get', 'L', '--json'])).json).toEqual(changed.json.result);
    const gone = await cli.run(['links', 'delete', id, '--yes', '--json']);
    expect(gone.json.result).toEqual({ id, deleted: true });
  });

  test('the output of get can be passed back, guarded by its revision', async () => {
    const read = await cli.run(['tags', 'get', 'VIP', '--json']);
    writeFileSync(join(cli.folder, 'vip.json'), JSON.stringify({ ...read.json, color: 'green' }));
    await cli.run(['tags', 'update', 'VIP', '--color', 'brown', '-q']);
    const late = await cli.run(['tags', 'update', 'VIP', '--data', 'vip.json', '--json']);
    expect([late.code, late.json.error?.code]).toEqual([5, 'STALE_REVISION']);
  });

  test('the hint of invalid data names the file or the flag that it comes from', async () => {
    writeFileSync(join(cli.folder, 'bad.json'), JSON.stringify({ name: 'n', color: 'beige' }));
    const hint = async (...args: string[]) =>
      (await cli.run(['tags', 'create', ...args, '--json'])).json.error?.hint;
    expect(await hint('--data', 'bad.json')).toBe('Fix bad.json.');
    expect(await hint('--data', 'bad.json', '--name', '')).toBe('Set --name, --color. See --help.');
  });

  test.each(configurationResources)(
    'what get prints of %s goes into update and create as it is',
    async (resource) => {
      const [first] = (await cli.run([resource, 'list', '--json'])).json as unknown as { id: string }[];
      const id = String(first?.id);
      const read = await cli.run([resource, 'get', id, '--format', 'yaml']);
      // With an intent it is sent, although it changes nothing.
      const update = [resource, 'update', id, '--data', '-', '--json', '--intent', `same ${resource}`];
      const updated = await cli.run(update, { input: read.stdout });
      expect([updated.code, updated.json.applied]).toEqual([0, true]);
      // The guards are those of the file, so that a second one comes too late.
      const late = await cli.run([resource, 'update', id, '--data', '-', '--json'], { input: read.stdout });
      expect([late.code, late.json.error?.code]).toEqual([5, 'STALE_REVISION']);
      const copy = await cli.run([resource, 'create', '--data', '-', '--json'], { input: read.stdout });
      expect(copy.code).toBe(0);
      expect(copy.json.result?.id).not.toBe(id);
    },
  );

  test('a file with another record is rejected', async () => {
    const { stdout } = await cli.run(['tags', 'get', 'VIP', '--json']);
    const { code, json } = await cli.run(['tags', 'update', 'Trial', '--data', '-', '--json'], {
      input: stdout,
    });
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
  });

  test('a dry run prints what would be sent and sends nothing', async () => {
    const { json, code } = await cli.run([
      'tags',
      'create',
      '--name',
      'x',
      '--color',
      'pink',
      '--dry-run',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json.change).toEqual({ action: 'create-tags', data: { name: 'x', color: 'pink' } });
    expect((await cli.run(['tags', 'list', '--json'])).json).toHaveLength(3);
  });

  test('form submissions, link clicks and Studio', async () => {
    expect((await cli.run(['forms', 'submissions', 'Survey', '--json'])).json[0]).toHaveProperty('values');
    expect((await cli.run(['links', 'clicks', 'Spring page', '--json'])).json[0]).toHaveProperty('clickedAt');
    const all = await cli.run(['studio', 'documents', 'Website', '--all', '--json']);
    expect(Number(all.json.length)).toBeGreaterThan(50);
    const one = await cli.run(['studio', 'document', 'Website', String(all.json[0]?.id), '--body']);
    expect(one.stdout).toMatch(/^# /);
    expect((await cli.run(['studio', 'projects', '--archived', '--json'])).json).toHaveLength(1);
  });
});
