import microdiff from 'microdiff';
import * as z from 'zod';
import type { Data } from '../../resources/collect-data.ts';
import { alignLists } from './align.ts';

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

const same = (one: unknown, other: unknown): boolean =>
  microdiff({ value: withoutNulls(one) }, { value: withoutNulls(other) }).length === 0;

/** Between what both had, what the organization has and what the file wants; undefined is not known, null nothing. */
export function originOf(before: unknown, is: unknown, wanted: unknown): Origin {
  if (before === undefined) return 'unknown';
  if (same(before, is)) return 'file';
  return same(before, wanted) ? 'drift' : 'both';
}

/** As both had it, if that is known. */
type Before = { readonly value: unknown } | undefined;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields in which the organization is not what the file wants; with what both had, who changed each. */
export function compare(actual: Data, wanted: Data, before: Data | undefined): FieldChange[] {
  const [from, to] = [withoutNulls(actual), withoutNulls(wanted)];
  return changesIn('', from, to, before && { value: withoutNulls(before) }, undefined);
}

/** `known` is the origin of a list that holds the values: then what both had at their place is not known. */
function changesIn(
  path: string,
  from: unknown,
  to: unknown,
  before: Before,
  known: Origin | undefined,
): FieldChange[] {
  if (same(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return changesInLists(path, from, to, before, known);
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    const base = before && (isObject(before.value) ? before.value : {});
    return [...names].flatMap((name) =>
      changesIn(
        path === '' ? name : `${path}.${name}`,
        from[name],
        to[name],
        base && { value: base[name] },
        known,
      ),
    );
  }
  const base = known === undefined && before !== undefined ? { base: before.value ?? null } : {};
  return [
    {
      path,
      from: from ?? null,
      to: to ?? null,
      ...base,
      origin: known ?? originOf(before && (before.value ?? null), from ?? null, to ?? null),
    },
  ];
}

function changesInLists(
  path: string,
  from: readonly unknown[],
  to: readonly unknown[],
  before: Before,
  known: Origin | undefined,
): FieldChange[] {
  const aligned = alignLists(from, to);
  const isInPlace = aligned.every((item) => item.from === item.to);
  const base = before?.value;
  const hasBase = isInPlace && Array.isArray(base) && base.length === from.length;
  // With an item more or less, no index says the same of three lists; then the origin is that of the list.
  const origin = known ?? (hasBase || before === undefined ? undefined : originOf(base ?? null, from, to));
  return aligned.flatMap((item) => {
    // What is removed is named by its old place, everything else by its new one.
    const place = `${path}[${item.to ?? item.from}]`;
    const [one, other] = [valueAt(from, item.from), valueAt(to, item.to)];
    return changesIn(place, one, other, hasBase ? { value: valueAt(base, item.to) } : undefined, origin);
  });
}

const valueAt = (list: readonly unknown[], index: number | undefined): unknown =>
  index === undefined ? undefined : list[index];

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
