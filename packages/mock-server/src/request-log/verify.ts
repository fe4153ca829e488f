import * as z from 'zod';
import { findPath } from '../http/known-paths.ts';
import { ControlError } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { changeAction, operationName, requestResource } from '../input-checks/request-criteria.ts';
import { memoize } from '../memoize.ts';
import { isTooDeep, maxLevels } from '../primitives/bounded-json.ts';
import { type Criteria, compareRequest } from './compare-request.ts';
import type { RequestLog } from './request-log.ts';
import { requireMatchable, type VerifiedWorld } from './unmatchable.ts';

/** Which requests to count, and the expected number. */
export const verification = memoize(() => {
  const count = z.int().min(0);
  const range = z
    .strictObject({ atLeast: count.optional(), atMost: count.optional() })
    .refine(
      ({ atLeast, atMost }) =>
        (atLeast !== undefined || atMost !== undefined) &&
        (atLeast ?? 0) <= (atMost ?? Number.POSITIVE_INFINITY),
      'must have atLeast, atMost or both, with atLeast not larger than atMost',
    )
    .meta({ id: 'CountRange', description: 'One of the fields or both; atLeast is not larger than atMost.' });
  return z
    .strictObject({
      operation: operationName().optional(),
      action: changeAction().optional(),
      resource: requestResource().optional(),
      recordId: z.string().min(1).optional().meta({ description: 'The record that the request changed.' }),
      operationId: z.string().min(1).optional(),
      key: z.string().optional().meta({ description: 'The key that the request was sent with.' }),
      siteId: z.string().optional().meta({ description: 'The site that keywords are added to.' }),
      path: z.string().optional().meta({ description: 'The path below the base URL, percent-encoded.' }),
      status: z.int().optional(),
      applied: z.boolean().optional().meta({
        description: 'Whether the request itself, not an earlier one, changed something.',
      }),
      body: z
        .record(z.string(), z.unknown())
        .refine((body) => !isTooDeep(body), `must have at most ${maxLevels} levels`)
        .optional()
        .meta({
          description:
            'Part of the body of the request: each field here has the same value there. Lists are compared item by item and have the same length.',
        }),
      times: z
        .union([count, range], {
          error: ({ input }) =>
            input === undefined
              ? 'is required'
              : 'must be a whole number, 0 or greater, or { "atLeast": n, "atMost": m } with n not larger than m',
        })
        .meta({ description: 'The expected number of requests.' }),
    })
    .meta({ id: 'Verification', description: 'Which requests to count; omitted fields match any value.' });
});

type Times = z.output<ReturnType<typeof verification>>['times'];

const nearest = 5;

/**
 * Compares the number of matching requests with the expected number. Throws a `ControlError` 400 if no request can match,
 * and 409 if the number differs, or if dropped entries or bodies could make it differ. The error has the number of matches among the kept entries, and the
 * nearest misses with what differs.
 */
export function verify(world: VerifiedWorld, value: unknown): { readonly ok: true } {
  const { times, ...filter } = parseControl(verification(), value);
  requireMatchable(world, filter);
  const { requestLog } = world;
  const requests = requestLog.list().filter(({ isRequest }) => isRequest);
  const compared = requests.map((trace) => ({ trace, ...compareRequest(trace, filter) }));
  const found = compared.filter(({ differences }) => differences.length === 0);
  const matches = found.filter(({ isUncertain }) => !isUncertain).length;
  const uncertain = { entries: countDropped(requestLog, filter), bodies: found.length - matches };
  const most = matches + uncertain.entries + uncertain.bodies;
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = toRange(times);
  if (matches >= atLeast && most <= atMost) return { ok: true };
  const complete = most === matches;
  const nearMisses = compared
    .filter(({ differences }) => differences.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || b.trace.id - a.trace.id)
    .slice(0, nearest)
    .map(({ trace, missed, differences }) => ({ missed, differences, request: trace.toEntry() }));
  const counted = complete ? `${matches}` : `at least ${matches}; ${explain(uncertain)}`;
  const message = `Expected ${describeTimes(times)} matching requests, found ${counted}.`;
  const extra = { expected: times, count: matches, complete, dropped: requestLog.dropped, nearMisses };
  throw new ControlError(409, 'VERIFICATION_FAILED', message, extra);
}

const countDropped = (requestLog: RequestLog, filter: Criteria): number =>
  requestLog.droppedCounts.matching({ ...filter, operation: filter.operation ?? findOperation(filter) });

/** The operation that a path or a site implies. */
const findOperation = ({ path, siteId }: Criteria): string | undefined =>
  siteId === undefined ? path && findPath(path)?.route.endpoint : 'addSeoKeywords';

const toRange = (
  times: Times,
): { readonly atLeast?: number | undefined; readonly atMost?: number | undefined } =>
  typeof times === 'number' ? { atLeast: times, atMost: times } : times;

function describeTimes(times: Times): string {
  if (typeof times === 'number') return `${times}`;
  const { atLeast, atMost } = times;
  if (atMost === undefined) return `at least ${atLeast}`;
  return atLeast === undefined ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}

/** Why the count is not certain, and what to do. */
function explain({ entries, bodies }: { readonly entries: number; readonly bodies: number }): string {
  const clear = 'Verify sooner, clear the log in between (DELETE /requests), or keep more';
  const byEntries = `the request log is full and dropped ${entries} older entries that may match. ${clear} requests: orgchat mock start --request-log-size N, or createMock({ requestLogSize })`;
  const byBodies = `${bodies} requests may match, but the request log does not have their whole bodies. ${clear} bytes: orgchat mock start --log-bytes N, or createMock({ logBytes }). At most 64 KiB of a body are kept`;
  return [entries > 0 ? byEntries : '', bodies > 0 ? byBodies : ''].filter(Boolean).join('. Also, ');
}
