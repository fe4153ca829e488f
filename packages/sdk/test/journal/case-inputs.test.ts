import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeMeanings } from '../../src/generated/code-meanings.ts';
import { parseEntry } from '../../src/journal/file/stored-entry.ts';
import type { EntryKey, Hold, JournalEntry } from '../../src/journal/journal.ts';
import { createSuite, type Method } from '../../test-support/journals/conformance-suite.ts';

/* A journal under test is asked only what a client would ask it. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Throws unless a client could have made this call. */
function checkInput(method: Method, input: readonly unknown[]): void {
  if (method === 'list') return;
  const key = input[0] as EntryKey;
  expect(new URL(key.target).protocol).toBe('https:');
  if (method === 'claim') {
    const { token, deadline } = input[1] as Hold;
    expect(token).not.toBe('');
    expect(new Date(deadline).toISOString()).toBe(deadline);
  }
  if (method !== 'add' && method !== 'settle') return;
  const { token, kind, path, result, error, fingerprint } = key as JournalEntry;
  expect(parseEntry('entry', JSON.stringify({ entry: key }))).not.toHaveProperty('reason');
  expect(path).toMatch(kind === 'keywords' ? /^\/sites\/\w+\/keywords$/ : /^\/chat\/changes$/);
  if (result) expect(kind).toBe('keywords');
  const texts = [
    token,
    fingerprint,
    ...(error ? [error.code, error.meaning, error.reason, error.requestId] : []),
  ];
  expect(texts.filter((text) => text === '')).toEqual([]);
  if (error?.meaning) expect(Object.keys(codeMeanings)).toContain(error.meaning);
}

test.each([true, false])(
  'each call of a case is one that a client could make (the journal repeats calls: %s)',
  async (repeats) => {
    const { cases } = createSuite(repeats, checkInput);
    for (const { run } of cases) await run();
  },
);
