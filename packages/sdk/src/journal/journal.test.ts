import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, test } from 'vitest';
import { journalConformance } from './conformance/journal-conformance.ts';
import { fileJournal } from './file/file-journal.ts';
import { memoryJournal } from './memory.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

/** A full disk, and the end of it. */
const failWrites = () => {
  watch('writeFileSync', fails('ENOSPC'));
  return unwatch;
};

describe.each([
  ['memory', () => memoryJournal(), {}],
  ['file', () => fileJournal(folder()), { failWrites, holdsEnd: true }],
  ['durable file', () => fileJournal(folder(), { durable: true }), { failWrites, holdsEnd: true }],
] as const)('%s journal', (_name, make, options) => {
  for (const { name, run } of journalConformance(make, options)) test(name, run);
});
