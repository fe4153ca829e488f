import { isObject } from '@orgchat/spec/is-object';
import { diffArrays } from 'diff';

/** An item of two lists: in both if it has two indexes, otherwise in one. */
export interface AlignedItem {
  readonly from?: number;
  readonly to?: number;
}

/** JSON with sorted keys, so that equal items are equal texts. */
function toSortedJson(item: unknown): string {
  return JSON.stringify(item, (_key, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

/** The share of fields that two items have in common; 0 for items without fields. */
function similarity(one: unknown, other: unknown): number {
  if (!isObject(one) || !isObject(other)) return 0;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const equal = [...names].filter(
    (name) => toSortedJson(one[name] ?? null) === toSortedJson(other[name] ?? null),
  );
  return equal.length / Math.max(names.size, 1);
}

/**
 * Aligns equal and similar items of two lists. An item that was removed from the middle of a list is then one
 * difference, not one per following item.
 */
export function alignLists(from: readonly unknown[], to: readonly unknown[]): AlignedItem[] {
  const aligned: AlignedItem[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  let [before, after] = [0, 0];
  const endRun = (): void => {
    aligned.push(...pairRun(from, to, removed, added));
    [removed, added] = [[], []];
  };
  for (const part of diffArrays(from.map(toSortedJson), to.map(toSortedJson))) {
    for (const _ of part.value) {
      if (part.removed) removed.push(before++);
      else if (part.added) added.push(after++);
      else {
        endRun();
        aligned.push({ from: before++, to: after++ });
      }
    }
  }
  endRun();
  return aligned;
}

/** Pairs similar items at the same place of two lists, in order. */
function pairRun(
  from: readonly unknown[],
  to: readonly unknown[],
  removed: readonly number[],
  added: readonly number[],
): AlignedItem[] {
  if (removed.length === added.length)
    return removed.map((item, index) => ({ from: item, to: added[index] ?? 0 }));
  const pairs: AlignedItem[] = [];
  const rest = [...removed];
  for (const item of added) {
    const likely = rest.map((one) => similarity(from[one], to[item]));
    const best = likely.indexOf(Math.max(...likely));
    if (best === -1 || (likely[best] ?? 0) < 0.5) {
      pairs.push({ to: item });
      continue;
    }
    const [partner] = rest.splice(best, 1);
    // In order: skipped items are removed.
    for (const passed of rest.splice(0, best)) pairs.push({ from: passed });
    pairs.push({ from: partner ?? 0, to: item });
  }
  return [...pairs, ...rest.map((item) => ({ from: item }))];
}
