import microdiff from 'microdiff';
import * as z from 'zod';
import type { Data } from '../../resources/collect-data.ts';

/**
 * Who made a difference since the file and the organization were last known to say the same: the file, the
 * organization (drift), both, each in its own way; or unknown, where they were never known to.
 */
export const origin = z.enum(['file', 'drift', 'both', 'unknown']);
export type Origin = z.output<typeof origin>;

export const fieldChange = z.object({
  /** `steps[0].text` */
  path: z.string(),
  /** As the organization has it; null where it has none. */
  from: z.unknown(),
  /** As the file wants it. */
  to: z.unknown(),
  /** As both had it, where that is known. */
  base: z.unknown().optional(),
  origin,
});
export type FieldChange = z.output<typeof fieldChange>;

/** What is null and what is not there mean the same to the API; only one of them is compared. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

const written = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return (
    path.reduce<unknown>(
      (part, key) => (part as Record<string | number, unknown> | null | undefined)?.[key],
      value,
    ) ?? null
  );
}

const same = (one: unknown, other: unknown): boolean =>
  microdiff({ value: withoutNulls(one) }, { value: withoutNulls(other) }).length === 0;

/** Between what both had, what the organization has and what the file wants; undefined is not known, null nothing. */
export function originOf(before: unknown, is: unknown, wanted: unknown): Origin {
  if (before === undefined) return 'unknown';
  if (same(before, is)) return 'file';
  return same(before, wanted) ? 'drift' : 'both';
}

/** The fields in which the organization is not what the file wants; with what both had, who changed each. */
export function compare(actual: Data, wanted: Data, before: Data | undefined): FieldChange[] {
  const [from, to, base] = [actual, wanted, before].map((data) => withoutNulls(data) as Data);
  return microdiff(from ?? {}, to ?? {}).map(({ path }) => {
    const [is, becomes] = [at(from, path), at(to, path)];
    const known = before === undefined ? {} : { base: at(base, path) };
    return {
      path: written(path),
      from: is,
      to: becomes,
      ...known,
      origin: originOf(known.base, is, becomes),
    };
  });
}

/** What matters most comes first. */
const weight: readonly Origin[] = ['both', 'drift', 'unknown', 'file'];

/** The origin that says most about a change of several fields. */
export const weightiest = (origins: readonly Origin[]): Origin =>
  weight.find((one) => origins.includes(one)) ?? 'file';

/** Every field of a record that is on one side only. */
export function fieldsOf(
  data: Data,
  origin: Origin,
  sides: (value: unknown) => Pick<FieldChange, 'from' | 'to'>,
): FieldChange[] {
  const given = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return given.map(([path, value]) => ({ path, ...sides(value), origin }));
}
