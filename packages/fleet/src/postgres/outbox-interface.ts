import type { ChatChange, IntentPart, OrgChatClient } from '@orgchat/sdk';
import type { FleetError } from '../fleet-error.ts';
import type { SchemaOptions } from './migrate.ts';
import type { Queryable } from './pool.ts';

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
}

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
  readonly state: 'open' | 'refused' | 'unknown';
  /** How often a relay took it. */
  readonly attempts: number;
  /** The message of the last error; undefined if there was none. */
  readonly error: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
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
   * `KEY_OF_ANOTHER_ORGANIZATION` before anything is sent, if the API key of the client belongs to another organization.
   *
   * @example
   * const { applied, left } = await box.drain(client);
   */
  drain(client: OrgChatClient): Promise<OutboxResult>;
  /**
   * Sends changes as they are committed, until `signal` ends it. Looks for new ones every five seconds while it is idle.
   * Rides out failures of the engine. Rejects with `KEY_OF_ANOTHER_ORGANIZATION` as `drain` does, and if the tables are
   * missing or of another version. While `account()` fails, the changes stay open.
   *
   * @example
   * await box.run(client, { signal });
   */
  run(client: OrgChatClient, options?: OutboxRunOptions): Promise<void>;
  /** Lists what waits and what ended without being applied, oldest first. */
  list(): Promise<readonly OutboxEntry[]>;
  /** Removes a change, such as a refused one that was looked at. False if there is none with this id. */
  remove(operationId: string): Promise<boolean>;
}
