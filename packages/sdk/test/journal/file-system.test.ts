import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, test, vi } from 'vitest';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import { toDay } from '../../src/journal/file/names.ts';
import { claim, entry, target } from '../../test-support/journals/journal-entries.ts';
import { journalFolder, later } from '../../test-support/journals/journal-folder.ts';

/* What a file journal asks of the file system. */

const folder = journalFolder();
const { files } = folder;

describe('a durable journal', () => {
  test('flushes the entry and its name to the disk before it confirms', () => {
    const order: string[] = [];
    const names = new Map<number, string>();
    const { openSync, fsyncSync, linkSync, unlinkSync } = fs;
    const folders: Readonly<Record<string, string>> = {
      [folder.dir]: 'the folder',
      [join(folder.dir, 'settled')]: 'settled',
      [join(folder.dir, 'settled', toDay(Date.now()))]: 'the day',
    };
    watch('openSync', (path, flags, mode) => {
      const file = openSync(path, flags, mode);
      names.set(file, folders[String(path)] ?? 'the file');
      return file;
    });
    watch('fsyncSync', (file) => {
      order.push(`sync ${names.get(file)}`);
      fsyncSync(file);
    });
    watch('linkSync', (from, to) => {
      order.push('link');
      linkSync(from, to);
    });
    watch('unlinkSync', (path) => {
      if (!String(path).endsWith('.tmp')) order.push('unlink');
      unlinkSync(path);
    });
    const journal = fileJournal(folder.dir, { durable: true });
    const one = entry();
    journal.add(one);
    expect(order.splice(0)).toEqual(['sync the file', 'link', 'sync the folder']);
    journal.settle({ ...one, state: 'applied' });
    expect(order).toEqual(['sync settled', 'sync the file', 'sync the day', 'unlink']);
  });

  test('leaves nothing of an entry whose name could not be flushed', () => {
    const journal = fileJournal(folder.dir, { durable: true });
    const one = entry();
    let syncs = 0;
    watch('fsyncSync', () => ++syncs === 2 && fails('EINVAL')());
    expect(() => journal.add(one)).toThrow('EINVAL');
    unwatch();
    expect(files()).toEqual([]);
    expect(journal.add(one)).toBe(true);
    expect(claim(journal, one)).toBe('held');
  });

  test('does not flush the folder on Windows, which cannot do it', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const sync = watch('fsyncSync');
    fileJournal(folder.dir, { durable: true }).add(entry());
    expect(sync).toHaveBeenCalledTimes(1);
  });

  test('is optional: by default no write waits for the disk', () => {
    const sync = watch('fsyncSync');
    for (const journal of [
      fileJournal(folder.dir),
      fileJournal(folder.dir, {}),
      fileJournal(folder.dir, { durable: false }),
    ]) {
      const one = entry();
      journal.add(one);
      journal.settle(one);
    }
    expect(sync).not.toHaveBeenCalled();
  });
});

test('every file that was opened is closed', () => {
  const open = watch('openSync');
  const close = watch('closeSync');
  const journal = fileJournal(folder.dir, { durable: true });
  const one = entry();
  journal.add(one);
  journal.settle({ ...one, state: 'unknown' });
  claim(journal, one);
  journal.settle({ ...one, state: 'applied' });
  const opened = open.mock.results.map(({ value }) => value);
  expect(opened.length).toBeGreaterThan(5);
  expect(close.mock.calls.map(([file]) => file)).toEqual(opened);
});

describe('a disk that is filling up', () => {
  // A limit to the size of files, which a shell sets, cuts writes as a full disk does.
  test.skipIf(process.platform === 'win32')('does not use a part of an entry as the whole entry', () => {
    const child = fileURLToPath(new URL('../../test-support/programs/small-disk-child.ts', import.meta.url));
    const limited = [
      '-c',
      'ulimit -f 4 && exec "$@"',
      'sh',
      process.execPath,
      '--import',
      'tsx',
      child,
      folder.dir,
    ];
    const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
    const { stdout } = spawnSync('sh', limited, { env, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ code: 'JOURNAL_FAILED', cause: 'EFBIG', sent: 0, files: [] });
  });

  const unrecordable = [
    ['written', 'writeFileSync', 'ENOSPC'],
    ['begun', 'openSync', 'EIO'],
    ['read', 'readFileSync', 'EIO'],
  ] as const;

  test.each(unrecordable)(
    'leaves nothing to send of a refused or unsent write, if this fails: %s',
    (_how, call, code) => {
      for (const state of ['refused', 'abandoned'] as const) {
        const journal = fileJournal(folder.dir);
        const one = entry();
        journal.add(one);
        watch(call, fails(code));
        expect(() => journal.settle({ ...one, state, error: { code: 'FORBIDDEN' } })).toThrow(code);
        unwatch();
        expect(files()).toEqual([]);
      }
    },
  );

  test.each(unrecordable)(
    'keeps what may be applied, and a stale attempt of an edit, if this fails: %s',
    (_how, call, code) => {
      const stale = {
        state: 'refused',
        error: { code: 'STALE_REVISION', meaning: 'staleRevision' },
      } as const;
      for (const outcome of [stale, { state: 'applied' }, { state: 'unknown' }] as const) {
        const journal = fileJournal(folder.dir);
        const one = entry();
        journal.add(one);
        watch(call, fails(code));
        expect(() => journal.settle({ ...one, ...outcome })).toThrow(code);
        unwatch();
        expect(journal.get(one)).toEqual(one);
        expect(claim(journal, one)).toMatchObject({ state: 'pending' });
        expect(journal.remove(one)).toBe(true);
      }
    },
  );

  test('keeps an entry that cannot be settled, and releases it', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    watch('writeFileSync', fails('ENOSPC'));
    expect(() => journal.settle({ ...one, state: 'unknown' })).toThrow('ENOSPC');
    unwatch();
    expect(files()).toHaveLength(1);
    expect(journal.get(one)).toEqual(one);
    const deadline = later();
    expect(claim(journal, one, deadline)).toEqual({ ...one, deadline, token: expect.any(String) });
    expect(claim(journal, one, deadline)).toBe('held');
  });
});

