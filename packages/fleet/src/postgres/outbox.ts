import { setTimeout as sleep } from 'node:timers/promises';
import { operationIdFrom } from '@orgchat/sdk';
import { canonicalJson } from '@orgchat/sdk/internal';
import { FleetError, type FleetErrorCode } from '../fleet-error.ts';
import { requireKnown, warnProcess } from '../options.ts';
import { toPlainCause } from '../plain-cause.ts';
import { requireClient, requireOrganization } from '../sending/client-organization.ts';
import { isTransactionFailure, toFleetError } from './engine-error.ts';
import { getHolder } from './holder.ts';
import { createOutboxEntries } from './outbox/entries.ts';
import type { Outbox, OutboxOptions } from './outbox/interface.ts';
import { batchSize, createRelay } from './outbox/relay.ts';
import { createOutboxReports } from './outbox/reports.ts';
import { outboxStatements } from './outbox/statements.ts';
import { isPgPool, type Queryable } from './pool.ts';
import { createStatementRunner } from './statement-runner.ts';

/** After this another relay may take what a relay has not renewed, in milliseconds. It is safe: the id is the same. */
const usualLeaseMs = 120_000;
/** How long a statement tries to reach the engine, in milliseconds. */
const timeoutMs = 5_000;
/** How often an idle relay looks for changes, in milliseconds. */
const pollMs = 5_000;
/** Errors that do not pass by themselves. An engine in a failover is read-only, refuses logins or takes too long for a while. */
const lasting: readonly FleetErrorCode[] = [
  'ADDRESS_GONE',
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
  const runner = createStatementRunner(pool, { what: 'The outbox', store: 'outbox', schema, timeoutMs });
  const holder = getHolder(pool, warnProcess);
  const sql = outboxStatements(runner.schema, holder.isEmbedded);
  const box = [organization, name] as const;
  const entries = createOutboxEntries(runner, sql, box);
  const reports = createOutboxReports(pool, [runner.schema, organization, name], entries, options);
  const { check, sendBatch } = createRelay({ runner, sql, holder, box, reports, leaseMs, timeoutMs });

  return {
    async add(tx, change, given = {}) {
      requireKnown(given, ['intent'], 'add()');
      if (typeof tx?.query !== 'function' || isPgPool(tx))
        throw invalid('add() requires the connection of your transaction, and not the pool.');
      if (typeof (Object(change) as { readonly action?: unknown }).action !== 'string')
        throw invalid('add() requires a change: an object with an action, as changeChat() accepts it.');
      const { intent } = given;
      // The caller may use its object again.
      const text = JSON.stringify(change);
      const operationId = intent === undefined ? crypto.randomUUID() : await operationIdFrom(...intent);
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
      else if (toComparable(stored?.change) !== toComparable(text)) throw createConflict(operationId);
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
        if (taken < batchSize) await sleep(pollMs, undefined, signal && { signal }).catch(() => undefined);
      }
    },

    list: (given) => entries.list(anyId, given),
    get: entries.get,
    stats: entries.stats,
    retry: entries.retry,
    remove: entries.remove,
  };
}

/** A change compares as in the journal: in any order of its fields. */
const toComparable = (text: unknown): string => canonicalJson(JSON.parse(String(text)));

const createConflict = (operationId: string): FleetError =>
  new FleetError(
    `The outbox has operation ${operationId} with a different change. Use another intent, and roll back.`,
    { code: 'INPUT_CONFLICT' },
  );

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
