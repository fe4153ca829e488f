import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { openApiDocument } from './document.ts';

/** The parts of a JSON schema that say how long or large a value may be. */
interface Bounds {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly description?: string;
}

function isObjectOrArray(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The length of a text, the size of a list or the range of a number, as a phrase; undefined without a limit. */
function describeBounds(schema: Bounds): string | undefined {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, items } = schema;
  const range = (min: number | undefined, max: number, unit: string): string =>
    `${min === undefined ? 'at most ' : `${min}–`}${max.toLocaleString('en-US')}${unit}`;
  if (maxLength !== undefined) return range(minLength, maxLength, ' characters');
  if (maxItems !== undefined) {
    const each = isObjectOrArray(items) ? describeBounds(items) : undefined;
    return `${range(minItems, maxItems, ' items')}${each === undefined ? '' : `, each ${each}`}`;
  }
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) return range(minimum, maximum, '');
  return minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? `${minimum} or more` : undefined;
}

/** Adds the limits of each property to its description, which is what an editor shows. */
function describeProperties(value: unknown): void {
  if (!isObjectOrArray(value)) return;
  if (isObjectOrArray(value.properties)) {
    for (const property of Object.values(value.properties)) {
      if (!isObjectOrArray(property)) continue;
      const schema: Bounds = property;
      // A value that may also be null has its limits in one of the variants.
      const variants: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
      const bounds = variants
        .map((variant) => (isObjectOrArray(variant) ? describeBounds(variant) : undefined))
        .find((phrase) => phrase !== undefined);
      if (bounds === undefined) continue;
      const limits = `Limits: ${bounds}.`;
      property.description = schema.description === undefined ? limits : `${schema.description} ${limits}`;
    }
  }
  for (const part of Object.values(value)) describeProperties(part);
}

/** The names of the schemas that requests are made of. */
function findInputs(document: ReturnType<typeof openApiDocument>): ReadonlySet<string> {
  const schemas: Readonly<Record<string, unknown>> = document.components?.schemas ?? {};
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (!isObjectOrArray(value)) return;
    const name = typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(schemas[name]);
    }
    for (const part of Object.values(value)) visit(part);
  };
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values(path)) if (isObjectOrArray(operation)) visit(operation.requestBody);
  return found;
}

/** Lets a field that may be left out be `undefined` too: JSON has neither, and callers often have a `maybe`. */
function allowUndefined<T extends ts.Node>(node: T): T {
  const { factory } = ts;
  const visit = (part: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(part, visit, undefined);
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    const type = factory.createUnionTypeNode([
      visited.type,
      factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
    ]);
    const { modifiers, name, questionToken } = visited;
    return factory.updatePropertySignature(visited, modifiers, name, questionToken, type);
  };
  return visit(node) as T;
}

/** The name that the SDK has for a schema: `TagInput` for `TagData`, `Tag` for `TagRecord`. */
function toTypeName(schema: string, schemas: readonly string[]): string {
  const name = schema
    .replace(/^FormDefinitionData$/, 'FormInput')
    .replace(/Data$/, 'Input')
    .replace(/Record$/, '');
  return schemas.includes(name) ? schema : name;
}

/**
 * Makes an interface of each schema that is an object. A message of the compiler names an interface, and prints all
 * fields of any other type.
 */
function nameSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  const { factory } = ts;
  const interfaces: ts.Node[] = [];
  const visit = (node: ts.Node): ts.Node => {
    if (!ts.isPropertySignature(node) || !ts.isIdentifier(node.name) || node.name.text !== 'schemas')
      return node;
    if (!node.type || !ts.isTypeLiteralNode(node.type)) return node;
    const names = node.type.members.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : ''));
    const members = node.type.members.map((schema, index) => {
      if (!ts.isPropertySignature(schema) || !schema.type || !ts.isTypeLiteralNode(schema.type))
        return schema;
      const name = toTypeName(names[index] ?? '', names);
      const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
      const declared = factory.createInterfaceDeclaration(exported, name, [], [], schema.type.members);
      interfaces.push(ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(schema)));
      return factory.createPropertySignature(
        [],
        schema.name,
        schema.questionToken,
        factory.createTypeReferenceNode(name),
      );
    });
    const { name, questionToken } = node;
    return factory.updatePropertySignature(
      node,
      [],
      name,
      questionToken,
      factory.createTypeLiteralNode(members),
    );
  };
  const named = nodes.map((node) =>
    ts.isInterfaceDeclaration(node) && node.name.text === 'components'
      ? ts.visitEachChild(node, visit, undefined)
      : node,
  );
  return [...named, ...interfaces];
}

/** The SDK's types of the contract. */
export async function sdkTypes(document: ReturnType<typeof openApiDocument>): Promise<string> {
  const inputs = findInputs(document);
  const described = structuredClone(document);
  describeProperties(described.components?.schemas);
  const ast = await openapiTS(described as Parameters<typeof openapiTS>[0], {
    // A field with a default would otherwise become required in requests.
    defaultNonNullable: false,
    postTransform: (type, { path }) =>
      inputs.has(path?.match(/^#\/components\/schemas\/(\w+)$/)?.[1] ?? '') ? allowUndefined(type) : type,
  });
  return astToString(nameSchemas(ast))
    .replaceAll('discriminator enum property added by openapi-typescript', 'Selects the variant.')
    .replace(/(\* )Format: (\S+)(\n +\* )@description (.*)/g, '$1$4$3Format: $2.')
    .replaceAll('@description ', '');
}
