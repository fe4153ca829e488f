import { type ApiDocument, getName, type Schema } from './openapi.ts';
import { toInlineCode, toMarkdown, toTable } from './page.ts';

/** What follows the name of a field that a value must have, on the same line. */
const requiredMark = '\u00a0<small>required</small>';

/** A link to the description of a schema, by its name. */
export type LinkSchema = (name: string) => string;

const quote = (value: unknown): string =>
  toInlineCode(typeof value === 'string' ? value : JSON.stringify(value));

/** Formats whose pattern says nothing more. */
const formats: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'date-time' };

/** The bounds of an integer without any. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Number.isSafeInteger(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function toRange(least: number | undefined, most: number | undefined, unit: string): string[] {
  const suffix = unit === '' ? '' : ` ${unit}${most === 1 ? '' : 's'}`;
  if (least !== undefined && most !== undefined)
    return [least === most ? `${least}${suffix}` : `${least} to ${most}${suffix}`];
  if (most !== undefined) return [`at most ${most}${suffix}`];
  return least === undefined ? [] : [`at least ${least}${least === 1 ? suffix.replace(/s$/, '') : suffix}`];
}

function listLimits(schema: Schema): string[] {
  const { pattern, format, minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } =
    schema;
  return [
    ...toRange(minLength, maxLength, 'character'),
    ...toRange(minItems, maxItems, 'item'),
    ...toRange(isBound(minimum) ? minimum : undefined, isBound(maximum) ? maximum : undefined, ''),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(pattern === undefined || (format !== undefined && format in formats) || pattern === '\\S'
      ? []
      : [`pattern ${toInlineCode(pattern)}`]),
    ...(pattern === '\\S' ? ['not blank'] : []),
    ...('default' in schema ? [`default ${quote(schema.default)}`] : []),
  ];
}

/** The type of a value in words, with links to the schemas it uses, and its limits. */
export function describeType(schema: Schema, link: LinkSchema): string {
  const name = getName(schema);
  if (name !== undefined) return link(name);
  const { type, items, additionalProperties, format = '' } = schema;
  const variants = schema.oneOf ?? schema.anyOf;
  const words = (): string => {
    if (variants !== undefined) return variants.map((variant) => describeType(variant, link)).join(' or ');
    if (schema.enum !== undefined) return schema.enum.map(quote).join(', ');
    if (items !== undefined) return `array of ${describeType(items, link)}`;
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
      return `object of ${describeType(additionalProperties, link)}`;
    return formats[format] ?? (typeof type === 'object' ? type.join(' or ') : type) ?? 'any value';
  };
  return [words(), ...listLimits(schema)].join(', ');
}

interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** What it means, if its schema does not say it. */
  readonly description?: string;
  /** The variants that it is of, if others have a field of the same name. */
  readonly of?: readonly string[];
}

interface InlineObject {
  readonly object: Schema;
  /** What follows the path of the value. */
  readonly suffix: string;
}

/** The objects in a value whose fields are shown with it: the value itself, what it may be, or its items. */
function listInlineObjects(schema: Schema): InlineObject[] {
  if (schema.properties !== undefined) return [{ object: schema, suffix: '' }];
  if (schema.items !== undefined)
    return listInlineObjects(schema.items).map(({ object, suffix }) => ({ object, suffix: `[]${suffix}` }));
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(listInlineObjects);
}

/** The fields of an object, those of objects in it with their path. */
const listFields = ({ properties = {}, required = [] }: Schema, prefix = ''): Field[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    return [
      { path, schema, isRequired: required.includes(name) },
      ...listInlineObjects(schema).flatMap(({ object, suffix }) => listFields(object, `${path}${suffix}.`)),
    ];
  });

/** A table of fields. */
const toFieldTable = (document: ApiDocument, fields: readonly Field[], link: LinkSchema): string =>
  toTable(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ path, schema: field, isRequired, description, of = [] }) => [
      `\`${path}\`${isRequired ? requiredMark : ''}${of.length === 0 ? '' : ` of ${of.join(', ')}`}`,
      describeType(field, link),
      toMarkdown(description ?? field.description ?? document.resolve(field).description ?? ''),
    ]),
  );

