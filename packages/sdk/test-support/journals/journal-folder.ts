import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '@orgchat/atomic-files';
import { unwatch } from '@orgchat/atomic-files/test-support/file-system';
import { afterEach, beforeEach } from 'vitest';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { JournalEntry } from '../../src/journal/journal.ts';
import { type Step, scripted } from '../servers/scripted.ts';
import { entry } from './journal-entries.ts';

interface Stored {
  entry: JournalEntry;
  owner?: ProcessIdentity;
}

// As it is, whatever is put in its place.
const { readdirSync } = fs;

/** What is in a journal's folder, and below it in the folders of days, in order. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^settled([\\/]\d{4}-\d{2}-\d{2})?$/.test(name))
    .sort();
}

/** A folder for the journals of each test, and looks into it; `below` is left to the journal to make. */
export function journalFolder(...below: readonly string[]) {
  let made = '';
  beforeEach(() => {
    made = fs.mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(() => {
    unwatch();
    fs.rmSync(made, { recursive: true, force: true });
  });
  const dir = (): string => join(made, ...below);
  const files = (): string[] => filesBelow(dir());
  const only = (): string => join(dir(), files()[0] ?? '');
  return {
    /** Where it is. */
    get dir() {
      return dir();
    },
    files,
    /** The path of the one file in it. */
    only,
    stored: (): Stored => JSON.parse(fs.readFileSync(only(), 'utf8')),
    put: (value: unknown): void => fs.writeFileSync(only(), JSON.stringify(value)),
    /** A client with a journal in it. */
    here: (...steps: readonly Step[]) => scripted(steps, { journal: fileJournal(dir()), retry: false }),
    /** An entry that nobody holds. */
    free(): JournalEntry {
      const journal = fileJournal(dir());
      const one = entry({ state: 'unknown' });
      journal.add(one);
      journal.settle(one);
      return one;
    },
  };
}

/** A deadline an hour from now. */
export const later = (): string => new Date(Date.now() + 3_600_000).toISOString();
