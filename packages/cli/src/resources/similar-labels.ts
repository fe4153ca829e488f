import { isSameLabel } from '@orgchat/sdk/internal';

/** A label as people see it: without regard to letter case, width, white space and characters that are not visible. */
const toVisibleLabel = (label: string): string =>
  label
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

/** Whether two labels are different, but hard to distinguish. */
export const isSimilarLabel = (one: string, other: string): boolean =>
  !isSameLabel(one, other) && toVisibleLabel(one) === toVisibleLabel(other);

/** Finds a record whose label is different, but hard to distinguish. Each label is converted once, whatever the number of records. */
export function createSimilarFinder<T extends { readonly label: string }>(
  records: readonly T[],
): (label: string) => T | undefined {
  const byLabel = new Map<string, T[]>();
  for (const record of records) {
    const visible = toVisibleLabel(record.label);
    const same = byLabel.get(visible);
    if (same === undefined) byLabel.set(visible, [record]);
    else if (!same.some(({ label }) => isSameLabel(label, record.label))) same.push(record);
  }
  return (label) => byLabel.get(toVisibleLabel(label))?.find((one) => !isSameLabel(one.label, label));
}