/** The field that selects a variant: it has another single value in each of them. */
export function findSelector(document: ApiDocument, { oneOf, anyOf }: Schema): string | undefined {
  const variants = (oneOf ?? anyOf ?? []).map((variant) => document.resolve(variant));
  const listValues = (name: string): unknown[] =>
    variants.flatMap(({ properties }) => {
      const { enum: values = [] } = properties?.[name] ?? {};
      return values.length === 1 ? values : [];
    });
  return Object.keys(variants[0]?.properties ?? {}).find(
    (name) => variants.length > 1 && new Set(listValues(name)).size === variants.length,
  );
}

/** A field of several variants, with the values that select them. */
interface SharedField extends Field {
  readonly values: readonly string[];
}

/** One row for those that differ only in their first cell. */
function mergeRows(rows: readonly (readonly string[])[]): string[][] {
  const merged = new Map<string, string[]>();
  for (const [first = '', ...cells] of rows) {
    const key = cells.join('|');
    const before = merged.get(key)?.[0];
    merged.set(key, [before === undefined ? first : `${before}, ${first}`, ...cells]);
  }
  return [...merged.values()];
}

/** Variants of an object: what selects each, which fields it has besides those of all, and the fields. */
function describeVariants(
  document: ApiDocument,
  variants: readonly Schema[],
  selector: string,
  link: LinkSchema,
): string[] {
  const rows = variants.map((variant) => ({
    variant,
    fields: listFields(variant).filter(({ path }) => path !== selector && !path.startsWith(`${selector}.`)),
  }));
  const isCommon = ({ path }: Field): boolean =>
    rows.every(({ fields }) => fields.some((field) => field.path === path));
  // Each variant has another schema for such a field.
  const isVarying = ({ path, schema }: Field): boolean =>
    schema.$ref !== undefined &&
    rows.some(({ fields }) =>
      fields.some((field) => field.path === path && field.schema.$ref !== schema.$ref),
    );
  const name = (field: Field): string => {
    const required = field.isRequired ? requiredMark : '';
    return `\`${field.path}\`${required}${isVarying(field) ? `: ${describeType(field.schema, link)}` : ''}`;
  };
  const own = rows.map(({ fields }) =>
    fields.filter((field) => !field.path.includes('.') && (!isCommon(field) || isVarying(field))),
  );
  const hasOwn = own.some((fields) => fields.length > 0);
  const getValue = (variant: Schema): string => `\`${variant.properties?.[selector]?.enum?.[0]}\``;
  const seen = new Map<string, SharedField>();
  for (const { variant, fields } of rows)
    for (const field of fields.filter((one) => !isVarying(one))) {
      const key = JSON.stringify([field.path, field.schema]);
      const values = [...(seen.get(key)?.values ?? []), getValue(variant)];
      seen.set(key, { ...field, isRequired: field.isRequired && isCommon(field), values });
    }
  const shared = [...seen.values()];
  const isAmbiguous = ({ path }: Field): boolean => shared.filter((other) => other.path === path).length > 1;
  const choice: SharedField = {
    path: selector,
    schema: { type: 'string' },
    isRequired: true,
    description: 'Selects a row above.',
    values: [],
  };
  return [
    `**${selector.charAt(0).toUpperCase()}${selector.slice(1)}s**`,
    toTable(
      [`\`${selector}\``, ...(hasOwn ? ['Fields'] : []), 'Meaning'],
      mergeRows(
        rows.map(({ variant }, index) => [
          getValue(variant),
          ...(hasOwn ? [own[index]!.map(name).join(', ') || 'none'] : []),
          toMarkdown(variant.description ?? ''),
        ]),
      ),
    ),
    '**Fields**',
    toFieldTable(
      document,
      // A field with another meaning in some variants says in which, unless it is that of most.
      [choice, ...shared].map((field) => ({
        ...field,
        ...(isAmbiguous(field) && field.values.length < 3 && { of: field.values }),
      })),
      link,
    ),
  ];
}

/** What a value has: fields, variants, or its type. */
export function describeSchema(document: ApiDocument, schema: Schema, link: LinkSchema): string[] {
  if (schema.properties !== undefined) return [toFieldTable(document, listFields(schema), link)];
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants === undefined) return [`Type: ${describeType(schema, link)}`];
  const selector = findSelector(document, schema);
  if (selector !== undefined)
    return describeVariants(
      document,
      variants.map((variant) => document.resolve(variant)),
      selector,
      link,
    );
  return [`One of:\n\n${variants.map((variant) => `- ${describeType(variant, link)}`).join('\n')}`];
}