test('a temporary file of another process with the same name is not touched', () => {
  const { openSync } = fs;
  const journal = fileJournal(folder.dir);
  watch('openSync', (path, flags, mode) => {
    fs.writeFileSync(path, 'of another');
    return openSync(path, flags, mode);
  });
  expect(() => journal.add(entry())).toThrow('EEXIST');
  unwatch();
  expect(files().map((name) => fs.readFileSync(join(folder.dir, name), 'utf8'))).toEqual(['of another']);
});

test('an entry that could not be settled or removed is free, until it is created again', () => {
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  watch('rmSync', fails('EIO'));
  expect(() => journal.remove(one)).toThrow('EIO');
  watch('writeFileSync', fails('ENOSPC'));
  expect(() => journal.settle({ ...one, state: 'unknown' })).toThrow();
  unwatch();
  expect(claim(journal, one)).toMatchObject({ operationId: one.operationId });
  expect(journal.remove(one)).toBe(true);
  expect(journal.add(one)).toBe(true);
  expect(claim(journal, one)).toBe('held');
});

test('an entry that could not be claimed is free, although its file names a holder', () => {
  const journal = fileJournal(folder.dir);
  const one = entry({ state: 'unknown' });
  journal.add(one);
  journal.settle(one);
  const { renameSync } = fs;
  watch('renameSync', (from, to) => {
    renameSync(from, to);
    fails('EIO')();
  });
  expect(() => claim(journal, one)).toThrow('EIO');
  unwatch();
  const deadline = later();
  expect(claim(journal, one, deadline)).toEqual({ ...one, deadline, token: expect.any(String) });
});

test('an entry that cannot be read is not reported as removed, and is not held', () => {
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  watch('readFileSync', fails('EIO'));
  expect(() => journal.remove(one)).toThrow('EIO');
  unwatch();
  expect(claim(journal, one)).toMatchObject({ operationId: one.operationId });
});

describe('a file system without links', () => {
  test('keeps entries, each once', () => {
    watch('linkSync', fails('EPERM'));
    const journal = fileJournal(folder.dir);
    const one = entry();
    expect(journal.add(one)).toBe(true);
    expect(journal.get(one)).toEqual(one);
    expect(journal.add({ ...one, body: '{}', token: 'another' })).toBe(false);
    expect(journal.get(one)).toEqual(one);
    expect(files()).toHaveLength(1);
  });

  test('throws ENOSPC if the disk is full', () => {
    watch('linkSync', fails('EPERM'));
    watch('copyFileSync', fails('ENOSPC'));
    expect(() => fileJournal(folder.dir).add(entry())).toThrow('ENOSPC');
    expect(files()).toEqual([]);
  });
});

describe('problems and messages', () => {
  test('of a folder that others can read: what to do', async () => {
    fs.chmodSync(folder.dir, 0o755);
    const { problems } = await fileJournal(folder.dir).list(target);
    expect(problems).toMatchObject([{ location: folder.dir, message: expect.stringContaining('chmod 700') }]);
  });

  test('of such a folder on Windows: none, because modes have no meaning there', async () => {
    fs.chmodSync(folder.dir, 0o755);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    expect(await fileJournal(folder.dir).list(target)).toEqual({ entries: [], problems: [] });
  });

  test('of an entry that is a folder: that it cannot be read, and the code of the system', async () => {
    const location = `${crypto.randomUUID()}.0123456789abcdef.json`;
    fs.mkdirSync(join(folder.dir, location));
    expect(await fileJournal(folder.dir).list(target)).toEqual({
      entries: [],
      problems: [{ location, reason: 'foreign', message: 'the file cannot be read (EISDIR)' }],
    });
  });
});
