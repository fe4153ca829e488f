import { chatChange, operationNames } from '@orgchat/spec';
import * as z from 'zod';
import { ControlError, parseControl } from '../control/input.ts';
import type { Trace } from './journal.ts';

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
 * Holds the journal to a number of requests. Where it is another, a `ControlError` 409 gives the number found and the
 * requests that came closest, each with the criteria it missed.
 */
export function verify(traces: readonly Trace[], value: unknown): { readonly ok: true } {
  const { times, ...sought } = parseControl(verification, value);
  const judged = traces.map((trace) => ({ trace, missed: differences(trace, sought) }));
  const count = judged.filter(({ missed }) => missed.length === 0).length;
  if (count === times) return { ok: true };
  const nearMisses = judged
    .filter(({ missed }) => missed.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || b.trace.id - a.trace.id)
    .slice(0, nearest)
    .map(({ trace, missed }) => ({ missed, request: trace.view() }));
  const message = `Expected ${times} such requests and found ${count}.`;
  throw new ControlError(409, 'VERIFICATION_FAILED', message, { expected: times, count, nearMisses });
}
