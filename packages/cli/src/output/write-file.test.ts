import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkWritable, writeAtomic } from './write-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgchat-file-'));
const file = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => writeFileSync(file, 'before'));

const text = (name: string): string => readFileSync(name, 'utf8');

test('a file is what it was until it is whole', async () => {
  const seen: string[] = [];
  await writeAtomic(file, async (write) => {
    await write('one ');
    seen.push(text(file));
    await write('two');
  });
  expect([seen, text(file)]).toEqual([['before'], 'one two']);
});

test('a hint names a directory as a shell reads it', async () => {
  const below = join(folder, 'a b', 'file');
  await expect(checkWritable(below)).rejects.toMatchObject({
    hint: `Create it: mkdir -p '${join(folder, 'a b')}'`,
  });
});

test('failed work keeps the old file and leaves no other file', async () => {
  const work = writeAtomic(file, async (write) => {
    await write('half');
    throw new Error('the disk is full');
  });
  await expect(work).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    message: `Cannot write ${file}: the disk is full.`,
  });
  expect([text(file), readdirSync(folder)]).toEqual(['before', ['file']]);
});

describe.skipIf(process.platform === 'win32')('where files have modes, links and pipes', () => {
  test('a file keeps its mode, and what links to it', async () => {
    const link = join(folder, 'link');
    chmodSync(file, 0o666);
    symlinkSync(file, link);
    await writeAtomic(link, (write) => write('after'));
    expect([text(file), statSync(file).mode & 0o777]).toEqual(['after', 0o666]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('a link keeps being one if what it leads to does not exist yet', async () => {
    const [link, other] = [join(folder, 'first'), join(folder, 'second')];
    symlinkSync('second', link);
    symlinkSync(join(folder, 'new'), other);
    await checkWritable(link);
    await writeAtomic(link, (write) => write('after'));
    expect([text(join(folder, 'new')), lstatSync(link).isSymbolicLink()]).toEqual(['after', true]);
    expect(lstatSync(other).isSymbolicLink()).toBe(true);
    const circle = join(folder, 'circle');
    symlinkSync('circle', circle);
    await expect(writeAtomic(circle, (write) => write('after'))).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
    });
  });

  test('a file that is mounted by itself is written in place', async () => {
    const rename = vi.spyOn(files, 'rename');
    rename.mockRejectedValueOnce(Object.assign(new Error('busy'), { code: 'EBUSY' }));
    syncBuiltinESMExports();
    const { ino } = statSync(file);
    try {
      await writeAtomic(file, (write) => write('after'));
    } finally {
      rename.mockRestore();
      syncBuiltinESMExports();
    }
    expect([text(file), statSync(file).ino]).toEqual(['after', ino]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a pipe takes all of it and stays one', async () => {
    const pipe = join(folder, 'pipe');
    const copy = join(folder, 'copy');
    execFileSync('sh', ['-c', `mkfifo '${pipe}'; cat '${pipe}' > '${copy}' &`], { stdio: 'ignore' });
    await writeAtomic(pipe, async (write) => {
      await write('one ');
      await write('two');
    });
    await expect.poll(() => text(copy), { timeout: 10_000 }).toBe('one two');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
