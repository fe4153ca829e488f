import { dataShapes, isSameData, isSameLabel, type Shape, withComparableLabel } from '@orgchat/sdk/internal';
import { type ConfigurationResource, labelFields } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import * as z from 'zod';
import { withoutNulls } from '../../resources/equal-data.ts';
import type { Data } from '../../resources/fields.ts';
import { alignLists } from './align-lists.ts';

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
  if (isSameData(is, before)) return 'file';
  return isSameData(before, wanted) ? 'drift' : 'both';
}

/** The most important origin comes first. */
const weight: readonly Origin[] = ['both', 'drift', 'unknown', 'file'];

/** The most important origin of several fields. */
export const strongestOrigin = (origins: readonly Origin[]): Origin =>
  weight.find((one) => origins.includes(one)) ?? 'file';

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
 * Whether the file leaves a single value to the server, which may fill in its own: the contract lets it be left out, names no
 * default for it, and does not let it be null. What the file removed is not one of them.
 */
const isLeftToServer = (shape: Shape | undefined, wanted: unknown, before: Before): boolean =>
  shape?.type !== undefined &&
  shape.optional === true &&
  !shape.nullable &&
  wanted === undefined &&
  before?.value === undefined;

/**
 * Lists the fields in which organization and file differ; the base shows who changed each. A label in another Unicode form
 * is the same label.
 */
export const compare = (...given: Parameters<typeof compareAndMerge>): FieldChange[] =>
  compareAndMerge(...given).fields;

/** Compares, and merges: what only the file changed is taken from the file, everything else from the organization. */
export function compareAndMerge(
  resource: ConfigurationResource,
  actual: Data,
  wanted: Data,
  before: Data | undefined,
): { readonly fields: FieldChange[]; readonly merged: Data } {
  const prepare = (data: Data): Data => withComparableLabel(resource, data);
  const base = before && { value: prepare(before) };
  const { changes, merged } = compareValues(
    { path: '', shape: dataShapes[resource] },
    prepare(actual),
    prepare(wanted),
    base,
    undefined,
  );
  return { fields: changes, merged: withLabelAsWritten(resource, merged as Data, [wanted, actual]) };
}

/** Data with its label as one of the sides wrote it. */
function withLabelAsWritten(resource: ConfigurationResource, merged: Data, sides: readonly Data[]): Data {
  const field = labelFields[resource];
  const written = sides.find((side) => isSameLabel(side[field], String(merged[field])));
  return written === undefined ? merged : { ...merged, [field]: written[field] };
}

/** Where values are, and their shape in the contract. */
interface Place {
  readonly path: string;
  readonly shape: Shape | undefined;
}

interface Compared {
  readonly changes: FieldChange[];
  readonly merged: unknown;
}

/** Null equals a missing value, but only the side that a value is taken from knows which of them it needs. */
const strip = (value: unknown): unknown => withoutNulls(value) ?? null;

/**
 * `known` is the origin of the list around the values. It is set if items of the list moved: the base then has no value
 * at the same place.
 */
function compareValues(
  place: Place,
  from: unknown,
  to: unknown,
  before: Before,
  known: Origin | undefined,
): Compared {
  const { path, shape } = place;
  if (isSameData(from, to)) return { changes: [], merged: from === undefined ? to : from };
  if (Array.isArray(from) && Array.isArray(to)) return compareLists(place, from, to, before, known);
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    const base = before && (isObject(before.value) ? before.value : {});
    const { fields } = shape?.variants?.[String(from.type)] ?? { ...shape };
    const parts = [...names].map((name) => {
      const partBefore = base && { value: base[name] };
      const part = { path: path === '' ? name : `${path}.${name}`, shape: fields?.[name] };
      // What the organization has is not a difference, but an export takes it.
      if (isLeftToServer(part.shape, to[name], partBefore)) return { name, changes: [], merged: from[name] };
      return { name, ...compareValues(part, from[name], to[name], partBefore, known) };
    });
    const kept = parts.filter(({ merged }) => merged !== undefined);
    return {
      changes: parts.flatMap(({ changes }) => changes),
      merged: Object.fromEntries(kept.map(({ name, merged }) => [name, merged])),
    };
  }
  const base = known === undefined && before !== undefined ? { base: strip(before.value) } : {};
  const origin = known ?? findOrigin(before && strip(before.value), strip(from), strip(to));
  return {
    changes: [{ path, from: strip(from), to: strip(to), ...base, origin }],
    merged: origin === 'file' ? to : from,
  };
}

function compareLists(
  { path, shape }: Place,
  from: readonly unknown[],
  to: readonly unknown[],
  before: Before,
  known: Origin | undefined,
): Compared {
  const aligned = alignLists(from.map(withoutNulls), to.map(withoutNulls));
  const isInPlace = aligned.every((item) => item.from === item.to);
  const base = before?.value;
  const hasBase = isInPlace && Array.isArray(base) && base.length === from.length;
  // If an item was added or removed, indexes of the three lists differ. The origin is then that of the list.
  const origin = known ?? (hasBase || before === undefined ? undefined : findOrigin(strip(base), from, to));
  const items = aligned.map((item) => {
    // What is removed is named by its old place, everything else by its new one.
    const place = { path: `${path}[${item.to ?? item.from}]`, shape: shape?.item };
    const [one, other] = [valueAt(from, item.from), valueAt(to, item.to)];
    return compareValues(place, one, other, hasBase ? { value: valueAt(base, item.to) } : undefined, origin);
  });
  const side = origin === 'file' ? to : from;
  return {
    changes: items.flatMap(({ changes }) => changes),
    merged: isInPlace && origin === undefined ? items.map(({ merged }) => merged) : side,
  };
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
