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
import { isAmbiguous, isTransactionFailure, toFleetError } from './engine-error.ts';
import { getHolder } from './holder.ts';
import { createOutboxEntries, toOutboxEntry } from './outbox/entries.ts';
import { createOutboxReports } from './outbox/reports.ts';
import type { Outbox, OutboxOptions } from './outbox-interface.ts';
import { type Postponement, postpone } from './outbox-outcome.ts';
import { outboxStatements } from './outbox-statements.ts';
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
/** After this another relay may take them too. It is safe: the id is the same. */
const leaseMs = 120_000;
/** How long a statement tries to reach the engine, in milliseconds. */
const timeoutMs = 5_000;
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
  const reports = createOutboxReports(pool, [runner.schema, organization, name], entries, options);

  /** Sends what is free. Returns how many changes it took, and how many of them were applied. */
  async function sendBatch(
    client: OrgChatClient,
    tried: string[],
    { upTo, isAtOnce, signal }: BatchLimits,
  ): Promise<{ readonly taken: number; readonly applied: number }> {
    await cleanup.flush();
    let token: string | undefined;
    // A claim whose answer is lost may have taken changes that this relay will never hear of.
    const release = (): void => {
      if (token !== undefined) {
        const taken = [...box, token];
        cleanup.add(() => runner.run(sql.release, taken));
      }
    };
    const values = async (restMs: number) => {
      const number = (await holder.current(restMs, leaseMs)) ?? null;
      release();
      token = crypto.randomUUID();
      return [...box, token, number, leaseMs, upTo, tried, isAtOnce, batch];
    };
    const rows = await runner.run(sql.claim, values, release);
    tried.push(...rows.map(({ id }) => String(id)));
    for (const row of rows)
      if (row.was_held === true) emitFleetEvent('taken-over', store, String(row.operation_id));
    if (rows.length === 0) return { taken: 0, applied: 0 };
    const isFirst = tried.length === rows.length;
    const failure = await check(client, { isAtOnce: isAtOnce && isFirst, signal }).catch(
      async (error: unknown) => {
        await runner.run(sql.release, [...box, token]);
        throw error;
      },
    );
    if (failure) {
      const later = (row: Row) => Math.max(backoffDelay(Number(row.attempts)), failure.delayMs);
      await Promise.all(
        rows.map((row) => leave(row, token, failure.message, { state: 'open', delayMs: later(row) })),
      );
      return { taken: rows.length, applied: 0 };
    }
    const outcomes = await Promise.all(rows.map((row) => send(client, row, token)));
    return { taken: rows.length, applied: outcomes.filter(Boolean).length };
  }

  const check = (client: OrgChatClient, how: Pick<OrganizationCheck, 'isAtOnce' | 'signal'>) =>
    checkOrganization(client, { what: 'The outbox', organization, ...how });

  async function send(client: OrgChatClient, row: Row, token: string | undefined): Promise<boolean> {
    const operationId = String(row.operation_id);
    try {
      // A change that another process has in progress must not hold up the others.
      await client.changeChat(JSON.parse(String(row.change)), { operationId, waitForOther: false });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      await leave(row, token, text, postpone(error, Number(row.attempts)));
      return false;
    }
    await record(sql.applied, [row.id]);
    return true;
  }

  /** Leaves a change that was not applied in the outbox. */
  async function leave(
    row: Row,
    token: string | undefined,
    text: string,
    { state, delayMs }: Postponement,
  ): Promise<void> {
    await record(sql.later, [row.id, token, withoutNul(text), state, delayMs], (own) => {
      if (own.length === 0) emitFleetEvent('hold-lost', store, String(row.operation_id));
      else if (state === 'refused')
        reports.refused(toOutboxEntry({ ...row, state, error: withoutNul(text) }));
    });
    if (state === 'unknown')
      warnProcess({ code: 'INTENT_KNOWN', message: `${text} The outbox does not send it again.` });
  }

  /** Runs a statement about the outcome of a change; in the background, if the engine cannot be reached. */
  async function record(
    text: string,
    values: readonly unknown[],
    onDone: (rows: readonly Row[]) => void = () => undefined,
  ): Promise<void> {
    const run = async (): Promise<void> => onDone(await runner.run(text, values));
    try {
      await run();
    } catch (error) {
      if (isAmbiguous((error as Error).cause)) cleanup.add(run);
      throw error;
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
      const run = (statement: string) =>
        tx.query(statement, values).catch((cause: unknown) => {
          // That is about the transaction of the application, which tries it again by this code.
          if (isTransactionFailure(cause)) throw toPlainCause(cause);
          throw toFleetError('The outbox', cause);
        });
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

/** Postgres stores no NUL, and a server may send one. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

const createConflict = (operationId: string): FleetError =>
  new FleetError(
    `The outbox has operation ${operationId} with a different change. Use another intent, and roll back.`,
    { code: 'INPUT_CONFLICT' },
  );

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
