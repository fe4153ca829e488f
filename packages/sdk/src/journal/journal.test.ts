import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, test } from 'vitest';
import { type ConformanceOptions, journalConformance } from './conformance/journal-conformance.ts';
import { encryptedJournal } from './encrypted/encrypted-journal.ts';
import { fileJournal } from './file/file-journal.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory.ts';

/** A full disk, and the end of it. */
const failWrites = () => {
  watch('writeFileSync', fails('ENOSPC'));
  return unwatch;
};

/** A file system that cannot be reached, as that of a network drive. */
const partition = () => {
  const calls = [
    'readFileSync',
    'writeFileSync',
    'readdirSync',
    'opendirSync',
    'linkSync',
    'openSync',
  ] as const;
  for (const name of calls) watch(name, fails('EIO'));
  return unwatch;
};

/** Another clock of this machine, which processes see from now on. */
const setClock = (offsetMs: number) => {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  return () => {
    Date.now = now;
  };
};

/** File journals, each of which can be opened once more. */
function inFolders(open: (folder: string) => Journal): [() => Journal, ConformanceOptions] {
  const folders = new Map<Journal, string>();
  const make = (): Journal => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    const journal = open(folder);
    folders.set(journal, folder);
    return journal;
  };
  const reopen = (journal: Journal) => open(folders.get(journal) ?? '');
  return [make, { failWrites, holdsEnd: true, partition, reopen, setClock }];
}

const key = 'ab'.repeat(32);

describe.each<[string, () => Journal, ConformanceOptions]>([
  ['memory', () => memoryJournal(), { setClock }],
  ['file', ...inFolders(fileJournal)],
  ['durable file', ...inFolders((folder) => fileJournal(folder, { durable: true }))],
  ['encrypted memory', () => encryptedJournal(memoryJournal(), key), { setClock }],
  ['encrypted file', ...inFolders((folder) => encryptedJournal(fileJournal(folder), key))],
])('%s journal', (_name, make, options) => {
  for (const { name, run } of journalConformance(make, options)) test(name, run);
});
