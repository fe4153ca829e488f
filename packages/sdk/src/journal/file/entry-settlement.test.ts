import fs from 'node:fs';
import { getThisProcess, readProcessFacts } from '@orgchat/atomic-files';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claim, entry } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder, later } from '../../../test-support/journals/journal-folder.ts';
import type { JournalEntry } from '../journal.ts';
import { fileJournal } from './file-journal.ts';

const folder = journalFolder();
const { only, put, stored } = folder;

/** Another process of this machine that is alive. */
const living = { ...getThisProcess(), pid: process.ppid, start: readProcessFacts(process.ppid).start };
const lock = (): void => fs.writeFileSync(`${only()}.lock`, JSON.stringify(living));

/** An entry without a token, as format 1 has it. */
function withoutToken(): JournalEntry {
  const { token: _, ...rest } = entry();
  return { ...rest, format: 1 };
}

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a settlement that is repeated because its reply was lost', () => {
  test('succeeds again under the same token', () => {
    const journal = fileJournal(folder.dir);
    const applied = entry({ state: 'applied' });
    journal.add({ ...applied, state: 'pending' });
    expect(journal.settle(applied)).toBe(true);
    expect(journal.settle(applied)).toBe(true);
    expect(journal.get(applied)).toEqual(applied);
  });

  test('fails under another token', () => {
    const journal = fileJournal(folder.dir);
    const applied = entry({ state: 'applied' });
    journal.add({ ...applied, state: 'pending' });
    journal.settle(applied);
    expect(journal.settle({ ...applied, state: 'refused', token: 'another' })).toBe(false);
    expect(journal.get(applied)).toEqual(applied);
  });

  test('fails without a token, because nothing shows whose settlement it was', () => {
    const journal = fileJournal(folder.dir);
    const one = withoutToken();
    journal.add(one);
    expect(journal.settle({ ...one, state: 'applied' })).toBe(true);
    expect(journal.settle({ ...one, state: 'refused' })).toBe(false);
    expect(journal.get(one)).toMatchObject({ state: 'applied' });
  });

  test('fails if the entry was removed', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    journal.remove(one);
    expect(journal.settle({ ...one, state: 'applied' })).toBe(false);
    expect(journal.get(one)).toBeUndefined();
  });
});

describe('the lock of an entry', () => {
  test('is not needed for a settlement before the end of the hold', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    lock();
    expect(journal.settle({ ...one, state: 'unknown' })).toBe(true);
  });

  test('prevents a settlement after the end of the hold, because another process may be taking the entry', () => {
    stopClock();
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    const path = only();
    lock();
    vi.advanceTimersByTime(65_001);
    expect(journal.settle({ ...one, state: 'unknown' })).toBe(false);
    fs.rmSync(`${path}.lock`);
    expect(journal.settle({ ...one, state: 'unknown' })).toBe(true);
    expect(journal.get(one)).toMatchObject({ state: 'unknown' });
  });
});

test('a settled entry whose open file cannot be removed is free for the next claim', () => {
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  const open = only();
  const { unlinkSync } = fs;
  watch('unlinkSync', (path) => (path === open ? fails('EACCES')() : unlinkSync(path)));
  expect(journal.settle({ ...one, state: 'applied' })).toBe(true);
  unwatch();
  expect(fs.existsSync(open)).toBe(true);
  expect(claim(journal, one)).toMatchObject({ state: 'applied' });
});

test('an entry without a token can be settled at the second attempt, if the disk was full at the first', () => {
  const journal = fileJournal(folder.dir);
  const one = withoutToken();
  journal.add(one);
  watch('writeFileSync', fails('ENOSPC'));
  expect(() => journal.settle({ ...one, state: 'applied' })).toThrow('ENOSPC');
  unwatch();
  expect(journal.settle({ ...one, state: 'applied' })).toBe(true);
  expect(journal.get(one)).toMatchObject({ state: 'applied' });
});

describe('another thread of this process', () => {
  test('settles an entry by the token of the hold', () => {
    const journal = fileJournal(folder.dir);
    const other = entry();
    journal.add(other);
    // The thread that took the entry knows the hold; this one knows only the token.
    const one = { ...other, operationId: crypto.randomUUID() };
    fs.writeFileSync(
      only().replace(other.operationId, one.operationId),
      JSON.stringify({ entry: one, owner: getThisProcess() }),
    );
    expect(journal.settle({ ...one, state: 'applied' })).toBe(true);
    expect(journal.get(one)).toMatchObject({ state: 'applied' });
  });

  test.each(['unknown', 'applied'] as const)('holds an entry that it took after this one: %s', (state) => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    const open = only();
    journal.settle({ ...one, state });
    fs.writeFileSync(
      open,
      JSON.stringify({ entry: { ...one, token: 'theirs', deadline: later() }, owner: getThisProcess() }),
    );
    expect(claim(journal, one)).toBe('held');
  });

  test('holds an entry that it made after this one removed it', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    const open = only();
    journal.remove(one);
    fs.writeFileSync(open, JSON.stringify({ entry: one, owner: getThisProcess() }));
    expect(claim(journal, one)).toBe('held');
  });
});

describe('two calls of this process on one entry', () => {
  test('the first, whose hold ended, does not change what the second does', () => {
    stopClock();
    const journal = fileJournal(folder.dir);
    const first = entry();
    journal.add(first);
    vi.advanceTimersByTime(65_001);
    const second = claim(journal, first, new Date(Date.now() + 60_000).toISOString()) as JournalEntry;
    expect(journal.settle({ ...first, state: 'refused' })).toBe(false);
    expect(journal.remove(first, first.token)).toBe(false);
    // The hold of the second counts elapsed time: a clock that was set forward does not end it.
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(claim(journal, first)).toBe('held');
    expect(journal.settle({ ...second, state: 'applied' })).toBe(true);
    expect(stored()).toMatchObject({ entry: { state: 'applied', token: second.token } });
  });
});

describe('the end of a hold, as a refused claim reports it', () => {
  const refused = (one: JournalEntry) =>
    fileJournal(folder.dir).claim(one, { token: 'another', deadline: later() });

  test('is five seconds after the deadline', () => {
    stopClock();
    const one = entry();
    fileJournal(folder.dir).add(one);
    vi.advanceTimersByTime(10_000);
    expect(refused(one)).toEqual({ heldUntil: new Date(Date.parse(one.deadline) + 5_000).toISOString() });
  });

  test('is as far away as before, if the clock was changed', () => {
    stopClock();
    const one = entry();
    fileJournal(folder.dir).add(one);
    vi.setSystemTime(Date.now() + 3_600_000);
    const heldUntil = new Date(Date.parse(one.deadline) + 3_605_000).toISOString();
    expect(refused(one)).toEqual({ heldUntil });
  });

  test('is not known of a living process whose deadline has passed', () => {
    const one = entry();
    fileJournal(folder.dir).add(one);
    put({ entry: { ...one, deadline: new Date(Date.now() - 60_000).toISOString() }, owner: living });
    expect(refused(one)).toEqual({ heldUntil: undefined });
  });
});
