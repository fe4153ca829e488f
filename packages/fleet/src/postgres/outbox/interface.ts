import type { ChatChange, IntentPart, OrgChatClient } from '@orgchat/sdk';
import type { FleetError } from '../../fleet-error.ts';
import type { SchemaOptions } from '../migrate.ts';
import type { Queryable } from '../pool.ts';

/**
 * Options of `outbox`.
 *
 * @example
 * const { organizationId } = await client.account(); // once, for your settings: adding needs no request
 * const options: OutboxOptions = { organization: organizationId };
 * const box = outbox(pool, options);
 */
export interface OutboxOptions extends SchemaOptions {
  /** The organization that the changes are for: `organizationId` of `account()`. Each organization has an outbox of its own. */
  readonly organization: string;
  /** Names the outbox, if an organization has several. Default `default`. */
  readonly name?: string | undefined;
  /**
   * Called once with each change that a relay of this process found `refused`: it is not sent again by itself, and nobody
   * else hears of it. Default: a warning of the process, `ORGCHAT_CHANGE_REFUSED`.
   */
  readonly onRefused?: ((entry: OutboxEntry) => unknown) | undefined;
  /**
   * Called once per process with each change that has been `open` for more than 24 hours. Only relays look. Default: a
   * warning of the process, `ORGCHAT_CHANGE_STUCK`.
   */
  readonly onStuck?: ((entry: OutboxEntry) => unknown) | undefined;
}

/** The states of a change in an outbox. */
export const outboxStates = ['open', 'refused', 'unknown'] as const;

/** A change that waits in an outbox. */
export interface OutboxEntry {
  readonly operationId: string;
  readonly change: ChatChange;
  /**
   * - `open`: it is sent, or sent again.
   * - `refused`: the server refused it for what it is, and it is not sent again.
   * - `unknown`: the server knows its id with another change, so an earlier call was applied, is uncertain or is still
   *   running. It is not sent again: read the records to see what that call did.
   */
  readonly state: (typeof outboxStates)[number];
  /** How often a relay took it. */
  readonly attempts: number;
  /** The message of the last error; undefined if there was none. */
  readonly error: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * Options of `list`.
 *
 * @example
 * for (const { operationId, error } of await box.list({ state: 'refused', limit: 100 })) console.log(operationId, error);
 */
export interface OutboxListOptions {
  /** Only changes in this state. */
  readonly state?: OutboxEntry['state'] | undefined;
  /** At most this many, the oldest. Default: all. */
  readonly limit?: number | undefined;
}

/** What is in an outbox, in numbers. */
export interface OutboxStats {
  /** Changes that are sent, or sent again. */
  readonly open: number;
  /** How many of the open ones a relay has now. */
  readonly sending: number;
  readonly refused: number;
  readonly unknown: number;
  /** Age of the oldest open change, in milliseconds by the clock of the engine; undefined if none is open. */
  readonly oldestOpenMs: number | undefined;
}

/** The result of `drain`. */
export interface OutboxResult {
  /** How many changes this call had applied. */
  readonly applied: number;
  /** What is left of the changes that were committed before the call: still open, or ended without being applied. */
  readonly left: readonly OutboxEntry[];
}

/** Options of `run`. */
export interface OutboxRunOptions {
  /** Ends the relay, after the changes that it is sending. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each error of the engine that the relay rides out: all but missing tables and other versions. Default: `process.emitWarning`. */
  readonly onError?: ((error: FleetError) => void) | undefined;
}

/** Changes that are committed together with the data of an application, and sent afterwards. */
export interface Outbox {
  /**
   * Adds a change within a transaction of the application. If it commits, the change is applied once; if it rolls back,
   * nothing is sent. With an `intent`, a change that waits already is not added again; if it differs, this rejects. A change
   * that is `refused` or `unknown` is replaced with this one, which is sent under the same id.
   *
   * @example
   * await box.add(tx, { action: 'create-tags', data: { name: 'VIP', color: 'pink' } }, { intent: ['order', 17] });
   */
  add(
    tx: Queryable,
    change: ChatChange,
    options?: { readonly intent?: readonly IntentPart[] | undefined },
  ): Promise<{ readonly operationId: string }>;
  /**
   * Sends every change that was committed so far, and resolves when each was tried. Rejects with
   * `KEY_OF_ANOTHER_ORGANIZATION` before anything is sent, if the API key of the client belongs to another organization,
   * and with `ADDRESS_GONE` if the server answers 410: the changes stay open.
   *
   * @example
   * const { applied, left } = await box.drain(client);
   */
  drain(client: OrgChatClient): Promise<OutboxResult>;
  /**
   * Sends changes as they are committed, until `signal` ends it. Looks for new ones every five seconds while it is idle.
   * Rides out failures of the engine. Rejects with `KEY_OF_ANOTHER_ORGANIZATION` and `ADDRESS_GONE` as `drain` does, and
   * if the tables are missing or of another version. While `account()` fails otherwise, the changes stay open.
   *
   * @example
   * await box.run(client, { signal });
   */
  run(client: OrgChatClient, options?: OutboxRunOptions): Promise<void>;
  /** Lists what waits and what ended without being applied, oldest first. */
  list(options?: OutboxListOptions): Promise<readonly OutboxEntry[]>;
  /** Returns a change; undefined if there is none with this id. */
  get(operationId: string): Promise<OutboxEntry | undefined>;
  /**
   * Counts what waits and what ended without being applied. Reads no change.
   *
   * @example
   * const { open, refused, oldestOpenMs = 0 } = await box.stats();
   * console.log(open, refused, oldestOpenMs / 60_000);
   */
  stats(): Promise<OutboxStats>;
  /**
   * Has a change sent by the next relay, under its id: one that ended without being applied is open again, and an open
   * one no longer waits for its next attempt. False if there is none with this id.
   *
   * @example
   * for (const { operationId } of await box.list({ state: 'refused' })) await box.retry(operationId);
   */
  retry(operationId: string): Promise<boolean>;
  /** Removes a change, such as a refused one that was looked at. False if there is none with this id. */
  remove(operationId: string): Promise<boolean>;
}
