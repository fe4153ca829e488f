import { chatChange, operationNames } from '@orgchat/spec';
import * as z from 'zod';
import { ControlError, parseControl } from '../control/input.ts';
import type { Journal, Trace } from './journal.ts';

const actions = chatChange.options.map((option) => option.shape.action.value);

/** What requests to count, and how many there are to be. */
export const verification = z.strictObject({
  operation: z.enum(operationNames).optional(),
  action: z.enum(actions).optional(),
  key: z.string().optional(),
  status: z.int().optional(),
  times: z.int().min(0),
});

type Criteria = Omit<z.output<typeof verification>, 'times'>;

const nearest = 5;

const criteria: readonly (keyof Criteria)[] = ['operation', 'action', 'key', 'status'];

/** In which respects a request is not what was looked for. */
function differences(trace: Trace, sought: Criteria): string[] {
  return criteria.filter((name) => sought[name] !== undefined && sought[name] !== trace[name]);
}

/**
 * Compares the number of requests that match with the number expected. Throws a `ControlError` 409 if it is another, or
 * if entries that were dropped could make it another; the error has the number found among the entries that are kept,
 * and the requests that came closest, each with the criteria it missed.
 */
export function verify(journal: Journal, value: unknown): { readonly ok: true } {
  const { times, ...sought } = parseControl(verification, value);
  const judged = journal.traces().map((trace) => ({ trace, missed: differences(trace, sought) }));
  const count = judged.filter(({ missed }) => missed.length === 0).length;
  const possible = journal.dropped.matching(sought);
  const complete = possible === 0;
  if (complete && count === times) return { ok: true };
  const nearMisses = judged
    .filter(({ missed }) => missed.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || b.trace.id - a.trace.id)
    .slice(0, nearest)
    .map(({ trace, missed }) => ({ missed, request: trace.view() }));
  const dropped = { entries: journal.dropped.count };
  const found = complete ? `${count}` : `at least ${count}; ${incomplete(possible)}`;
  const message = `Expected ${times} such requests and found ${found}.`;
  const extra = { expected: times, count, complete, dropped, nearMisses };
  throw new ControlError(409, 'VERIFICATION_FAILED', message, extra);
}

const incomplete = (possible: number): string =>
  `the request log is full and dropped ${possible} older entries that may match. Verify sooner, clear the log in between (DELETE /requests), or keep more requests: orgchat mock start --journal-size N, or createMock({ journalSize })`;
