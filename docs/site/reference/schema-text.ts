import { type ApiDocument, getName, type Parameter, type Schema } from './openapi.ts';
import { toInlineCode, toMarkdown, toTable } from './page.ts';

/** A link to the description of a schema, by its name. */
export type LinkSchema = (name: string) => string;

/** What a description needs to know. */
export interface Context {
  readonly document: ApiDocument;
  readonly link: LinkSchema;
  /** Which fields have a mark: a request needs some, and an answer may lack some. */
  readonly marks: 'required' | 'optional';
}

/** What follows the name of a field, on the same line. */
const mark = ({ marks }: Context, isRequired: boolean): string =>
  isRequired === (marks === 'required') ? `\u00a0<small>${marks}</small>` : '';

const quote = (value: unknown): string =>
  toInlineCode(typeof value === 'string' ? value : JSON.stringify(value));

/** Formats whose pattern says nothing more. */
const formats: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'date-time' };

/** The bounds of an integer without any. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Number.isSafeInteger(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function toRange(least: number | undefined, most: number | undefined, unit: string): string[] {
  const suffix = unit === '' ? '' : ` ${unit}${most === 1 ? '' : 's'}`;
  const format = (count: number): string => count.toLocaleString('en');
  if (least !== undefined && most !== undefined)
    return [least === most ? `${format(least)}${suffix}` : `${format(least)} to ${format(most)}${suffix}`];
  if (most !== undefined) return [`at most ${format(most)}${suffix}`];
  return least === undefined
    ? []
    : [`at least ${format(least)}${least === 1 ? suffix.replace(/s$/, '') : suffix}`];
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
function describeType(schema: Schema, link: LinkSchema): string {
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

export interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** What it means as Markdown, if its schema does not say it. */
  readonly description?: string;
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

/** A table of fields, without meanings if no field has one. */
export function toFieldTable(context: Context, fields: readonly Field[]): string {
  const meanings = fields.map(
    ({ schema, description }) =>
      description ?? toMarkdown(schema.description ?? context.document.resolve(schema).description ?? ''),
  );
  const hasMeaning = meanings.some((meaning) => meaning !== '');
  return toTable(
    ['Field', 'Type', ...(hasMeaning ? ['Meaning'] : [])],
    fields.map(({ path, schema, isRequired }, index) => [
      `\`${path}\`${mark(context, isRequired)}`,
      describeType(schema, context.link),
      ...(hasMeaning ? [meanings[index]!] : []),
    ]),
  );
}

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

export interface Variant {
  readonly value: string;
  readonly meaning: string;
  /** Its fields, without those of all variants. */
  readonly fields: readonly Field[];
}

/** Whether a field leads to another schema than the field of the same name of another variant. */
export const isVarying = ({ path, schema }: Field, variants: readonly Variant[]): boolean =>
  schema.$ref !== undefined &&
  variants.some(({ fields }) =>
    fields.some((field) => field.path === path && field.schema.$ref !== schema.$ref),
  );

/** Variants that have the same fields. */
function groupVariants(variants: readonly Variant[]): Variant[][] {
  const groups = new Map<string, Variant[]>();
  for (const variant of variants) {
    const fields = variant.fields.map((field) => (isVarying(field, variants) ? field.path : field));
    const key = JSON.stringify(fields);
    groups.set(key, [...(groups.get(key) ?? []), variant]);
  }
  return [...groups.values()];
}

/** Variants with the same fields: their values, what they mean, and the fields. */
function describeGroup(context: Context, selector: string, group: readonly Variant[]): string[] {
  const [{ fields, meaning }] = group as [Variant, ...Variant[]];
  const varying = fields.filter((field) => isVarying(field, group));
  const table = toFieldTable(
    context,
    fields.filter((field) => !varying.includes(field)),
  );
  const values = group.map(({ value }) => value);
  const toHead = (title: string, text: string): string =>
    text === '' ? `**${title}**` : `**${title}**<br>\n${text}`;
  if (varying.length === 0 && group.every((variant) => variant.meaning === meaning))
    return [
      toHead(values.join(', '), `${meaning}${fields.length === 0 ? ' No other fields.' : ''}`.trim()),
      table,
    ];
  const needs = varying.map(
    ({ path, isRequired }) => `Each ${isRequired ? 'needs' : 'has'} its own \`${path}\`.`,
  );
  const findType = (variant: Variant, path: string): string =>
    describeType(variant.fields.find((field) => field.path === path)?.schema ?? {}, context.link);
  return [
    ...(fields.length === 0 ? [] : [toHead(`${values[0]} to ${values.at(-1)}`, needs.join(' ')), table]),
    toTable(
      [`\`${selector}\``, ...varying.map(({ path }) => `\`${path}\``), 'Meaning'],
      group.map((variant) => [
        variant.value,
        ...varying.map(({ path }) => findType(variant, path)),
        variant.meaning,
      ]),
    ),
  ];
}

/** The variants that a selector selects, in groups with the same fields, and the fields that all of them have. */
export function readVariants(
  document: ApiDocument,
  { oneOf, anyOf }: Schema,
  selector: string,
): { readonly shared: readonly Field[]; readonly groups: readonly (readonly Variant[])[] } {
  const variants = (oneOf ?? anyOf ?? []).map((variant) => document.resolve(variant));
  const all = variants.map((variant) =>
    listFields(variant).filter(({ path }) => path !== selector && !path.startsWith(`${selector}.`)),
  );
  const toKey = (field: Field): string => JSON.stringify([field.path, field.isRequired, field.schema]);
  const isShared = (field: Field): boolean =>
    all.every((fields) => fields.some((other) => toKey(other) === toKey(field)));
  const rows = variants.map(
    (variant, index): Variant => ({
      value: `\`${variant.properties?.[selector]?.enum?.[0]}\``,
      meaning: toMarkdown(variant.description ?? ''),
      fields: all[index]!.filter((field) => !isShared(field)),
    }),
  );
  return { shared: all[0]!.filter(isShared), groups: groupVariants(rows) };
}

/** Variants of an object: the fields of all of them, then each variant with those that only it has. */
function describeVariants(context: Context, schema: Schema, selector: string): string[] {
  const { shared, groups } = readVariants(context.document, schema, selector);
  const choice: Field = {
    path: selector,
    schema: { type: 'string' },
    isRequired: true,
    description: 'One of the values below, which decides the other fields.',
  };
  return [
    toFieldTable(context, [choice, ...shared]),
    ...groups.flatMap((group) => describeGroup(context, selector, group)),
  ];
}

/** What a value has: fields, variants, or its type. */
export function describeSchema(context: Context, schema: Schema): string[] {
  const { document, link } = context;
  if (schema.properties !== undefined) return [toFieldTable(context, listFields(schema))];
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants === undefined) return [`Type: ${describeType(schema, link)}`];
  const selector = findSelector(document, schema);
  if (selector !== undefined) return describeVariants(context, schema, selector);
  return [`One of:\n\n${variants.map((variant) => `- ${describeType(variant, link)}`).join('\n')}`];
}

/** A table of the parameters of a request. */
export function describeParameters(parameters: readonly Parameter[], link: LinkSchema): string {
  return toTable(
    ['Parameter', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required = false, schema, description = '' }) => [
      `\`${name}\`\u00a0<small>${place}${required ? ',\u00a0required' : ''}</small>`,
      describeType(schema, link),
      toMarkdown(description),
    ]),
  );
}
