import { createHash } from 'node:crypto';
import {
  type Claim,
  type EntryKey,
  type Hold,
  isOpen,
  type Journal,
  type JournalListOptions,
} from '@orgchat/sdk';
import { emitFleetEvent } from '../events/fleet-events.ts';
import { withInternals } from '../internal.ts';
import { addStats, noStats } from '../journal/add-stats.ts';
import { readJournalOptions, type StoreJournalOptions } from '../journal/options.ts';
import {
  createListing,
  type EntryRow,
  hasNothingToSend,
  leaseMs,
  nextAttemptMs,
  toDate,
  toEntry,
  toText,
} from '../journal/stored-entry.ts';
import { createPendingUndos } from '../pending-undos.ts';
import type { RedisClient } from './driver.ts';
import { getHolder } from './holder.ts';
import { entryKeys, journalScripts as scripts, statsFields } from './journal-scripts.ts';
import { createLockRows } from './lock-rows.ts';
import { createScriptRunner, type Script } from './script-runner.ts';

/**
 * Options of every store in Redis.
 *
 * @example
 * const options: PrefixOptions = { prefix: 'orgchat_staging' };
 * createClient({ journal: redisJournal(client, options) });
 */
export interface PrefixOptions {
  /** What the keys begin with, in braces, so that they share one slot of a cluster. Default `orgchat`. */
  readonly prefix?: string | undefined;
}

/**
 * Options of `redisJournal`.
 *
 * @example
 * const options: RedisJournalOptions = { timeoutMs: 10_000, keepSettledDays: 30 };
 * createClient({ journal: redisJournal(client, options) });
 */
export interface RedisJournalOptions extends PrefixOptions, StoreJournalOptions {}

/** Entries per script, so that none holds up the engine for long. */
const pageSize = 200;
/** They are counted in the engine. */
const statsPageSize = 1_000;
const dayMs = 86_400_000;
/** How often removed entries are reported at most, in milliseconds. */
const reportPauseMs = 3_600_000;

/**
 * Creates a journal in Redis 7 or later, for any number of processes on any number of machines. `client` is that of
 * ioredis, or a connected one of node-redis.
 *
 * An entry is held by a token, by a lease that the engine measures, and by a heartbeat of its process: the operations of a
 * dead process are free after five seconds. Entries are text, in clear: names, notes and messages. Use
 * `encryptedJournal()` of `@orgchat/sdk/node` around it to prevent that.
 *
 * Redis can lose what it has confirmed: `onWarning` says how. If the journal must survive, use `postgresJournal()`.
 *
 * @example
 * const journal = redisJournal(client);
 * const orgchat = createClient({ journal, pacing: { shared: redisPacing(client) } });
 */
