import { isObject } from '@orgchat/spec';
import { startOfJson } from '../primitives/bounded-json.ts';
import { abbreviate } from '../primitives/kept-text.ts';
import { maskKey } from '../records/key.ts';
import type { Trace } from './trace.ts';

/** What a request must have; undefined fields match any value. */
export interface Criteria {
  readonly operation?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly recordId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly key?: string | undefined;
  readonly siteId?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly applied?: boolean | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A field of a request that differs from what was expected; `field` is a path, such as `body.change.data.name`. */
export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  /** Null if the request has no such value; absent if its body has no such field. */
  readonly found?: unknown;
}

/** How a request compares with the criteria. */
export interface Comparison {
  /** The criteria that it does not match. */
  readonly missed: readonly string[];
  readonly differences: readonly Difference[];
  /** Whether it may match, but its body was dropped or cut off, so that this cannot be known. */
  readonly isUncertain: boolean;
}

/** Maximum number of differences of a body that are listed. */
const maxBodyDifferences = 5;

const plainCriteria = ['operation', 'action', 'resource', 'siteId', 'path', 'status', 'applied'] as const;

export function compareRequest(trace: Trace, criteria: Criteria): Comparison {
  const differences: Difference[] = [];
  const compare = (field: string, expected: unknown, found: unknown): void => {
    if (expected !== undefined && !isSame(expected, found))
      differences.push({ field, expected, found: found ?? null });
  };
  for (const name of plainCriteria) compare(name, criteria[name], trace[name]);
  compare('recordId', criteria.recordId?.toLowerCase(), trace.recordId?.toLowerCase());
  compare('operationId', criteria.operationId?.toLowerCase(), trace.operationId);
  if (criteria.key !== undefined && !isSame(criteria.key, trace.key)) {
    const found = trace.key === undefined ? null : maskKey(trace.key);
    differences.push({ field: 'key', expected: maskKey(criteria.key), found });
  }
  const missed = differences.map(({ field }) => field);
  if (criteria.body === undefined) return { missed, differences, isUncertain: false };
  const { body, bodyKept } = trace.readBody();
  if (bodyKept !== 'complete') return { missed, differences, isUncertain: true };
  const ofBody: Difference[] = [];
  comparePart('body', criteria.body, body, ofBody);
  if (ofBody.length > 0) missed.push('body');
  differences.push(...ofBody.slice(0, maxBodyDifferences));
  return { missed, differences, isUncertain: false };
}

/** Whether the log has what is expected. It abbreviates long texts of clients, each in its own way. */
const isSame = (expected: unknown, found: unknown): boolean =>
  expected === found || (typeof expected === 'string' && abbreviate(expected) === found);

/** Compares the fields that are expected; further fields of the found value do not matter. */
function comparePart(field: string, expected: unknown, found: unknown, differences: Difference[]): void {
  if (isObject(expected) && isObject(found)) {
    for (const [name, value] of Object.entries(expected)) {
      comparePart(
        `${field}.${name}`,
        value,
        Object.hasOwn(found, name) ? found[name] : undefined,
        differences,
      );
    }
    return;
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    for (const [index, value] of expected.entries())
      comparePart(`${field}[${index}]`, value, found[index], differences);
    return;
  }
  if (expected === found) return;
  differences.push({ field: shorten(field), expected: limit(expected), found: limit(found) });
}

const maxShown = 200;
const shorten = (text: string): string => (text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`);

/** A value as it is, or the start of its JSON if that is long. */
function limit(value: unknown): unknown {
  const json = startOfJson(value, maxShown + 1) ?? 'null';
  return json.length <= maxShown ? value : shorten(json);
}
