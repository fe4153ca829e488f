import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { getThisProcess, type ProcessIdentity, readProcessFacts } from '@orgchat/atomic-files';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, test } from 'vitest';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import { toDay } from '../../src/journal/file/names.ts';
import { entry } from '../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';
import { applied, lost, record, replayed, type Step, scripted } from '../../test-support/servers/scripted.ts';

/* Files that are not entries, or entries that cannot be read. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder('made', 'on demand');
const { files, only, here } = folder;

const living: ProcessIdentity = {
  ...getThisProcess(),
  pid: process.ppid,
  start: readProcessFacts(process.ppid).start,
};
const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('what cannot be used', () => {
  test('is reported, never fatal, and not moved', async () => {
    await attempt(here(lost).client.tags.create(vip));
    const good = files()[0] ?? '';
    const name = (n: number): string => `${`${n}`.repeat(8)}${good.slice(8)}`;
    const text = fs.readFileSync(only(), 'utf8');
    fs.writeFileSync(join(folder.dir, name(1)), text.slice(0, 100));
    fs.writeFileSync(join(folder.dir, name(2)), '');
    fs.writeFileSync(join(folder.dir, name(3)), '{"hello":"world"}');
    fs.writeFileSync(join(folder.dir, name(4)), text.replace('"format":2', '"format":3'));
    fs.writeFileSync(
      join(folder.dir, name(5)),
      text.replace('"state":"pending"', '"state":"else"').replace('"unknown"', '"else"'),
    );
    fs.writeFileSync(join(folder.dir, 'notes.txt'), 'Remember the milk');
    fs.mkdirSync(join(folder.dir, name(6)));
    const before = files();
    const { client } = here(replayed);
    const problems = await client.operations.problems();
    expect(
      Object.fromEntries(problems.map(({ location, reason }) => [location.slice(0, 5), reason])),
    ).toEqual({
      '11111': 'truncated',
      '22222': 'truncated',
      '33333': 'foreign',
      '44444': 'format',
      '55555': 'foreign',
      '66666': 'foreign',
      notes: 'foreign',
    });
    const resumed = await client.operations.resumeAll();
    expect(resumed.map(({ operationId, kind, state }) => [operationId[0], kind, state])).toEqual([
      [good[0], 'change', 'applied'],
      ...['1', '2', '3', '4', '5', '6'].map((digit) => [digit, undefined, 'unknown']),
    ]);
    expect(resumed[1]?.error).toMatchObject({
      ...{ code: 'JOURNAL_FAILED', reason: 'journal-entry-unusable', outcome: 'unknown' },
      message: `The journal entry of operation ${name(1).slice(0, 36)} in ${name(1)} cannot be used, so nothing was sent: the file is truncated or corrupted`,
    });
    const settled = join('settled', toDay(Date.now()), good);
    expect(files()).toEqual([...before.filter((one) => one !== good), settled].sort());
  });

  test.skipIf(process.platform === 'win32')('does not block the process, even if it is a pipe', async () => {
    await attempt(here(lost).client.tags.create(vip));
    const good = files()[0] ?? '';
    for (const digit of ['1', '2'])
      execFileSync('mkfifo', [join(folder.dir, `${digit.repeat(8)}${good.slice(8)}`)]);
    // One of them has a writer that writes nothing.
    const writer = fs.openSync(join(folder.dir, `${'2'.repeat(8)}${good.slice(8)}`), 'r+');
    const { client } = here(replayed);
    expect(await client.operations.problems()).toMatchObject([
      { reason: 'truncated' },
      { reason: 'foreign' },
    ]);
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'applied' },
      { state: 'unknown' },
      { state: 'unknown' },
    ]);
    fs.closeSync(writer);
  });

  test('is emitted as an event', async () => {
    await here(applied).client.tags.create(vip);
    fs.writeFileSync(join(folder.dir, 'notes.txt'), '');
    const events: unknown[] = [];
    const { client } = scripted([applied], {
      journal: fileJournal(folder.dir),
      onEvent: (event) => events.push(event),
    });
    await client.operations.list();
    expect(events).toMatchObject([
      { type: 'journal', problem: { location: 'notes.txt', reason: 'foreign' } },
    ]);
  });

  test('does not block an operation of the same name', async () => {
    await here(applied).client.tags.create(vip, { intent: ['x'] });
    fs.writeFileSync(only(), '{"ent');
    const { client } = here(replayed);
    expect(await client.tags.create(vip, { intent: ['x'] })).toMatchObject({ replayed: true });
    expect(files()).toHaveLength(2);
  });

  test.each([
    ['a keyword write, cut off', 'keywords', (text: string) => text.slice(0, 100)],
    [
      'a keyword write of a later version',
      'keywords',
      (text: string) => text.replace('"format":2', '"format":3'),
    ],
    ['a change of a later version', 'change', (text: string) => text.replace('"format":2', '"format":3')],
    // It may be a stale try of an edit, whose data would go over what was made of the record since.
    ['a change from a revision, cut off', 'update', (text: string) => text.slice(0, 100)],
  ])('%s, is not sent again under its intent, and stays where it is', async (_name, kind, spoil) => {
    const write = (step: Step) => {
      const { client, sent } = here(step);
      const options = { intent: ['once'] };
      const writes: Readonly<Record<string, () => Promise<unknown>>> = {
        change: () => client.tags.create(vip, options),
        update: () => client.tags.update(record, vip, options),
        keywords: () => client.keywords.add('site', { keywords: ['a'] }, options),
      };
      return attempt(writes[kind]?.() ?? Promise.reject(kind)).then((outcome) => ({ outcome, sent }));
    };
    await write(lost);
    const spoiled = spoil(fs.readFileSync(only(), 'utf8'));
    fs.writeFileSync(only(), spoiled);
    const { outcome, sent } = await write(applied);
    expect(outcome).toMatchObject({
      code: 'JOURNAL_FAILED',
      cause: { message: expect.stringContaining(`${files()}`) },
    });
    expect(sent).toHaveLength(0);
    expect(fs.readFileSync(only(), 'utf8')).toBe(spoiled);
  });

  test.each(['EACCES', 'EIO'])(
    'of which the system says %s is not moved away, and nothing is sent',
    async (code) => {
      await here(applied).client.tags.create(vip, { intent: ['x'] });
      const before = files();
      const { readFileSync } = fs;
      watch('readFileSync', (path, options) => {
        if (String(path).startsWith(folder.dir)) fails(code)();
        return readFileSync(path, options);
      });
      const { client, sent } = here(replayed);
      const outcome = await attempt(client.tags.create(vip, { intent: ['x'] }));
      unwatch();
      expect(outcome).toMatchObject({ code: 'JOURNAL_FAILED', cause: { code } });
      expect(sent).toHaveLength(0);
      expect(files()).toEqual(before);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'such as a broken link ends in an error that says what to do',
    async () => {
      await attempt(here(lost).client.tags.create(vip, { intent: ['x'] }));
      const path = only();
      fs.rmSync(path);
      fs.symlinkSync('/nowhere/at/all', path);
      const { client, sent } = here(replayed);
      expect(await attempt(client.tags.create(vip, { intent: ['x'] }))).toMatchObject({
        code: 'JOURNAL_FAILED',
        cause: { message: expect.stringMatching(/cannot be opened\. Move it out of the journal\.$/) },
      });
      expect(sent).toHaveLength(0);
      expect(fs.readlinkSync(path)).toBe('/nowhere/at/all');
    },
  );

  test('is moved once: a file that took its place in the meantime stays', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    fs.writeFileSync(only(), '{"ent');
    const { linkSync } = fs;
    let links = 0;
    watch('linkSync', (from, to) => {
      // The first finds that the name is taken, the second is the lock of the process that moves the file.
      if (++links === 2) {
        unwatch();
        expect(fileJournal(folder.dir).add({ ...one, path: '/of/another', token: 'another' })).toBe(true);
      }
      linkSync(from, to);
    });
    expect(journal.add(one)).toBe(false);
    expect(journal.get(one)).toMatchObject({ path: '/of/another' });
    expect(files()).toHaveLength(2);
  });

  test('stays while another process moves it away, and ends in an error without waiting', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    fs.writeFileSync(only(), '{"ent');
    fs.writeFileSync(`${only()}.lock`, JSON.stringify(living));
    expect(() => journal.add(one)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('another process is changing this entry'),
        reason: 'journal-busy',
      }),
    );
    expect(files()).toHaveLength(2);
  });

  test('reports a folder that other users can read', async () => {
    fs.mkdirSync(folder.dir, { recursive: true, mode: 0o755 });
    fs.chmodSync(folder.dir, 0o755);
    expect(await here(applied).client.operations.problems()).toMatchObject([
      { location: folder.dir, reason: 'permissions' },
    ]);
  });

  test('a folder that cannot be written stops the change before it is sent', async () => {
    fs.mkdirSync(join(folder.dir, '..'), { recursive: true });
    fs.writeFileSync(folder.dir, 'a file');
    const { client, sent } = here(applied);
    expect(await attempt(client.tags.create(vip))).toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(sent).toHaveLength(0);
  });
});
