import type { ChatChange } from '@orgchat/sdk';
import { FleetError } from '../../fleet-error.ts';
import { requireKnown, requirePositive } from '../../options.ts';
import { type StatementRunner, toLockTimeout } from '../statement-runner.ts';
import { type OutboxEntry, type OutboxListOptions, type OutboxStats, outboxStates } from './interface.ts';
import type { outboxStatements } from './statements.ts';

type Row = Record<string, unknown>;

/** What people and relays ask about the entries of one outbox. */
export interface OutboxEntries {
  /** Lists entries with row ids up to this one. */
  list(upTo: string, options?: OutboxListOptions): Promise<readonly OutboxEntry[]>;
  get(operationId: string): Promise<OutboxEntry | undefined>;
  retry(operationId: string): Promise<boolean>;
  remove(operationId: string): Promise<boolean>;
  stats(): Promise<OutboxStats>;
  /** Lists open changes that are older than this, oldest first and not more than can be reported, each with its row id. */
  listStuck(olderThanMs: number): Promise<readonly (readonly [id: string, entry: OutboxEntry])[]>;
}

/** Creates the queries of an outbox, which is named by its organization and its name. */
export function createOutboxEntries(
  runner: StatementRunner,
  sql: ReturnType<typeof outboxStatements>,
  box: readonly string[],
): OutboxEntries {
  const isFound = async (text: string, operationId: string): Promise<boolean> =>
    (await runner.run(text, async (restMs) => [...box, operationId, toLockTimeout(restMs)])).length > 0;
  return {
    async list(upTo, options = {}) {
      requireKnown(options, ['state', 'limit'], 'list()');
      const { state, limit } = options;
      if (state !== undefined && !outboxStates.includes(state))
        throw new FleetError(`state must be ${outboxStates.join(', ')}; got ${JSON.stringify(state)}.`, {
          code: 'INVALID_OPTIONS',
        });
      const most =
        limit === undefined || limit === Infinity ? null : Math.ceil(requirePositive(limit, 'limit'));
      return (await runner.run(sql.list, [...box, upTo, state ?? null, most])).map(toOutboxEntry);
    },
    async get(operationId) {
      const [row] = await runner.run(sql.get, [...box, operationId]);
      return row && toOutboxEntry(row);
    },
    retry: async (operationId) =>
      (await isFound(sql.retryEnded, operationId)) || isFound(sql.retryOpen, operationId),
    remove: (operationId) => isFound(sql.remove, operationId),
    async stats() {
      const [row = {}] = await runner.run(sql.stats, box);
      const { oldest_open_ms: age } = row;
      return {
        open: Number(row.open),
        sending: Number(row.sending),
        refused: Number(row.refused),
        unknown: Number(row.unknown),
        oldestOpenMs: age === null || age === undefined ? undefined : Math.max(0, Math.round(Number(age))),
      };
    },
    async listStuck(olderThanMs) {
      const rows = await runner.run(sql.stuck, [...box, olderThanMs]);
      return rows.map((row) => [String(row.id), toOutboxEntry(row)] as const);
    },
  };
}

/** Returns the entry of a row. */
export function toOutboxEntry(row: Row): OutboxEntry {
  return {
    operationId: String(row.operation_id),
    change: JSON.parse(String(row.change)) as ChatChange,
    state: row.state as OutboxEntry['state'],
    attempts: Number(row.attempts),
    error: row.error === null ? undefined : String(row.error),
    createdAt: new Date(Number(row.created_ms)).toISOString(),
  };
}
