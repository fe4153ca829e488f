import type { OrgChatClient } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import { emitFleetEvent } from '../../events/fleet-events.ts';
import type { FleetError } from '../../fleet-error.ts';
import { warnProcess } from '../../options.ts';
import { createPendingUndos } from '../../pending-undos.ts';
import { backoffDelay } from '../../sending/backoff.ts';
import { classifyError, isUnsentAbort } from '../../sending/classify-error.ts';
import {
  checkOrganization,
  createGoneError,
  type OrganizationCheck,
} from '../../sending/client-organization.ts';
import { isAmbiguous, lockTimeout } from '../engine-error.ts';
import type { Holder } from '../holder.ts';
import type { StatementRunner } from '../statement-runner.ts';
import { toOutboxEntry } from './entries.ts';
import { type Postponement, postpone } from './postponement.ts';
import type { OutboxReports } from './reports.ts';
import type { outboxStatements } from './statements.ts';

type Row = Record<string, unknown>;

/** Which changes a batch takes. */
interface BatchLimits {
  /** The largest id. */
  readonly upTo: string;
  /** Those that wait for their next try, too. */
  readonly isAtOnce: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How many changes of a batch there were, and how many of them were applied. */
interface SentBatch {
  readonly taken: number;
  readonly applied: number;
}

/** What a relay needs of its outbox. */
export interface RelayOptions {
  readonly runner: StatementRunner;
  readonly sql: ReturnType<typeof outboxStatements>;
  readonly holder: Holder;
  /** Organization and name. */
  readonly box: readonly [organization: string, name: string];
  readonly reports: OutboxReports;
  /** How long what is taken is held without being renewed, in milliseconds. */
  readonly leaseMs: number;
  /** How long a statement tries to reach the engine, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends the changes of an outbox. */
export interface Relay {
  /** Sends what is free, except for the ids in `tried`, and adds what it takes to them. Rejects as `check` does. */
  sendBatch(client: OrgChatClient, tried: string[], limits: BatchLimits): Promise<SentBatch>;
  /** Compares the organization of a client with that of the outbox. Rejects if the client cannot send its changes. */
  check(
    client: OrgChatClient,
    how: Pick<OrganizationCheck, 'isAtOnce' | 'signal'>,
  ): ReturnType<typeof checkOrganization>;
}

const [store, what] = ['outbox', 'The outbox'] as const;
/** How many changes a relay takes at once. */
export const batchSize = 10;
/** How long the outcome of a change waits for its row, in milliseconds. Until then the next batch waits too. */
const recordLockMs = '1000';

/** Creates a relay. */
export function createRelay({ runner, sql, holder, box, reports, leaseMs, timeoutMs }: RelayOptions): Relay {
  const [organization] = box;
  const undos = createPendingUndos();
  /** Changes that another relay has taken, so that each is reported once. */
  const lost = new WeakSet<Row>();
  /** Changes whose outcome is recorded, or about to be. Another relay may take one. */
  const ended = new WeakSet<Row>();

  /** Sends what is free. Returns how many changes it took, and how many of them were applied. */
  async function sendBatch(
    client: OrgChatClient,
    tried: string[],
    { upTo, isAtOnce, signal }: BatchLimits,
  ): Promise<SentBatch> {
    await undos.flushForMoment();
    let token: string | undefined;
    // A claim whose answer is lost may have taken changes that this relay will never hear of.
    const release = (): void => {
      const taken = token;
      if (taken !== undefined) undos.add(taken, () => letGo(taken));
    };
    const values = async (restMs: number) => {
      const number = (await holder.current(restMs)) ?? null;
      release();
      token = crypto.randomUUID();
      return [...box, token, number, leaseMs, upTo, tried, isAtOnce, batchSize];
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
  ): Promise<SentBatch> {
    const failure = await check(client, { isAtOnce, signal }).catch(async (error: unknown) => {
      await giveBack(token);
      throw error;
    });
    if (failure) {
      const later = (row: Row) => Math.max(backoffDelay(Number(row.attempts)), failure.delayMs);
      await allOf(
        rows.map((row) =>
          leave(row, token, failure.message, {
            state: 'open',
            delayMs: later(row),
            repeats: Number(row.repeats),
          }),
        ),
      );
      return { taken: rows.length, applied: 0 };
    }
    let goneError: FleetError | undefined;
    const onGone = (error: unknown): void => {
      goneError ??= createGoneError(what, error);
    };
    const outcomes = await allOf(rows.map((row) => send(client, row, { token, signal, onGone })));
    // Nothing of these was tried, so another relay may send them at once.
    if (outcomes.includes('ended')) await giveBack(token);
    if (goneError) throw goneError;
    return { taken: rows.length, applied: outcomes.filter((outcome) => outcome === 'applied').length };
  }

  /** Lets go of what was taken under a token: now, or as soon as it can be done. */
  async function giveBack(token: string): Promise<void> {
    undos.add(token, () => letGo(token));
    await undos.flushForMoment();
  }

  /** Lets go of what was taken under a token. Rejects while somebody else has locked a part of it. */
  async function letGo(token: string): Promise<void> {
    const locked = await runner.run(sql.release, [...box, token]);
    if (locked.length > 0) throw new Error('A change that is to be released is locked.');
  }

  const check = (client: OrgChatClient, how: Pick<OrganizationCheck, 'isAtOnce' | 'signal'>) =>
    checkOrganization(client, { what, organization, ...how });

  /** Sends a change. It is `ended` if the signal ended its wait in line. */
  async function send(
    client: OrgChatClient,
    row: Row,
    {
      token,
      signal,
      onGone,
    }: {
      readonly token: string;
      readonly signal: AbortSignal | undefined;
      /** Called if the whole address of the API is gone. */
      readonly onGone: (error: unknown) => void;
    },
  ): Promise<'applied' | 'left' | 'ended'> {
    const operationId = String(row.operation_id);
    try {
      // A change that another process has in progress must not hold up the others.
      const options = { operationId, waitForOther: false, ...endWaitsOnly(signal, { inDoubt: true }) };
      await client.changeChat(JSON.parse(String(row.change)), options);
    } catch (error) {
      if (signal?.aborted && isUnsentAbort(error)) return 'ended';
      const text = error instanceof Error ? error.message : String(error);
      const taken = {
        ...{ attempts: Number(row.attempts), repeats: Number(row.repeats) },
        ageMs: Number(row.age_ms),
      };
      await leave(row, token, text, postpone(error, taken));
      if (classifyError(error) === 'gone') onGone(error);
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
    { state, delayMs, repeats }: Postponement,
  ): Promise<void> {
    ended.add(row);
    await record(sql.later, [row.id, token, withoutNul(text), state, delayMs, repeats], (own) => {
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
      if (isLocked || isAmbiguous(cause)) undos.add(`row ${values[0]}`, run);
      if (!isLocked) throw error;
    }
  }

  return { sendBatch, check };
}

/** Resolves when all of them have ended; rejects with the first failure. */
async function allOf<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** Postgres stores no NUL, and a server may send one. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');
