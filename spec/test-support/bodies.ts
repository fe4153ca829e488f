import fc from 'fast-check';
import { resolve, type Schema } from './document.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Strings that are the same before and after trimming: white space to be trimmed is a known exception. */
function words(min: number, max: number): fc.Arbitrary<string> {
  const lengths = fc.constantFrom(min, Math.min(min + 3, max), max);
  const letters = fc.constantFrom('a', 'Z', '9', '_', '-', '日', '😀', 'é');
  return fc
    .tuple(lengths, fc.array(letters, { minLength: 1, maxLength: 8 }))
    .map(([length, alphabet]) =>
      Array.from({ length }, (_, index) => alphabet[index % alphabet.length]).join(''),
    )
    .map((value) => Array.from(value).slice(0, max).join(''));
}

const patterns = new Map<string, fc.Arbitrary<string>>();

/** What no text has (D14), and a pattern of the document does not say. */
const notText = /[\0\p{Surrogate}]/u;

/** Strings of a pattern; fast-check takes a tenth of a second and more to learn one, so each is learned once. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known =
    patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern)).filter((value) => !notText.test(value));
  patterns.set(pattern, known);
  return known;
}

/** How texts and arrays are made. */
export interface Sizes {
  readonly text: (min: number, max: number) => fc.Arbitrary<string>;
  /** Whether arrays are as long as they may be now and then. */
  readonly hasLongArrays: boolean;
}

/** Values a schema of the document takes, at its limits as often as within them. */
export function valid(
  given: Schema,
  sizes: Sizes = { text: words, hasLongArrays: true },
): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return fc.oneof(...variants.map((one) => valid(one, sizes)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const { minimum = 0, maximum = 10_000 } = schema;
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
    }
    case 'array': {
      const { minItems = 0, maxItems = minItems + 3, items = {} } = schema;
      const item = valid(items, sizes);
      const short = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) });
      if (!sizes.hasLongArrays) return short;
      // The longest array repeats one item: as long as it may be, without a large value to shrink.
      return fc.oneof(
        { weight: 4, arbitrary: short },
        { weight: 1, arbitrary: item.map((value) => Array(maxItems).fill(value)) },
      );
    }
    case 'object': {
      const required = schema.required ?? [];
      const fields = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valid(field, sizes)])), {
        requiredKeys: [...required],
        noNullPrototype: true,
      });
    }
    case 'string':
      // The words below are never blank.
      if (schema.pattern !== undefined && schema.pattern !== '\\S') return matching(schema.pattern);
      return sizes.text(schema.minLength ?? 0, schema.maxLength ?? 20);
    default:
      return fc.constantFrom(null, 1, 'x');
  }
}

/** Every place in a value, the whole of it first. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.keys(value).flatMap((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return places((value as Record<string, unknown>)[key], [...path, step]);
  });
  return [path, ...inner];
}

function replaceAt(
  value: unknown,
  path: readonly (string | number)[],
  change: (old: unknown) => unknown,
): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (index === head ? replaceAt(item, rest, change) : item));
  const object = value as Record<string, unknown>;
  const next = replaceAt(object[head], rest, change);
  const { [head]: _, ...others } = object;
  return next === undefined ? others : { ...object, [head]: next };
}

const wrongValues: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  525_601,
  20,
  '',
  ' \t\u3000',
  'x',
  'x'.repeat(5001),
  'X-1',
  '{link:x}',
  '2026-01-01',
  [],
  [null],
  {},
  { type: 'text' },
];

/** One thing done to a body: a value replaced or left out, a field added, an item too many or too few. */
export function mutated(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const step = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('replace', 'add', 'repeat', 'lengthen'));
  return fc.tuple(body, fc.array(step, { minLength: 1, maxLength: 2 })).map(([value, steps]) =>
    steps.reduce<unknown>((current, [where, what, kind]) => {
      const all = places(current);
      const path = all[where % all.length] ?? [];
      return replaceAt(current, path, (old) => {
        if (kind === 'add' && typeof old === 'object' && old !== null && !Array.isArray(old))
          return { ...old, extra: 1 };
        if (kind === 'repeat' && Array.isArray(old)) return [...old, ...old];
        if (kind === 'lengthen' && typeof old === 'string') return old + (what % 2 === 0 ? 'x' : '0😀');
        return wrongValues[what % wrongValues.length];
      });
    }, value),
  );
}
