import {
  type Claim,
  type EntryKey,
  type Hold,
  isOpen,
  type Journal,
  type JournalEntry,
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
import { diagnosePostgres } from './engine/diagnose.ts';
import { warnUnlessDurable } from './engine/durability.ts';
import { getHolder } from './holder.ts';
import { journalStatements } from './journal-statements.ts';
import { createLockRows } from './lock-rows.ts';
import type { SchemaOptions } from './migrate.ts';
import { outboxStatements } from './outbox/statements.ts';
import type { Queryable } from './pool.ts';
import { createRetention } from './retention.ts';
import { createStatementRunner, toLockTimeout, type Values } from './statement-runner.ts';

/** Entries per statement, so that none takes long. */
const pageSize = 1_000;
/** They are counted in the engine. */
const statsPageSize = 10_000;

/**
 * Options of `postgresJournal`.
 *
 * @example
 * const options: PostgresJournalOptions = { timeoutMs: 10_000, keepSettledDays: 30 };
 * createClient({ journal: postgresJournal(pool, options) });
 */
export interface PostgresJournalOptions extends SchemaOptions, StoreJournalOptions {}

/**
 * Creates a journal in Postgres, for any number of processes on any number of machines. Call `migrate(pool)` first.
 *
 * An entry is held by a token, by a lease that the engine measures, and by a session lock that ends with its process: the
 * operations of a dead process are free at once. Entries are text, in clear: names, notes and messages. Use
 * `encryptedJournal()` of `@orgchat/sdk/node` around it to prevent that.
 *
 * @example
 * const journal = postgresJournal(pool);
 * const client = createClient({ journal, pacing: { shared: postgresPacing(pool) } });
 */
export function postgresJournal(pool: Queryable, options: PostgresJournalOptions = {}): Journal {
  const what = 'The Postgres journal';
  const store = 'postgresJournal';
  const { timeoutMs, keepSettledDays, onWarning } = readJournalOptions(
    options,
    'schema',
    'postgresJournal()',
  );
  const { schema } = options;
  const runner = createStatementRunner(pool, { what, store, schema, timeoutMs });
  const holder = getHolder(pool, onWarning);
  const sql = journalStatements(runner.schema, holder.isEmbedded);
  const undos = createPendingUndos();
  const retention = createRetention(runner, keepSettledDays);
  /** The tokens under which calls of this process hold entries. */
  const held = new Set<string>();
  const end = (token: string | null): void => {
    if (token === null) return;
    held.delete(token);
    holder.end(token);
  };

  /**
   * Runs a statement that writes, after what is left of earlier ones about the entry. If it fails, `undo` is executed as soon as possible:
   * always, or only if the statement may have been executed.
   */
  async function write(
    key: EntryKey,
    text: string,
    values: Values,
    undo?: readonly [text: string, values: Values],
    how: { readonly isAlwaysUndone?: boolean; readonly begins?: boolean } = {},
  ): Promise<Record<string, unknown>[]> {
    let isInDoubt = false;
    const addUndo = (): void => {
      isInDoubt = true;
      if (undo) undos.add(toSubject(key), () => runner.run(...undo));
    };
    try {
      // Fails while an earlier call about this entry cannot be undone. This one may have to be undone too, after it.
      await undos.flush(toSubject(key));
      // A statement that ends after it was given up may do so after its undoing, which is then repeated.
      return await (how.begins ? runner.begin : runner.run)(text, values, addUndo);
    } catch (error) {
      if (how.isAlwaysUndone && !isInDoubt) addUndo();
      throw error;
    }
  }

  /** Returns values with those of a hold. A statement that is repeated may find that this process has another lock. */
  const withHold =
    (
      values: readonly unknown[],
      { token = '', deadline }: Pick<JournalEntry, 'token' | 'deadline'>,
      call: string,
    ): Values =>
    async (restMs) => {
      const ms = leaseMs(deadline);
      const number = (await holder.current(restMs, { token, ms })) ?? null;
      return [...values, number, ms, call, toLockTimeout(restMs)];
    };

  /** Returns values with how long a statement may wait for a row. */
  const withLimit =
    (values: readonly unknown[]): Values =>
    async (restMs) => [...values, toLockTimeout(restMs)];

  /** Returns the values of a statement that undoes a call, and the repetitions of that call. */
  const withWait =
    ({ target, operationId }: EntryKey, token: string | undefined, call: string): Values =>
    async (restMs) => [target, operationId, token ?? null, call, toLockTimeout(restMs)];

  const journal: Journal = {
    async add(entry) {
      const { target, operationId, createdAt, deadline, token = null } = entry;
      const stored = [target, operationId, createdAt, isOpen(entry), toText(entry), token, deadline];
      const call = crypto.randomUUID();
      const undo = [sql.giveUpAdd, withWait(entry, entry.token, call)] as const;
      warnUnlessDurable(pool, what, onWarning);
      const rows = await write(entry, sql.add, withHold(stored, entry, call), undo, { begins: true });
      if (rows.length === 0) holder.end(token ?? '');
      else if (token !== null) held.add(token);
      return rows.length > 0;
    },

    async get({ operationId, target }) {
      // A store that is read-only can still be read.
      await undos.flush(toSubject({ operationId, target })).catch(() => undefined);
      const [row] = await runner.run(sql.get, [target, operationId]);
      if (!row) return undefined;
      if (row.is_old === true) retention.touch(target, operationId);
      return toEntry(row as unknown as EntryRow);
    },

    async claim(key: EntryKey, { token, deadline }: Hold): Promise<Claim | undefined> {
      for (;;) {
        const call = crypto.randomUUID();
        const values = withHold([key.target, key.operationId, token, deadline], { token, deadline }, call);
        const undo = [sql.release, withWait(key, token, call)] as const;
        // A call that renews its hold has begun before.
        const [row] = await write(key, sql.claim, values, undo, { begins: !held.has(token) });
        if (row?.entry === null || !row) holder.end(token);
        if (!row) return undefined;
        if (row.entry !== null) {
          const entry = toEntry(row as unknown as EntryRow);
          held.add(token);
          if (row.was_held === true) emitFleetEvent('taken-over', store, key.operationId);
          return { entry: { ...entry, format: 2 } };
        }
        // Undefined: another call was faster by a moment, and the next look sees its hold.
        if (row.rest_ms !== null) return { heldUntil: toDate(Number(row.rest_ms)) };
      }
    },

    async settle(entry) {
      const { target, operationId, deadline, token = null } = entry;
      const stored = [toText(entry), deadline, isOpen(entry), nextAttemptMs(entry)];
      const values = withLimit([target, operationId, token, ...stored]);
      end(token);
      const rows = await write(entry, sql.settle, values, getUndo(entry), { isAlwaysUndone: true });
      if (rows.length === 0) emitFleetEvent('hold-lost', store, operationId);
      retention.afterSettlement();
      return rows.length > 0;
    },

    async list(target, { open = false, after, limit = Number.POSITIVE_INFINITY }: JournalListOptions = {}) {
      await undos.flushForMoment();
      const { listing, add } = createListing();
      let from = [after?.createdAt ?? '', after?.operationId ?? ''];
      for (;;) {
        const most = Math.min(pageSize, limit - listing.entries.length);
        const rows = await runner.run(open ? sql.listOpen : sql.list, [target, ...from, most]);
        add(rows as unknown as EntryRow[]);
        const { created_at, operation_id } = rows.at(-1) ?? {};
        if (rows.length < most || listing.entries.length >= limit) return listing;
        from = [String(created_at), String(operation_id)];
      }
    },

    async remove(key, token) {
      end(token ?? null);
      const values = withLimit([key.target, key.operationId, token ?? null]);
      const rows = await write(key, sql.remove, values);
      return rows.length > 0;
    },

    async stats(target) {
      await undos.flushForMoment();
      let sum = noStats;
      for (let from = ['', '']; ; ) {
        const [page = {}] = await runner.run(sql.stats, [target, ...from, statsPageSize]);
        sum = addStats(sum, page);
        if (Number(page.count) < statsPageSize) return sum;
        from = [String(page.created_at), String(page.operation_id)];
      }
    },
  };
  return withInternals(journal, undos, createLockRows(runner, holder), {
    diagnose: () => diagnosePostgres(pool, runner.schema),
    outboxNames: async (organization) => {
      const rows = await runner.run(outboxStatements(runner.schema, holder.isEmbedded).names, [organization]);
      return rows.map(({ name }) => String(name));
    },
  });

  /** Returns what is to be done about an outcome that could not be recorded. */
  function getUndo(entry: JournalEntry): readonly [text: string, values: Values] {
    const { target, operationId, token } = entry;
    if (hasNothingToSend(entry)) return [sql.removeHeld, withLimit([target, operationId, token ?? null])];
    return [sql.release, withWait(entry, token, crypto.randomUUID())];
  }
}

const toSubject = ({ operationId, target }: EntryKey): string => `${operationId} ${target}`;
