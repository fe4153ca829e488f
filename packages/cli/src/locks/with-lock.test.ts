import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CliError } from '../errors/cli-error.ts';
import type { HeldLock, Holder } from './holder.ts';
import {
  type LockedBy,
  type LockStore,
  lockInBoth,
  lockInFile,
  lockInJournal,
  withLock,
} from './with-lock.ts';

const minute = 60_000;
const elsewhere: Holder = { host: 'elsewhere', pid: 7, since: '2026-01-01T00:00:00.000Z' };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orgchat-lock-'));
  path = join(folder, 'one.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A shared journal in which `holder` has the lock, or nobody. */
class FakeJournal {
  isHeld = false;
  holder: Holder | undefined;
  async takeLock(): Promise<HeldLock | Holder> {
    if (this.holder !== undefined) return this.holder;
    this.isHeld = true;
    const release = (): void => {
      this.isHeld = false;
    };
    return { renew: () => true, release };
  }
}

const inProgressError = ({ holder, who, expiry }: LockedBy): CliError =>
  new CliError(`In progress: ${who}.`, {
    ...{ code: 'TEST_UNDER_WAY', exit: 5, hint: `Wait for it.${expiry}` },
    extra: { holder },
  });
const run = <T>(store: LockStore, work: () => Promise<T>) =>
  withLock({ store, validMs: minute, inProgressError }, work);

describe.each([
  ['a file', (_journal: FakeJournal) => lockInFile(path)],
  ['a shared journal', (journal: FakeJournal) => lockInJournal(journal, ['about'])],
  ['both', (journal: FakeJournal) => lockInBoth(lockInFile(path), lockInJournal(journal, ['about']))],
] as const)('a lock in %s', (_name, open) => {
  test('is held while the work runs, and free after it, also if that failed', async () => {
    const journal = new FakeJournal();
    const store = open(journal);
    const isHeld = (): boolean => existsSync(path) || journal.isHeld;
    expect(await run(store, async () => isHeld())).toBe(true);
    expect(isHeld()).toBe(false);
    await expect(run(store, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(isHeld()).toBe(false);
  });
});

describe('a lock that another process has', () => {
  test.each([
    ['a shared journal', (journal: FakeJournal) => lockInJournal(journal, ['about'])],
    ['both', (journal: FakeJournal) => lockInBoth(lockInFile(path), lockInJournal(journal, ['about']))],
  ] as const)('in %s ends the command with that process, and holds nothing', async (_name, open) => {
    const journal = new FakeJournal();
    journal.holder = elsewhere;
    const work = vi.fn();
    await expect(run(open(journal), work)).rejects.toMatchObject({
      message: 'In progress: process 7 on elsewhere, since 2026-01-01T00:00:00.000Z.',
      ...{ code: 'TEST_UNDER_WAY', exit: 5, hint: 'Wait for it.', extra: { holder: elsewhere } },
    });
    expect(work).not.toHaveBeenCalled();
    expect(existsSync(path)).toBe(false);
  });

  test('that cannot be checked is named with its file and the time when the lock expires', async () => {
    const until = new Date(Date.now() + minute).toISOString();
    writeFileSync(path, JSON.stringify({ host: 'elsewhere', boot: 'b', pid: 1, start: 's', until }));
    const expiry = `Its lock expires at ${until}, or when you remove ${path}.`;
    await expect(run(lockInFile(path), vi.fn())).rejects.toMatchObject({
      hint: `Wait for it. Whether that process is alive cannot be checked from here. ${expiry}`,
    });
  });

  test('is waited for until it is free, and reported once', async () => {
    const journal = new FakeJournal();
    journal.holder = elsewhere;
    const onStart = vi.fn(() => {
      journal.holder = undefined;
    });
    const waiting = { timeoutMs: minute, signal: new AbortController().signal, onStart };
    const options = { store: lockInJournal(journal, ['about']), validMs: minute, inProgressError, waiting };
    expect(await withLock(options, async () => 'done')).toBe('done');
    expect(onStart.mock.calls).toEqual([['process 7 on elsewhere, since 2026-01-01T00:00:00.000Z']]);
  });

  test('is not held in the file if the journal cannot be asked', async () => {
    const journal: LockStore = { path: undefined, take: () => Promise.reject(new Error('no engine')) };
    await expect(run(lockInBoth(lockInFile(path), journal), vi.fn())).rejects.toThrow('no engine');
    expect(existsSync(path)).toBe(false);
  });
});
