import { createHash } from 'node:crypto';
import type { Data } from '../server/organization.ts';
import type { Choices } from './axes.ts';

/** The size of a page of members with smaller pages, and of each gap. */
export const smallPage = 20;

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

function sort<Row>(rows: readonly Row[], { order }: Choices): Row[] {
  if (order === 'oldest') return [...rows];
  if (order === 'newest') return rows.toReversed();
  const keyed = rows.map((row) => ({ row, key: hash(row) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

/** Writes one page of rows, given in the order of creation, and what the member says of the rest. */
export function writePage(rows: readonly object[], query: Data, choices: Choices): object {
  const sorted: (object | undefined)[] = sort(rows, choices);
  // An offset also counts records that are not shown, so whole pages may be empty.
  if (choices.pages === 'gaps' && sorted.length > smallPage)
    sorted.splice(smallPage, 0, ...Array.from({ length: smallPage }, () => undefined));
  const offset = Number(query.offset ?? 0);
  const largest = choices.pages === '50' ? 50 : smallPage;
  const end = offset + Math.min(largest, Number(query.limit ?? largest));
  const isShown = (row: object | undefined): boolean => row !== undefined;
  const records = sorted.slice(offset, end).filter(isShown);
  const totals = {
    exact: rows.length,
    absent: undefined,
    'of the page': records.length,
    'of the rest': sorted.slice(offset).filter(isShown).length,
    'too high': rows.length + 500,
  };
  const limits = { exact: end < sorted.length, absent: undefined, 'always true': true };
  const total = totals[choices.total];
  const limited = limits[choices.limited];
  if (choices.list === 'data.rows') return { data: { rows: records }, meta: { total, limited } };
  return { [choices.list]: records, total, limited };
}
