import { hostname } from 'node:os';
import type { StoreInternals } from '@orgchat/fleet/internal';
import type { Journal, JournalEntry } from '@orgchat/sdk';
import { describe, expect, test, vi } from 'vitest';
import type { CliError } from '../errors/cli-error.ts';
import { isHeldLock } from '../locks/holder.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { SharedJournal } from './shared-journal.ts';
import { getInternals, type Store } from './store.ts';

const setting: JournalSetting = {
  engine: 'postgres',
  url: 'postgres://ci:geheim@db/orgchat',
  name: 'postgres://ci@db/orgchat',
  source: { kind: 'variable', name: 'ORGCHAT_JOURNAL' },
  namespace: undefined,
};
const key = { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', target: 't' };
const hold = { token: 'a', deadline: '2026-11-22T12:00:00.000Z' };

const fleetError = (code: string, message = 'the engine said no'): Error =>
  Object.assign(new Error(message), { name: 'FleetError', code });

/** What a package throws about an entry that it cannot read. */
const unusableError = (problem?: string): Error =>
  Object.assign(new Error('what the package says'), { reason: 'journal-entry-unusable', problem });

/** A journal whose calls all end with an error, or with nothing. */
function createShared(error?: Error, more: Partial<Store> = {}, own: Partial<StoreInternals> = {}) {
  const call = vi.fn(async () => {
    if (error) throw error;
    return undefined;
  });
  const journal = Object.fromEntries(
    ['add', 'get', 'claim', 'settle', 'list', 'remove'].map((name) => [name, call]),
  ) as unknown as Journal;
  const close = vi.fn(async () => undefined);
  const flush = vi.fn(async () => undefined);
  const internals = {
    flush,
    lock: call,
    text: { read: call, write: call },
    ...own,
  } as unknown as StoreInternals;
  const open = vi.fn(async () => ({ journal, internals, migrate: call, close, ...more }));
  return { shared: new SharedJournal(setting, () => undefined, open), open, close, call, flush };
}

describe('a shared journal', () => {
  test('opens its engine at the first call, once, and closes it', async () => {
    const { shared, open, close } = createShared();
    expect(open).not.toHaveBeenCalled();
    await Promise.all([shared.journal.get(key), shared.journal.list('t'), shared.migrate()]);
    expect(open).toHaveBeenCalledTimes(1);
    await shared.close();
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('that was not used has nothing to close', async () => {
    const { shared, open } = createShared();
    await shared.close();
    expect(open).not.toHaveBeenCalled();
  });

  test('gives a write that failed the chance to be undone before it is closed', async () => {
    const { shared, flush, close } = createShared(fleetError('STORE_UNAVAILABLE'));
    await expect(shared.journal.claim(key, hold)).rejects.toThrow();
    await shared.close();
    expect(flush).toHaveBeenCalledBefore(close);
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('has locks that name their process, each for what it is about', async () => {
    const owners = new Map<string, string>();
    const lock = async (name: string, owner: string) => {
      const other = owners.get(name);
      if (other !== undefined) return other;
      owners.set(name, owner);
      return { renew: async () => true, release: async () => void owners.delete(name) };
    };
    const { shared } = createShared(undefined, {}, { lock });
    const taken = await shared.takeLock(['apply', 'org'], 60_000);
    if (!isHeldLock(taken)) throw new Error('another process has it');
    expect(isHeldLock(await shared.takeLock(['apply', 'other'], 60_000))).toBe(true);
    expect(await shared.takeLock(['apply', 'org'], 60_000)).toEqual({
      ...{ host: hostname(), pid: process.pid, since: expect.stringMatching(/^\d{4}-/) },
    });
    await taken.release();
    expect(isHeldLock(await shared.takeLock(['apply', 'org'], 60_000))).toBe(true);
  });

  test('requires a version of @orgchat/fleet with locks for this command', () => {
    expect(() => getInternals({} as Journal)).toThrow(
      expect.objectContaining({
        code: 'STORE_VERSION',
        hint: 'Install a matching version of @orgchat/fleet.',
      }),
    );
  });

  test('does not wait long for an engine that does not answer', async () => {
    vi.useFakeTimers();
    try {
      const { shared } = createShared(undefined, { close: () => new Promise(() => undefined) });
      await shared.journal.list('t');
      const closed = shared.close();
      await vi.advanceTimersByTimeAsync(2_000);
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an error of a shared journal', () => {
  test.each([
    [
      'STORE_UNAVAILABLE',
      1,
      /^Check the URL in ORGCHAT_JOURNAL\. If it is right, check that Postgres is running, then try again\.$/,
    ],
    ['STORE_CREDENTIALS', 4, /user and password in ORGCHAT_JOURNAL/],
    ['STORE_READ_ONLY', 1, /Set ORGCHAT_JOURNAL to the URL of the primary/],
    ['STORE_NOT_MIGRATED', 3, /orgchat ops migrate$/],
    ['STORE_VERSION', 3, /matching version of @orgchat\/fleet/],
    ['STORE_FULL', 1, /disk space or memory on the machine of Postgres\.$/],
    ['STORE_EVICTION', 3, /maxmemory-policy to noeviction/],
    ['STORE_FAILED', 1, /log of Postgres\.$/],
    ['INVALID_OPTIONS', 3, /parameters of the URL/],
  ])('%s exits %i', async (code, exit, hint) => {
    const { shared } = createShared(fleetError(code));
    const error = await Promise.resolve(shared.journal.list('t')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, exit, hint: expect.stringMatching(hint) });
    expect((error as Error).message).toContain('The journal postgres://ci@db/orgchat cannot be read: ');
    expect(JSON.stringify(error)).not.toContain('geheim');
  });

  test('names the operation, and says whether something was sent', async () => {
    const { shared } = createShared(fleetError('STORE_FULL'));
    await expect(shared.journal.claim(key, hold)).rejects.toMatchObject({
      operationId: key.operationId,
      message: expect.stringContaining('could not record the write, so nothing was sent: the engine said no'),
    });
    await expect(shared.journal.remove(key)).rejects.toMatchObject({
      message: expect.stringContaining('could not record the outcome'),
    });
  });

  test('warns of another journal only if an earlier run may have sent the change', async () => {
    const warning = expect.stringContaining('Do not switch to another journal: an earlier run may have sent');
    const hintOf = async (
      code: string,
      call: (journal: Journal, shared: SharedJournal) => unknown,
    ): Promise<string> => {
      const { shared } = createShared(fleetError(code));
      const error = await Promise.resolve(call(shared.journal, shared)).catch((thrown: unknown) => thrown);
      return (error as CliError).hint;
    };
    const entry = { ...key, state: 'pending' } as JournalEntry;
    for (const code of ['STORE_UNAVAILABLE', 'STORE_FULL', 'STORE_FAILED']) {
      expect(await hintOf(code, ({ add }) => add(entry))).toEqual(warning);
      expect(await hintOf(code, ({ get }) => get(key))).toEqual(warning);
      expect(await hintOf(code, ({ claim }) => claim(key, hold))).toEqual(warning);
      expect(await hintOf(code, ({ settle }) => settle(entry))).toEqual(warning);
      // A list, an id made for this change, and a lock of this command.
      expect(await hintOf(code, ({ list }) => list('t'))).not.toEqual(warning);
      expect(await hintOf(code, ({ add }) => add(entry, { isNew: true }))).not.toEqual(warning);
      expect(await hintOf(code, (_, shared) => shared.takeLock(['apply'], 1))).not.toEqual(warning);
      expect(await hintOf(code, (_, shared) => shared.readText(['import']))).not.toEqual(warning);
    }
    expect(await hintOf('STORE_CREDENTIALS', ({ get }) => get(key))).not.toEqual(warning);
  });

  test('without a code is one of the journal, and names no file of this machine', async () => {
    const { shared } = createShared(unusableError());
    await expect(shared.journal.get(key)).rejects.toMatchObject({
      ...{ code: 'JOURNAL_FAILED', exit: 1 },
      message: expect.stringMatching(/cannot be read: what the package says$/),
      hint: `Check the outcome of that operation in the app, then run: orgchat ops forget ${key.operationId}`,
    });
  });

  test('about a damaged entry uses the words of this command', async () => {
    const { shared } = createShared(unusableError('truncated'));
    await expect(shared.journal.claim(key, hold)).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`: the entry of operation ${key.operationId} is damaged\\.$`),
      ),
      hint: expect.stringContaining(`orgchat ops forget ${key.operationId}`),
    });
  });

  test('does not advise to forget an entry of a later version', async () => {
    await expect(createShared(unusableError('format')).shared.journal.get(key)).rejects.toMatchObject({
      message: expect.stringContaining('what the package says'),
      hint: 'Install a matching version of @orgchat/fleet.',
    });
  });
});
