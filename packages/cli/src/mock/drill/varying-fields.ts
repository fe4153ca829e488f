import type { Item } from './snapshot.ts';

/**
 * How a field is compared: by its value; by its words if it has some that are the same in every run; or not at all. For
 * words, this is the set of those that are the same.
 */
type Precision = 'value' | ReadonlySet<string> | 'none';

const word = /[\p{L}\p{N}]+/gu;
const hasDigit = /\p{N}/u;

/** A text without the words that vary: `order-7f3a9c` becomes `order-#`. A word with digits in it may always vary. */
const toShape = (text: string, stable: ReadonlySet<string>): string =>
  text.replaceAll(word, (found) => (stable.has(found) ? found : '#'));

/**
 * Compares the items of runs. Two clean runs show which fields a client fills at random or with the time: those are
 * compared by the words that both runs have, or not at all if that does not make the runs equal.
 */
export class ItemComparer {
  readonly #precisions = new Map<string, Precision>();

  constructor(one: readonly Item[], other: readonly Item[]) {
    const first = collectValues(one);
    const second = collectValues(other);
    for (const field of new Set([...first.keys(), ...second.keys()])) {
      this.#precisions.set(field, choosePrecision(first.get(field) ?? [], second.get(field) ?? []));
    }
  }

  /** A text that is the same for items that count as the same. */
  toKey({ kind, fields }: Item): string {
    const shown = [...fields].flatMap(([path, value]) => {
      const precision = this.#precisions.get(toField(kind, path)) ?? 'value';
      if (precision === 'none') return [];
      return [[path, precision === 'value' ? value : toShape(value, precision)]];
    });
    return JSON.stringify([kind, shown.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))]);
  }
}

const toField = (kind: string, path: string): string => `${kind} ${path}`;

/** The values of each field, by kind and path. */
function collectValues(items: readonly Item[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { kind, fields } of items) {
    for (const [path, value] of fields) {
      const field = toField(kind, path);
      const list = values.get(field);
      if (list === undefined) values.set(field, [value]);
      else list.push(value);
    }
  }
  return values;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

function choosePrecision(one: readonly string[], other: readonly string[]): Precision {
  if (isSame(one, other)) return 'value';
  const others = new Set(listWords(other));
  const stable = new Set(listWords(one).filter((found) => others.has(found) && !hasDigit.test(found)));
  const shapes = [one, other].map((values) => values.map((value) => toShape(value, stable)));
  return isSame(shapes[0] ?? [], shapes[1] ?? []) ? stable : 'none';
}

const listWords = (values: readonly string[]): string[] => values.flatMap((value) => value.match(word) ?? []);
