import { resolve, type Schema } from '../../../spec/test-support/document.ts';

/** What an editor should offer at a place in a program, as the contract has it. */
export interface Question {
  /** A statement with a cursor. */
  readonly code: string;
  readonly expected: readonly string[];
}

type Field = readonly [name: string, schema: Schema];

/** Marks the place at which completions are asked for. */
export const cursor = '¦';

/** Writes a value into the code around it. */
type Wrap = (value: string) => string;

const quote = (value: unknown): string => `'${value}'`;

/** The schemas of which a value has to match one, without those that only name others. */
function listVariants(given: Schema): readonly Schema[] {
  const schema = resolve(given);
  return (schema.oneOf ?? schema.anyOf)?.flatMap(listVariants) ?? [schema];
}

/** The field whose value selects a variant, such as `action`: in each variant it has one value. */
function findSelector(variants: readonly Schema[]): string | undefined {
  const [first] = variants;
  const hasOneValue = (variant: Schema, field: string): boolean =>
    variant.properties?.[field]?.enum?.length === 1;
  return Object.keys(first?.properties ?? {}).find((field) =>
    variants.every((variant) => hasOneValue(variant, field)),
  );
}

/** Writes a value that a schema accepts, as far as types see it. */
function writeValue(given: Schema): string {
  const [schema = {}] = listVariants(given);
  if (schema.enum) return quote(schema.enum[0]);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      return `{ ${fields.map(([name, field]) => `${name}: ${writeValue(field)}`).join(', ')} }`;
    }
    case 'array':
      return `[${writeValue(schema.items ?? {})}]`;
    case 'integer':
    case 'number':
      return '1';
    case 'boolean':
      return 'true';
    case 'null':
      return 'null';
    default:
      return quote('x');
  }
}

/** Which questions are asked. */
export interface Scope {
  /** How far the call is written: up to the cursor, as somebody types it, or complete, as somebody returns to it. */
  readonly progress: 'typed' | 'complete';
  /** How many objects within each other are asked about. */
  readonly depth: number;
}

const writeFields = (fields: readonly Field[]): string =>
  fields.map(([name, field]) => `${name}: ${writeValue(field)}, `).join('');

function* askAboutObject(
  schema: Schema,
  selector: string | undefined,
  { progress, depth }: Scope,
  wrap: Wrap,
): Generator<Question> {
  const fields = Object.entries(schema.properties ?? {});
  const others = fields.filter(([name]) => name !== selector);
  for (const [index, [name, field]] of others.entries()) {
    const before = writeFields([...fields.filter(([one]) => one === selector), ...others.slice(0, index)]);
    const missing = progress === 'typed' ? others.slice(index) : others.slice(index, index + 1);
    const after = progress === 'typed' ? '' : writeFields(others.slice(index + 1));
    yield { code: wrap(`{ ${before}${cursor} ${after}}`), expected: missing.map(([one]) => one) };
    yield* askAbout(field, { progress, depth: depth - 1 }, (value) =>
      wrap(`{ ${before}${name}: ${value}, ${after}}`),
    );
  }
}

/** Lists the places in a value of a schema at which an editor knows what may follow: each text of a set, and each field. */
export function* askAbout(schema: Schema, scope: Scope, wrap: Wrap): Generator<Question> {
  const variants = listVariants(schema);
  const objects = scope.depth > 0 ? variants.filter(({ properties }) => properties !== undefined) : [];
  const selector = objects.length > 1 ? findSelector(objects) : undefined;
  if (selector !== undefined) {
    const expected = objects.map((variant) => String(variant.properties?.[selector]?.enum?.[0]));
    yield { code: wrap(`{ ${selector}: ${quote(cursor)} }`), expected };
  }
  for (const variant of objects) yield* askAboutObject(variant, selector, scope, wrap);
  for (const { enum: values, items } of variants) {
    if (values) yield { code: wrap(quote(cursor)), expected: values.map(String) };
    if (items) yield* askAbout(items, scope, (value) => wrap(`[${value}]`));
  }
}
