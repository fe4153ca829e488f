import { document, type Schema } from './document.ts';

/** A value with one mistake. */
export interface Typo {
  /** Where the mistake is, and what it is: `steps.0.text: a number`. */
  readonly what: string;
  readonly value: unknown;
}

/** The fields of the document that take one of a few values, such as `color`. */
const enumerated = new Set(Object.values(document.components.schemas).flatMap(listEnumerated));

function listEnumerated(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.enum === undefined ? [] : [name]),
    ...listEnumerated(field),
  ]);
  return schema.items === undefined ? own : [...own, ...listEnumerated(schema.items)];
}

/** A value of another type than the given one, and no field is of that type or of this one. */
function toWrongType(value: unknown): unknown {
  if (value === null) return {};
  return typeof value === 'string' ? 42 : String(value);
}

/**
 * Plants every typo: a letter too many in each key and in each value that is one of a few, and a value of another type, at
 * every depth.
 */
export function plantTypos(value: unknown, path: readonly string[] = []): Typo[] {
  const field = path.at(-1) ?? '';
  const at = path.join('.');
  const wrongType = { what: `${at}: ${JSON.stringify(toWrongType(value))}`, value: toWrongType(value) };
  if (typeof value === 'string' && enumerated.has(field))
    return [wrongType, { what: `${at}: ${value}x`, value: `${value}x` }];
  if (typeof value !== 'object' || value === null) return [wrongType];
  const inner = Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
    plantTypos(part, [...path, key]).map(({ what, value: wrong }) => ({
      what,
      value: Array.isArray(value) ? value.with(Number(key), wrong) : { ...value, [key]: wrong },
    })),
  );
  if (Array.isArray(value)) return [wrongType, ...inner];
  const misspelled = Object.entries(value).map(([key, part]: [string, unknown]) => {
    const { [key]: _, ...others } = value as Record<string, unknown>;
    return { what: `${[...path, `${key}x`].join('.')}`, value: { ...others, [`${key}x`]: part } };
  });
  return [wrongType, ...misspelled, ...inner];
}
