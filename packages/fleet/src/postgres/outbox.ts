import { setTimeout as sleep } from 'node:timers/promises';
import { type OrgChatClient, operationIdFrom } from '@orgchat/sdk';
import { createCleanup } from '../cleanup.ts';
import { emitFleetEvent } from '../events/fleet-events.ts';
import { FleetError, type FleetErrorCode } from '../fleet-error.ts';
import { requireKnown, warnProcess } from '../options.ts';
import { toPlainCause } from '../plain-cause.ts';
import { backoffDelay } from '../sending/backoff.ts';
import {
  checkOrganization,
  type OrganizationCheck,
  requireClient,
  requireOrganization,
} from '../sending/client-organization.ts';
import { endWaits, isUnsentAbort } from '../sending/end-waits.ts';
import { isAmbiguous, isTransactionFailure, lockTimeout, toFleetError } from './engine-error.ts';
import { getHolder } from './holder.ts';
import { createOutboxEntries, toOutboxEntry } from './outbox/entries.ts';
import type { Outbox, OutboxOptions } from './outbox/interface.ts';
import { type Postponement, postpone } from './outbox/outcome.ts';
import { createOutboxReports } from './outbox/reports.ts';
import { outboxStatements } from './outbox/statements.ts';
import { isPgPool, type Queryable } from './pool.ts';
import { createStatementRunner } from './statement-runner.ts';

type Row = Record<string, unknown>;

/** Which changes a batch takes. */
interface BatchLimits {
  /** The largest id. */
  readonly upTo: string;
  /** Those that wait for their next try, too. */
  readonly isAtOnce: boolean;
  readonly signal?: AbortSignal | undefined;
}

const store = 'outbox';
/** How many changes a relay takes at once. */
const batch = 10;
/** After this another relay may take what a relay has not renewed, in milliseconds. It is safe: the id is the same. */
const usualLeaseMs = 120_000;
/** How long a statement tries to reach the engine, in milliseconds. */
const timeoutMs = 5_000;
/** How long the outcome of a change waits for its row, in milliseconds. Until then the next batch waits too. */
const recordLockMs = '1000';
/** How often an idle relay looks for changes, in milliseconds. */
const pollMs = 5_000;
/** Errors that do not pass by themselves. An engine in a failover is read-only, refuses logins or takes too long for a while. */
const lasting: readonly FleetErrorCode[] = [
  'INVALID_OPTIONS',
  'KEY_OF_ANOTHER_ORGANIZATION',
  'STORE_NOT_MIGRATED',
  'STORE_VERSION',
];
/** The largest id. */
const anyId = '9223372036854775807';

/**
 * Creates an outbox in Postgres. The transaction that stores business data also stores the change that has to follow it:
 * both are committed, or none. Relays (`drain`, `run`) send what was committed; any number of them may run.
 *
 * @example
 * const box = outbox(pool, { organization: 'org_demo' });
 * await box.run(createClient({ journal: postgresJournal(pool) }), { signal });
 */
export function outbox(pool: Queryable, options: OutboxOptions): Outbox {
  return createOutbox(pool, options, usualLeaseMs);
}

