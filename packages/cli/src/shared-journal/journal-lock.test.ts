import { hostname } from 'node:os';
import { memoryJournal } from '@orgchat/sdk';
import { describe, expect, test, vi } from 'vitest';
import { type HeldLock, type Holder, isHeldLock } from '../locks/holder.ts';
import { takeJournalLock } from './journal-lock.ts';
import type { AsyncJournal } from './store.ts';
import { createEntryId, writeStoredText } from './stored-text.ts';

const journal = (): AsyncJournal => memoryJournal() as AsyncJournal;
const id = await createEntryId('lock', 'apply', 'https://api.example.com', 'org');

function requireLock(taken: HeldLock | Holder): HeldLock {
  if (isHeldLock(taken)) return taken;
  throw new Error('another process has it');
}

describe('a lock in a journal', () => {
  test('names the process that has it, until it is released', async () => {
    const shared = journal();
    const lock = requireLock(await takeJournalLock(shared, id, 60_000));
    expect(await takeJournalLock(shared, id, 60_000)).toEqual({
      host: hostname(),
      pid: process.pid,
      since: expect.stringMatching(/^\d{4}-/),
    });
    expect(await lock.renew(60_000)).toBe(true);
    const other = await createEntryId('lock', 'apply', 'https://api.example.com', 'other');
    requireLock(await takeJournalLock(shared, other, 60_000));
    await lock.release();
    requireLock(await takeJournalLock(shared, id, 60_000));
  });

  test('that a dead process left is taken, and then names the new process', async () => {
    const shared = journal();
    requireLock(await takeJournalLock(shared, id, 60_000));
    const left = await shared.get(id);
    if (left === undefined) throw new Error('no entry');
    // A journal lets go of the entries of a dead process.
    await shared.settle({ ...left, body: JSON.stringify({ host: 'elsewhere', pid: 1 }) });
    requireLock(await takeJournalLock(shared, id, 60_000));
    expect(await takeJournalLock(shared, id, 60_000)).toMatchObject({ pid: process.pid });
  });

  test('that another process took cannot be renewed, and stays when it is released', async () => {
    const shared = journal();
    const lost = requireLock(await takeJournalLock(shared, id, 60_000));
    await shared.remove(id);
    expect(await lost.renew(60_000)).toBe(false);
    requireLock(await takeJournalLock(shared, id, 60_000));
    expect(await lost.renew(60_000)).toBe(false);
    await lost.release();
    expect(isHeldLock(await takeJournalLock(shared, id, 60_000))).toBe(false);
  });

  test('has one holder if many take it at once', async () => {
    const shared = journal();
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeJournalLock(shared, id, 60_000)));
    expect(taken.filter(isHeldLock)).toHaveLength(1);
  });
});

describe('a text in a journal', () => {
  test('is replaced as a whole, and stays open', async () => {
    const shared = journal();
    for (const text of ['{}', 'a longer text', '']) {
      await writeStoredText(shared, id, text);
      expect(await shared.get(id)).toMatchObject({ body: text, state: 'unknown' });
    }
  });

  test('that another process is writing is waited for, and not forever', async () => {
    const shared = journal();
    await writeStoredText(shared, id, 'before');
    await shared.claim(id, { token: 'other', deadline: new Date().toISOString() });
    const { performance } = globalThis;
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 10_000;
      return now;
    });
    try {
      await expect(writeStoredText(shared, id, 'after')).rejects.toThrow('another process is writing');
    } finally {
      vi.restoreAllMocks();
    }
    expect((await shared.get(id))?.body).toBe('before');
  });
});
