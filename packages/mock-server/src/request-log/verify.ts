import * as z from 'zod';
import { ControlError, parseControl } from '../control/input.ts';
import { changeAction, operationName } from '../faults/request-criteria.ts';
import type { RequestLog } from './request-log.ts';
import type { Trace } from './trace.ts';

/** Which requests to count, and the expected number. */
export const verification = z
  .strictObject({
    operation: operationName.optional(),
    action: changeAction.optional(),
    key: z.string().optional(),
    status: z.int().optional(),
    times: z.int().min(0).meta({ description: 'The expected number of requests.' }),
  })
  .meta({ id: 'Verification', description: 'Which requests to count; omitted fields match any value.' });

type Criteria = Omit<z.output<typeof verification>, 'times'>;

const nearest = 5;

const criteria: readonly (keyof Criteria)[] = ['operation', 'action', 'key', 'status'];

/** The criteria that a request does not match. */
function differences(trace: Trace, filter: Criteria): string[] {
  return criteria.filter((name) => filter[name] !== undefined && filter[name] !== trace[name]);
}

/**
 * Compares the number of matching requests with the expected number. Throws a `ControlError` 409 if they differ, or if
 * dropped entries could make them differ. The error has the number of matches among the kept entries, and the nearest
 * misses with the criteria that each does not match.
 */
export function verify(requestLog: RequestLog, value: unknown): { readonly ok: true } {
  const { times, ...filter } = parseControl(verification, value);
  const compared = requestLog.list().map((trace) => ({ trace, missed: differences(trace, filter) }));
  const count = compared.filter(({ missed }) => missed.length === 0).length;
  const possible = requestLog.droppedCounts.matching(filter);
  const complete = possible === 0;
  if (complete && count === times) return { ok: true };
  const nearMisses = compared
    .filter(({ missed }) => missed.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || b.trace.id - a.trace.id)
    .slice(0, nearest)
    .map(({ trace, missed }) => ({ missed, request: trace.toEntry() }));
  const { dropped } = requestLog;
  const found = complete ? `${count}` : `at least ${count}; ${incomplete(possible)}`;
  const message = `Expected ${times} matching requests, found ${found}.`;
  const extra = { expected: times, count, complete, dropped, nearMisses };
  throw new ControlError(409, 'VERIFICATION_FAILED', message, extra);
}

const incomplete = (possible: number): string =>
  `the request log is full and dropped ${possible} older entries that may match. Verify sooner, clear the log in between (DELETE /requests), or keep more requests: orgchat mock start --request-log-size N, or createMock({ requestLogSize })`;
