import { withComparableLabel } from '@orgchat/sdk/shapes/labels';
import type { ConfigurationResource } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import * as z from 'zod';
import type { Data } from '../../resources/data-fields.ts';
import { alignLists } from './align-lists.ts';
import { isEqual, withoutNulls } from './equal-values.ts';
import { findOrigin, type Origin, origin } from './origin.ts';

export const fieldChange = z.object({
  /** `steps[0].text` */
  path: z.string(),
  /** The value in the organization; null if there is none. */
  from: z.unknown(),
  /** The value in the file. */
  to: z.unknown(),
  /** The value in the base, if known. */
  base: z.unknown().optional(),
  origin,
});
export type FieldChange = z.output<typeof fieldChange>;

/** The value in the base; undefined if it is unknown. */
type Before = { readonly value: unknown } | undefined;

/**
 * Lists the fields in which organization and file differ; the base shows who changed each. A label in another Unicode form
 * is the same label.
 */
export function compare(
  resource: ConfigurationResource,
  actual: Data,
  wanted: Data,
  before: Data | undefined,
): FieldChange[] {
  const prepare = (data: Data): unknown => withoutNulls(withComparableLabel(resource, data));
  return compareValues('', prepare(actual), prepare(wanted), before && { value: prepare(before) }, undefined);
}

/**
 * `known` is the origin of the list around the values. It is set if items of the list moved: the base then has no value
 * at the same place.
 */
function compareValues(
  path: string,
  from: unknown,
  to: unknown,
  before: Before,
  known: Origin | undefined,
): FieldChange[] {
  if (isEqual(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return compareLists(path, from, to, before, known);
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    const base = before && (isObject(before.value) ? before.value : {});
    return [...names].flatMap((name) =>
      compareValues(
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
      origin: known ?? findOrigin(before && (before.value ?? null), from ?? null, to ?? null),
    },
  ];
}

function compareLists(
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
  // If an item was added or removed, indexes of the three lists differ. The origin is then that of the list.
  const origin = known ?? (hasBase || before === undefined ? undefined : findOrigin(base ?? null, from, to));
  return aligned.flatMap((item) => {
    // What is removed is named by its old place, everything else by its new one.
    const itemPath = `${path}[${item.to ?? item.from}]`;
    const [one, other] = [valueAt(from, item.from), valueAt(to, item.to)];
    return compareValues(
      itemPath,
      one,
      other,
      hasBase ? { value: valueAt(base, item.to) } : undefined,
      origin,
    );
  });
}

const valueAt = (list: readonly unknown[], index: number | undefined): unknown =>
  index === undefined ? undefined : list[index];

/** Every field of a record that is on one side only. */
export function createFieldChanges(
  data: Data,
  origin: Origin,
  sides: (value: unknown) => Pick<FieldChange, 'from' | 'to'>,
): FieldChange[] {
  const given = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return given.map(([path, value]) => ({ path, ...sides(value), origin }));
}
