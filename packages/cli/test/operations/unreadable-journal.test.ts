import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { create, named } from '../../test-support/tags.ts';

const cli = useCli({ inProcess: true });

test.runIf(process.platform === 'linux')(
  'a state folder that cannot be made is named, and keeps nothing from reading',
  async () => {
    const env = { ORGCHAT_STATE_DIR: '/proc/orgchat/state' };
    const change = await cli.run(create('Nowhere'), { env });
    expect([change.code, change.json.error?.code]).toEqual([1, 'FILE_UNWRITABLE']);
    expect(change.json.error?.hint).toContain('ORGCHAT_STATE_DIR');
    expect((await cli.run(['tags', 'list'], { env })).code).toBe(0);
    expect((await cli.run(['ops', 'list', '--json'], { env })).json.error?.code).toBe('FILE_UNWRITABLE');
    expect((await cli.run(['mock', 'start', '--detach', '--port', '0', '--json'], { env })).code).toBe(1);
    expect(await named(cli, 'Nowhere')).toBe(0);
  },
);

describe('a journal entry that blocks the operation is named, and no other directory is suggested', () => {
  /** Runs it, does something to the file of its entry, and runs it again. */
  async function spoiled(name: string, args: readonly string[], spoil: (file: string) => void) {
    const folder = join(cli.folder, name);
    const env = { ORGCHAT_STATE_DIR: folder };
    const once = [...args, '--intent', name, '--json'];
    expect((await cli.run(once, { env })).code).toBe(0);
    const names = readdirSync(join(folder, 'journal'), { recursive: true, encoding: 'utf8' });
    const entry = names.find((name) => name.endsWith('.json')) ?? '';
    const file = join(folder, 'journal', entry);
    spoil(file);
    const sent = await requestsSent();
    const { code, json } = await cli.run(once, { env });
    expect([code, json.error?.code]).toEqual([1, 'JOURNAL_FAILED']);
    expect(json.error?.hint).toContain(file);
    expect(json.error?.hint).not.toContain('ORGCHAT_STATE_DIR');
    expect(await requestsSent()).toBe(sent);
    return { entry, message: String(json.error?.message) };
  }

  async function requestsSent(): Promise<number> {
    return (await cli.received('changeChat')).length + (await cli.received('addSeoKeywords')).length;
  }

  const tear = (file: string): void => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40));

  test('if a later version wrote it', async () => {
    const { entry, message } = await spoiled('later', create('Later'), (file) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace('"format":2', '"format":3')),
    );
    expect(message).toContain(`${entry}: the entry has format 3`);
    expect(await named(cli, 'Later')).toBe(1);
  });

  test.each([
    ['a guarded change', ['tags', 'update', 'VIP', '--color', 'green']],
    ['a keyword request', ['keywords', 'add', 'demo-site', 'torn']],
  ])('where that of %s is torn', async (name, args) => {
    const { entry, message } = await spoiled(name, args, tear);
    expect(message).toContain(`${entry}: the file is truncated or corrupted`);
  });

  test('if it cannot be read', async () => {
    const { message } = await spoiled('unreadable', create('Unreadable'), (file) => {
      rmSync(file);
      mkdirSync(file);
    });
    expect(message).toContain('EISDIR');
    expect(await named(cli, 'Unreadable')).toBe(1);
  });
});

test('an unreadable journal is named by commands that read it and by commands that write to it', async () => {
  const folder = join(cli.folder, 'no-folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'journal'), '');
  const env = { ORGCHAT_STATE_DIR: folder };
  const listed = await cli.run(['ops', 'list', '--json'], { env });
  expect([listed.code, listed.json.error]).toMatchObject([
    1,
    {
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(`Cannot read the journal in ${join(folder, 'journal')}: ENOTDIR`),
    },
  ]);
  const change = await cli.run([...create('Unkept'), '--json'], { env });
  expect([change.code, change.json.error?.code]).toEqual([1, 'JOURNAL_FAILED']);
  expect(change.json.error?.hint).toContain(`Make ${join(folder, 'journal')} readable and writable`);
  expect(await named(cli, 'Unkept')).toBe(0);
});
