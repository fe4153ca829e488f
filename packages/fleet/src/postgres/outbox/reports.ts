import { warnProcess } from '../../options.ts';
import type { Queryable } from '../pool.ts';
import type { OutboxEntries } from './entries.ts';
import type { OutboxEntry, OutboxOptions } from './interface.ts';

/** What relays report to the operator, and not to the program that added the change. */
export interface OutboxReports {
  refused(entry: OutboxEntry): void;
  /** Reports open changes that are old, each once per process. A relay that runs looks once per minute. */
  lookForStuck(isAtOnce: boolean): Promise<void>;
}

/** After this an open change is reported as stuck, in milliseconds. */
const stuckAfterMs = 86_400_000;
const lookMs = 60_000;

/** By pool: the row ids that were reported as stuck, by outbox. A process may open an outbox more than once. */
const reported = new WeakMap<Queryable, Map<string, ReadonlySet<string>>>();

type Callback = (entry: OutboxEntry) => unknown;

/** Creates the reports of an outbox, which is named by its schema, its organization and its name. */
export function createOutboxReports(
  pool: Queryable,
  [schema, organization, name]: readonly [string, string, string],
  entries: OutboxEntries,
  options: Pick<OutboxOptions, 'onRefused' | 'onStuck'>,
): OutboxReports {
  const ofPool = reported.get(pool) ?? new Map<string, ReadonlySet<string>>();
  reported.set(pool, ofPool);
  const key = JSON.stringify([schema, organization, name]);
  const onRefused: Callback = (entry) => warnOfRefused(organization, entry);
  const onStuck: Callback = (entry) => warnOfStuck(organization, entry);
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** A callback that fails must not end the relay. The operator gets the warning in its place. */
  function report(entry: OutboxEntry, warn: Callback, callback = warn): void {
    (async () => callback(entry))().catch(() => warn(entry));
  }

  return {
    refused: (entry) => report(entry, onRefused, options.onRefused),
    async lookForStuck(isAtOnce) {
      const now = performance.now();
      if (!isAtOnce && now - lookedAt < lookMs) return;
      lookedAt = now;
      const stuck = await entries.listStuck(stuckAfterMs);
      const known = ofPool.get(key);
      ofPool.set(key, new Set(stuck.map(([id]) => id)));
      for (const [id, entry] of stuck) if (!known?.has(id)) report(entry, onStuck, options.onStuck);
    },
  };
}

function warnOfRefused(organization: string, { operationId, error }: OutboxEntry): void {
  warnProcess({
    code: 'CHANGE_REFUSED',
    message: `Change ${operationId} of organization "${organization}" was refused: ${error} The outbox does not send it again. Add a corrected change with its intent, or remove it with box.remove().`,
  });
}

function warnOfStuck(organization: string, { operationId, attempts, createdAt, error }: OutboxEntry): void {
  const why = error === undefined ? '' : ` The last error: ${error}`;
  warnProcess({
    code: 'CHANGE_STUCK',
    message: `Change ${operationId} of organization "${organization}" has been open in the outbox since ${createdAt}. Attempts: ${attempts}.${why}`,
  });
}
