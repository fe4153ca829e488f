import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { journalConformance } from './conformance.ts';
import { fileJournal } from './file.ts';
import { memoryJournal } from './memory.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

describe.each([
  ['memory', () => memoryJournal()],
  ['file', () => fileJournal(folder())],
  ['durable file', () => fileJournal(folder(), { durable: true })],
] as const)('%s journal', (_name, make) => {
  for (const { name, run } of journalConformance(make)) test(name, run);
});
