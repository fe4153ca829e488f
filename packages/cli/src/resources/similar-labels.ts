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