export function redisJournal(client: RedisClient, options: RedisJournalOptions = {}): Journal {
  const what = 'The Redis journal';
  const store = 'redisJournal';
  const { timeoutMs, keepSettledDays, onWarning } = readJournalOptions(options, 'prefix', 'redisJournal()');
  const { prefix } = options;
  const keepMs = keepSettledDays * dayMs;
  const runner = createScriptRunner(client, { what, store, prefix, timeoutMs, onWarning });
  const holder = getHolder(client, prefix);
  const undos = createPendingUndos();

  /** Returns the folder of a target. Its base URL is not visible in it. */
  const toFolder = (target: string): string =>
    `${runner.prefix}journal:${createHash('sha256').update(target).digest('hex').slice(0, 32)}:`;

  /** Returns the keys of a script in the order of `entryKeys`. `call` names this call and its repetitions. */
  function toKeys({ target, operationId }: EntryKey, call: string): readonly string[] {
    const folder = toFolder(target);
    const shared: Readonly<Record<string, string>> = {
      entry: `${folder}entry:${operationId}`,
      holders: `${runner.prefix}holders`,
      given_up: `${runner.prefix}given-up:${call}`,
    };
    return entryKeys.map((key) => shared[key] ?? `${folder}${key}`);
  }

  /**
   * Runs a script that writes, after what is left of earlier ones about the entry. If it fails, `undo` is executed as soon as possible:
   * always, or only if the script may have been executed.
   */
  async function write(
    script: Script,
    key: EntryKey,
    args: readonly (string | number)[],
    undo?: readonly [script: Script, token: string],
    isAlwaysUndone = false,
  ): Promise<unknown> {
    const keys = toKeys(key, crypto.randomUUID());
    let isInDoubt = false;
    const addUndo = (): void => {
      isInDoubt = true;
      if (undo) undos.add(toName(key), () => runner.run(undo[0], keys, [key.operationId, undo[1]]));
    };
    try {
      // Fails while an earlier call about this entry cannot be undone. This one may have to be undone too, after it.
      await undos.flush(toName(key));
      // A script that ends after it was given up may do so after its undoing, which is then repeated.
      return await runner.run(script, keys, args, addUndo);
    } catch (error) {
      if (isAlwaysUndone && !isInDoubt) addUndo();
      throw error;
    }
  }

  let cleanedAt = Number.NEGATIVE_INFINITY;
  /** Each settlement may remove a few entries, which is not worth an event. */
  function reportCleaning(): void {
    if (performance.now() - cleanedAt < reportPauseMs) return;
    cleanedAt = performance.now();
    emitFleetEvent('cleaned', store);
  }

  /** Runs a call that begins a hold, which ends at once if the call does not succeed. */
  async function hold<T>(
    key: EntryKey,
    token: string,
    lease: number,
    call: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    holder.begin(toName(key), token, lease);
    let answer: T | undefined;
    try {
      answer = await call();
    } finally {
      if (answer === undefined) holder.end(toName(key), token);
    }
    return answer;
  }

  const journal: Journal = {
    async add(entry) {
      const { operationId, createdAt, deadline, token = '' } = entry;
      const lease = leaseMs(deadline);
      const args = [operationId, toText(entry), token, deadline, createdAt, holder.name, lease];
      const added = await hold(entry, token, lease, async () => {
        const undo = [scripts.removeHeld, token] as const;
        const answer = await write(scripts.add, entry, [...args, isOpen(entry) ? 1 : 0], undo);
        return answer === 1 || undefined;
      });
      return added === true;
    },

    async get(key) {
      // A store that is read-only can still be read.
      await undos.flush(toName(key)).catch(() => undefined);
      const row = await runner.run(scripts.get, toKeys(key, ''), [key.operationId]);
      if (row === null) return undefined;
      return toEntry(toRow(key.operationId, ...(row as string[])));
    },

    async claim(key: EntryKey, { token, deadline }: Hold): Promise<Claim | undefined> {
      const { operationId } = key;
      const lease = leaseMs(deadline);
      const args = [operationId, token, deadline, holder.name, lease];
      let heldMs: number | undefined;
      const entry = await hold(key, token, lease, async () => {
        const row = await write(scripts.claim, key, args, [scripts.release, token]);
        if (row === null) return undefined;
        const [restMs, text, next, wasHeld] = row as [number, string?, string?, number?];
        heldMs = restMs;
        if (wasHeld === 1) emitFleetEvent('taken-over', store, operationId);
        return text === undefined ? undefined : toEntry(toRow(operationId, text, token, deadline, next));
      });
      if (entry) return { entry: { ...entry, format: 2 } };
      if (heldMs === undefined) return undefined;
      return { heldUntil: toDate(heldMs) };
    },

    async settle(entry) {
      const { operationId, deadline, token = '' } = entry;
      const next = nextAttemptMs(entry) ?? '';
      const args = [operationId, token, toText(entry), deadline, isOpen(entry) ? 1 : 0, keepMs, next];
      const undo = hasNothingToSend(entry) ? scripts.removeHeld : scripts.release;
      try {
        const answer = await write(scripts.settle, entry, args, [undo, token], true);
        const [settled, removed] = answer as readonly [number, number];
        if (settled === 0) emitFleetEvent('hold-lost', store, operationId);
        if (removed > 0) reportCleaning();
        return settled === 1;
      } finally {
        holder.end(toName(entry), token);
      }
    },

    async list(target, { open = false, after, limit = Number.POSITIVE_INFINITY }: JournalListOptions = {}) {
      const folder = toFolder(target);
      const keys = [`${folder}${open ? 'open' : 'order'}`, `${folder}entry:`];
      await undos.flushForMoment();
      const { listing, add } = createListing();
      let from = after ? `(${after.createdAt}\0${after.operationId}` : '-';
      for (let isLast = false; !isLast && listing.entries.length < limit; ) {
        const count = Math.min(pageSize, limit - listing.entries.length);
        const page = (await runner.run(scripts.list, keys, [from, count])) as string[][];
        add(page.map(([, id = '', ...fields]) => toRow(id, ...fields)));
        from = `(${page.at(-1)?.[0]}`;
        isLast = page.length < count;
      }
      return listing;
    },

    async remove(key, token) {
      const args = [key.operationId, token ?? '', token === undefined ? 0 : 1];
      const isRemoved = (await write(scripts.remove, key, args)) === 1;
      if (isRemoved) holder.end(toName(key), token);
      return isRemoved;
    },

    async stats(target) {
      const folder = toFolder(target);
      const keys = [`${folder}order`, `${folder}entry:`, `${folder}open`];
      await undos.flushForMoment();
      let sum = noStats;
      for (let from = '-'; ; ) {
        const page = (await runner.run(scripts.stats, keys, [from, statsPageSize])) as (string | number)[];
        const [count, last, ...counts] = page;
        sum = addStats(sum, Object.fromEntries(statsFields.map((name, n) => [name, counts[n]])));
        if (Number(count) < statsPageSize) return sum;
        from = `(${last}`;
      }
    },
  };
  return withInternals(journal, undos, createLockRows(runner, holder), { diagnose: runner.diagnose });
}

/** What the heartbeat calls an entry. */
const toName = ({ target, operationId }: EntryKey): string => `${operationId} ${target}`;

function toRow(id: string, entry = '', token = '', deadline = '', next = ''): EntryRow {
  const next_ms = next === '' ? null : Number(next);
  return { operation_id: id, entry, token: token === '' ? null : token, deadline, next_ms };
}
