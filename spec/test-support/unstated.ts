import type { OpenApiDocument, Schema } from './document.ts';

/*
 * Finds what the schemas say and the text of the contract does not: fields, values of fields, and limits. The text is
 * looked at where a reader looks: in the rows of the section about the shape, and in the sections that they refer to.
 */

/** The shapes that a section of the text states. A shape in one that has no section of its own belongs to its section. */
export const sectionsOfShapes: Readonly<Record<string, string>> = {
  Account: '4.1',
  AddKeywordsInput: '4.2',
  AddKeywordsResult: '4.2',
  ChatReadInput: '4.3',
  ChangeChatInput: '4.4',
  ChangeChatResult: '4.4',
  StudioReadInput: '4.5',
  StudioProject: '4.5',
  StudioDocumentSummary: '4.5',
  StudioDocument: '4.5',
  TagData: '5.1',
  TemplateData: '5.2',
  AutoReplyData: '5.3',
  ScenarioData: '5.4',
  FormDefinitionData: '5.5',
  RichMenuData: '5.6',
  LinkData: '5.7',
  RouteData: '5.8',
  BroadcastData: '5.9',
  FriendData: '5.10',
  MessageBlock: '5.11',
};

/** The text says that it is not shown: decisions describe it (D65). */
const notShown: readonly string[] = ['ChangeResult'];

/** A section of the text, from its heading to the next one. */
function readSection(text: string, number: string): string {
  const [, section = ''] = text.split(new RegExp(`^### ${number.replaceAll('.', '\\.')} `, 'm'));
  return section.split(/^##/m)[0] ?? '';
}

const quotes = (text: string, value: unknown): boolean => text.includes(`\`${value}\``);

/** The rows of a section about a field, alone or in a path such as `areas[].icon`. */
const rowsAbout = (rows: readonly string[], field: string): string[] =>
  rows.filter((row) =>
    Array.from(row.matchAll(/`([\w.[\]]+)`/g), ([, path = '']) => path.split(/[.[\]]+/))
      .flat()
      .includes(field),
  );

/** The numbers that bound a value. One that every value keeps to says nothing. */
function listBounds(schema: Schema): number[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const bounds = [minLength, maxLength, minItems, maxItems, minimum, maximum];
  return bounds.filter(
    (bound) => bound !== undefined && bound > 0 && bound !== Number.MAX_SAFE_INTEGER,
  ) as number[];
}

const isStated = (text: string, number: number): boolean =>
  new RegExp(`(?<![\\d.])${number}(?![\\d.]*\\d)`).test(text) ||
  (number === 1 && text.includes('more than 0'));

/** The schemas that a value of this one may have, without references. */
function listVariants(
  schema: Schema,
  { components }: OpenApiDocument,
): [name: string | undefined, schema: Schema][] {
  const { $ref, oneOf, anyOf } = schema;
  const inner = oneOf ?? anyOf;
  if (inner) return inner.flatMap((one) => listVariants(one, { components } as OpenApiDocument));
  if ($ref === undefined) return [[undefined, schema]];
  const name = $ref.replace('#/components/schemas/', '');
  if (notShown.includes(name)) return [];
  const target = components.schemas[name] ?? {};
  const isUnion = (target.oneOf ?? target.anyOf) !== undefined;
  if (isUnion && sectionsOfShapes[name] === undefined)
    return listVariants(target, { components } as OpenApiDocument);
  return [[name, target]];
}

/** Describes each field, value and limit of the schemas that the text does not state. */
export function findUnstated(document: OpenApiDocument, text: string): string[] {
  const found: string[] = [];

  function checkShape(name: string, schema: Schema, section: string): void {
    for (const variant of schema.oneOf ?? schema.anyOf ?? [])
      for (const [inner, one] of listVariants(variant, document)) checkShape(inner ?? name, one, section);
    const content = readSection(text, section);
    const rows = content.split('\n').filter((line) => line.startsWith('|'));
    const properties = Object.entries(schema.properties ?? {});
    // What selects the shape in a table of variants: the value of a field that has only one, or its name.
    const selectors = [name, ...properties.flatMap(([, one]) => (one.enum?.length === 1 ? one.enum : []))];
    const own = rows.filter((row) => selectors.some((selector) => quotes(row.split('|')[2] ?? '', selector)));
    for (const [field, given] of properties) {
      const path = `${name}.${field}`;
      if (given.enum?.length === 1) {
        if (!quotes(content, given.enum[0]))
          found.push(`${path}: section ${section} has no \`${given.enum[0]}\``);
        continue;
      }
      if (rowsAbout(own.length > 0 ? own : rows, field).length === 0)
        found.push(`${path}: section ${section} has no row about it`);
      else checkValue(path, given, rowsAbout(rows, field).join('\n'), section);
    }
  }

  function checkValue(path: string, given: Schema, about: string, section: string): void {
    const referred = Array.from(about.matchAll(/(?<!\*)\b5\.\d+\b(?!\.)/g), ([number]) =>
      readSection(text, number),
    );
    const said = [about, ...referred].join('\n');
    for (const [name, schema] of listVariants(given, document)) {
      const where = name === undefined ? undefined : sectionsOfShapes[name];
      if (schema.properties || schema.oneOf) {
        // A shape with a section of its own is checked there.
        if (where === undefined) checkShape(name ?? path, schema, section);
        continue;
      }
      for (const value of schema.enum ?? [])
        if (value !== null && !quotes(said, value))
          found.push(`${path}: its row does not have the value \`${value}\``);
      for (const bound of listBounds(schema))
        if (!isStated(said, bound)) found.push(`${path}: its row does not have the limit ${bound}`);
      if (schema.items) checkValue(path, schema.items, about, section);
    }
  }

  for (const [name, section] of Object.entries(sectionsOfShapes))
    checkShape(name, document.components.schemas[name] ?? {}, section);
  return [...new Set(found)];
}