/** The same with holds of another length, in milliseconds, for tests. */
export function createOutbox(pool: Queryable, options: OutboxOptions, leaseMs: number): Outbox {
  const organization = requireOrganization(Object(options).organization, 'outbox()');
  requireKnown(options, ['organization', 'schema', 'name', 'onRefused', 'onStuck'], 'outbox()');
  for (const name of ['onRefused', 'onStuck'] as const)
    if (!['undefined', 'function'].includes(typeof options[name]))
      throw invalid(`${name} must be a function; got ${typeof options[name]}.`);
  const { name = 'default', schema } = options;
  if (typeof name !== 'string' || name === '')
    throw invalid(`name must be a non-empty string; got ${JSON.stringify(name)}.`);
  const runner = createStatementRunner(pool, { what: 'The outbox', store, schema, timeoutMs });
  const holder = getHolder(pool, warnProcess);
  const sql = outboxStatements(runner.schema, holder.isEmbedded);
  const cleanup = createCleanup();
  const box = [organization, name];
  const entries = createOutboxEntries(runner, sql, box);
  /** Changes that another relay has taken, so that each is reported once. */
  const lost = new WeakSet<Row>();
  /** Changes whose outcome is recorded, or about to be. Another relay may take one. */
  const ended = new WeakSet<Row>();
  const reports = createOutboxReports(pool, [runner.schema, organization, name], entries, options);

  /** Sends what is free. Returns how many changes it took, and how many of them were applied. */
  async function sendBatch(
    client: OrgChatClient,
    tried: string[],
    { upTo, isAtOnce, signal }: BatchLimits,
  ): Promise<{ readonly taken: number; readonly applied: number }> {
    await cleanup.flushForMoment();
    let token: string | undefined;
    // A claim whose answer is lost may have taken changes that this relay will never hear of.
    const release = (): void => {
      const taken = token;
      if (taken !== undefined) cleanup.add(taken, () => letGo(taken));
    };
    const values = async (restMs: number) => {
      const number = (await holder.current(restMs)) ?? null;
      release();
      token = crypto.randomUUID();
      return [...box, token, number, leaseMs, upTo, tried, isAtOnce, batch];
    };
    const rows = await runner.begin(sql.claim, values, release);
    tried.push(...rows.map(({ id }) => String(id)));
    for (const row of rows)
      if (row.was_held === true) emitFleetEvent('taken-over', store, String(row.operation_id));
    if (rows.length === 0) return { taken: 0, applied: 0 };
    const hold = await keepHold(token ?? '', rows);
    try {
      return await sendTaken(client, rows, token ?? '', {
        isAtOnce: isAtOnce && tried.length === rows.length,
        signal,
      });
    } finally {
      hold.end();
    }
  }

  function reportLost(row: Row): void {
    if (lost.has(row)) return;
    lost.add(row);
    emitFleetEvent('hold-lost', store, String(row.operation_id));
  }

  /** Holds what a relay has taken for as long as it needs, and not only for its lease: it may wait long in line. */
  async function keepHold(token: string, rows: readonly Row[]): Promise<{ end(): void }> {
    const renew = async (): Promise<void> => {
      const number = (await holder.current(timeoutMs, { token, ms: leaseMs })) ?? null;
      const sending = rows.filter((row) => !ended.has(row));
      const taken = await runner.run(sql.renew, [
        ...box,
        token,
        number,
        leaseMs,
        sending.map(({ id }) => id),
      ]);
      for (const row of sending)
        if (!ended.has(row) && taken.some(({ id }) => id === row.id)) reportLost(row);
    };
    // Without a lock that is confirmed, another relay may take them, which is safe.
    await holder.current(timeoutMs, { token, ms: leaseMs }).catch(() => undefined);
    // One that fails is followed by another one before the lease ends.
    const timer = setInterval(() => void renew().catch(() => undefined), leaseMs / 4);
    timer.unref();
    return {
      end() {
        clearInterval(timer);
        holder.end(token);
      },
    };
  }

  /** Sends changes that this relay has taken under a token. */
  async function sendTaken(
    client: OrgChatClient,
    rows: readonly Row[],
    token: string,
    { isAtOnce, signal }: Pick<BatchLimits, 'isAtOnce' | 'signal'>,
  ): Promise<{ readonly taken: number; readonly applied: number }> {
    const failure = await check(client, { isAtOnce, signal }).catch(async (error: unknown) => {
      await giveBack(token);
      throw error;
    });
    if (failure) {
      const later = (row: Row) => Math.max(backoffDelay(Number(row.attempts)), failure.delayMs);
      await allOf(
        rows.map((row) => leave(row, token, failure.message, { state: 'open', delayMs: later(row) })),
      );
      return { taken: rows.length, applied: 0 };
    }
    const outcomes = await allOf(rows.map((row) => send(client, row, { token, signal })));
    // Nothing of these was tried, so another relay may send them at once.
    if (outcomes.includes('ended')) await giveBack(token);
    return { taken: rows.length, applied: outcomes.filter((outcome) => outcome === 'applied').length };
  }

  /** Lets go of what was taken under a token: now, or as soon as it can be done. */
  async function giveBack(token: string): Promise<void> {
    cleanup.add(token, () => letGo(token));
    await cleanup.flushForMoment();
  }

  /** Lets go of what was taken under a token. Rejects while somebody else has locked a part of it. */
  async function letGo(token: string): Promise<void> {
    const locked = await runner.run(sql.release, [...box, token]);
    if (locked.length > 0) throw new Error('A change that is to be released is locked.');
  }

  const check = (client: OrgChatClient, how: Pick<OrganizationCheck, 'isAtOnce' | 'signal'>) =>
    checkOrganization(client, { what: 'The outbox', organization, ...how });

  /** Sends a change. It is `ended` if the signal ended its wait in line. */
  async function send(
    client: OrgChatClient,
    row: Row,
    { token, signal }: { readonly token: string; readonly signal: AbortSignal | undefined },
  ): Promise<'applied' | 'left' | 'ended'> {
    const operationId = String(row.operation_id);
    try {
      // A change that another process has in progress must not hold up the others.
      const options = { operationId, waitForOther: false, ...endWaits(signal) };
      await client.changeChat(JSON.parse(String(row.change)), options);
    } catch (error) {
      if (signal?.aborted && isUnsentAbort(error)) return 'ended';
      const text = error instanceof Error ? error.message : String(error);
      await leave(row, token, text, postpone(error, Number(row.attempts)));
      return 'left';
    }
    ended.add(row);
    await record(sql.applied, [row.id]);
    return 'applied';
  }

  /** Leaves a change that was not applied in the outbox. */
  async function leave(
    row: Row,
    token: string,
    text: string,
    { state, delayMs }: Postponement,
  ): Promise<void> {
    ended.add(row);
    await record(sql.later, [row.id, token, withoutNul(text), state, delayMs], (own) => {
      if (own.length === 0) reportLost(row);
      else if (state === 'refused')
        reports.refused(toOutboxEntry({ ...row, state, error: withoutNul(text) }));
    });
    if (state === 'unknown')
      warnProcess({ code: 'INTENT_KNOWN', message: `${text} The outbox does not send it again.` });
  }

  /**
   * Runs a statement about the outcome of a change; in the background, if its row is locked or the engine cannot be
   * reached. A locked row is a matter of this change alone.
   */
  async function record(
    text: string,
    values: readonly unknown[],
    onDone: (rows: readonly Row[]) => void = () => undefined,
  ): Promise<void> {
    const run = async (): Promise<void> => onDone(await runner.run(text, [...values, recordLockMs]));
    try {
      await run();
    } catch (error) {
      const { systemCode, cause } = error as FleetError;
      const isLocked = systemCode === lockTimeout;
      if (isLocked || isAmbiguous(cause)) cleanup.add(`row ${values[0]}`, run);
      if (!isLocked) throw error;
    }
  }

  return {
    async add(tx, change, given = {}) {
      requireKnown(given, ['intent'], 'add()');
      if (typeof tx?.query !== 'function' || isPgPool(tx))
        throw invalid('add() requires the connection of your transaction, and not the pool.');
      if (typeof (Object(change) as { readonly action?: unknown }).action !== 'string')
        throw invalid('add() requires a change: an object with an action, as changeChat() accepts it.');
      const { intent } = given;
      const operationId = intent === undefined ? crypto.randomUUID() : await operationIdFrom(...intent);
      const text = JSON.stringify(change);
      const values = [...box, operationId, text];
      const explain = (cause: unknown): never => {
        // That is about the transaction of the application, which tries it again by this code.
        if (isTransactionFailure(cause)) throw toPlainCause(cause);
        throw toFleetError('The outbox', cause);
      };
      const run = (statement: string) => tx.query(statement, values).catch(explain);
      await runner.requireTables(tx).catch(explain);
      const [stored] = (await run(sql.add)).rows;
      if (stored !== undefined && stored.state !== 'open') await run(sql.reopen);
      else if (stored?.change !== text) throw createConflict(operationId);
      return { operationId };
    },

    async drain(client) {
      requireClient(client, 'drain()');
      const [last = {}] = await runner.run(sql.last, box);
      const limits = { upTo: String(last.id), isAtOnce: true };
      const tried: string[] = [];
      let applied = 0;
      for (;;) {
        const sent = await sendBatch(client, tried, limits);
        applied += sent.applied;
        if (sent.taken > 0) continue;
        await reports.lookForStuck(true);
        return { applied, left: await entries.list(limits.upTo) };
      }
    },

    async run(client, given = {}) {
      requireKnown(given, ['signal', 'onError'], 'run()');
      requireClient(client, 'run()');
      const { signal, onError = warnProcess } = given;
      try {
        // A wrong key is noticed at the start, and not with the first change. A failure is recorded with the changes.
        await check(client, { signal });
      } catch (error) {
        if (signal?.aborted) return;
        throw error;
      }
      while (!signal?.aborted) {
        let taken = 0;
        try {
          ({ taken } = await sendBatch(client, [], { upTo: anyId, isAtOnce: false, signal }));
          await reports.lookForStuck(false);
        } catch (error) {
          if (error === signal?.reason || (isPgPool(pool) && pool.ending)) return;
          if (!(error instanceof FleetError) || lasting.includes(error.code)) throw error;
          onError(error);
        }
        // A full batch may not have been the last.
        if (taken < batch) await sleep(pollMs, undefined, signal && { signal }).catch(() => undefined);
      }
    },

    list: (given) => entries.list(anyId, given),
    get: entries.get,
    stats: entries.stats,
    retry: entries.retry,
    remove: entries.remove,
  };
}

/** Resolves when all of them have ended; rejects with the first failure. */
async function allOf<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** Postgres stores no NUL, and a server may send one. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

const createConflict = (operationId: string): FleetError =>
  new FleetError(
    `The outbox has operation ${operationId} with a different change. Use another intent, and roll back.`,
    { code: 'INPUT_CONFLICT' },
  );

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
