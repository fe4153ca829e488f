import * as z from 'zod';
import { isEqual } from './equal-values.ts';

/**
 * Which side made a difference since the last sync: the file, the organization (drift), or both in different ways.
 * `unknown` if there is no base.
 */
export const origin = z.enum(['file', 'drift', 'both', 'unknown']);
export type Origin = z.output<typeof origin>;

/**
 * Finds the origin of a difference between base, organization and file; undefined means unknown, null means no value.
 */
export function findOrigin(before: unknown, is: unknown, wanted: unknown): Origin {
  if (before === undefined) return 'unknown';
  if (isEqual(before, is)) return 'file';
  return isEqual(before, wanted) ? 'drift' : 'both';
}

/** The most important origin comes first. */
const weight: readonly Origin[] = ['both', 'drift', 'unknown', 'file'];

/** The most important origin of several fields. */
export const strongestOrigin = (origins: readonly Origin[]): Origin =>
  weight.find((one) => origins.includes(one)) ?? 'file';
