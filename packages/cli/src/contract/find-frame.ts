import { findList } from '../answer-frames/describe-answers.ts';
import { findPlace, isNamed, type Place } from '../answer-frames/find-place.ts';

/* Where the parts of a list are in an answer. */

/** The parts of a list in an answer; undefined if it has no list. */
export interface Frame {
  readonly records: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** A number beside the rows, by its name; undefined if there is none. */
  readonly total: Place | undefined;
  /** True or false beside the rows. */
  readonly limited: Place | undefined;
}

const totalNames = ['total', 'totalCount', 'total_count', 'count'];
const limitedNames = ['limited', 'hasMore', 'has_more', 'more'];

function findSignal(
  answer: unknown,
  names: readonly string[],
  type: string,
  rows: string,
): Place | undefined {
  const isBeside = ({ pointer }: Place): boolean => !pointer.startsWith(`${rows}/`);
  for (const name of names) {
    const found = findPlace(
      answer,
      (place) => isNamed(place, name) && typeof place.value === type && isBeside(place),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the parts of a list. */
export function findFrame(answer: unknown): Frame | undefined {
  const list = findList(answer);
  if (list === undefined) return undefined;
  return {
    records: list.pointer,
    rows: list.value as Frame['rows'],
    total: findSignal(answer, totalNames, 'number', list.pointer),
    limited: findSignal(answer, limitedNames, 'boolean', list.pointer),
  };
}

/** The same text for each spelling of a name: `createdAt`, `created_at`. */
export const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/**
 * Returns the place of a field of a record, whatever its spelling: `createdAt`, `created_at`. The shallowest for which
 * `test` is true counts, and what is in a list belongs to its items.
 */
export const findField = (
  record: unknown,
  name: string,
  test: (place: Place) => boolean = () => true,
): Place | undefined =>
  findPlace(record, (place) => {
    const last = place.pointer.split('/').at(-1) ?? '';
    const isField = place.pointer !== '' && normalizeName(last) === normalizeName(name);
    return isField && !place.pointer.includes('/0/') && test(place);
  });

/** The order of a list by the times of its rows; undefined if they do not show one. */
export function findOrder(rows: Frame['rows']): 'newest' | 'oldest' | 'unknown' | undefined {
  const times = rows.map((row) => Date.parse(String(findField(row, 'createdAt')?.value)));
  if (times.length < 2 || times.some(Number.isNaN) || new Set(times).size < 2) return undefined;
  const steps = times.slice(1).map((time, at) => Math.sign(time - (times[at] ?? 0)));
  const [rises, falls] = [steps.includes(1), steps.includes(-1)];
  if (rises && falls) return 'unknown';
  return rises ? 'oldest' : 'newest';
}
