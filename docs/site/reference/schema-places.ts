import { type ApiDocument, type Endpoint, getName, type Schema } from './openapi.ts';
import { findSelector } from './schema-text.ts';

/** Whether a schema of answers differs from that of requests only in that answers may have more fields. */
function findTwin(document: ApiDocument, name: string): string | undefined {
  const base = name.replace(/Output$/, '');
  const { [name]: own, [base]: other } = document.content.components.schemas;
  if (base === name || other === undefined) return undefined;
  const normalize = (schema: Schema | undefined): string =>
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'additionalProperties') return undefined;
      return key === '$ref' ? String(value).replace(/Output$/, '') : value;
    });
  return normalize(own) === normalize(other) ? base : undefined;
}

/** The schemas that a schema uses, itself included, each before those that it uses. */
function collect(document: ApiDocument, schema: unknown, found: Set<string>): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  const name = getName(schema);
  if (name !== undefined) {
    const own = findTwin(document, name) ?? name;
    if (found.has(own)) return found;
    found.add(own);
    return collect(document, document.getSchema(own), found);
  }
  for (const inner of Object.values(schema)) collect(document, inner, found);
  return found;
}

export const getRequestSchema = ({ operation }: Endpoint): Schema | undefined =>
  operation.requestBody?.content?.['application/json']?.schema;

export const getAnswerSchemas = (document: ApiDocument, { operation }: Endpoint): Schema[] =>
  document
    .getAnswers(operation)
    .flatMap(([status, { content }]) =>
      status.startsWith('2') && content !== undefined ? Object.values(content) : [],
    )
    .map(({ schema }) => schema);

/** Where each schema of a document is described. */
export class SchemaPlaces {
  /** The schemas that have a place on the pages of objects. */
  readonly inRequests: readonly string[];
  readonly inAnswers: readonly string[];
  private readonly addresses = new Map<string, string>();

  constructor(
    private readonly document: ApiDocument,
    base: string,
    findOperation: (endpoint: Endpoint) => string,
  ) {
    for (const endpoint of document.endpoints) {
      const address = findOperation(endpoint);
      this.place(getRequestSchema(endpoint), `${address}-request`);
      for (const schema of getAnswerSchemas(document, endpoint)) this.place(schema, `${address}-answer`);
    }
    this.inRequests = this.placeObjects(
      document.endpoints.map((endpoint) => getRequestSchema(endpoint)),
      `${base}objects-in-requests`,
    );
    this.inAnswers = this.placeObjects(
      document.endpoints.map(({ operation }) => document.getAnswers(operation)),
      `${base}objects-in-answers`,
    );
  }

  readonly link = (name: string): string => {
    const own = findTwin(this.document, name) ?? name;
    const address = this.addresses.get(own);
    if (address === undefined) throw new Error(`${this.document.file}.yaml: ${own} has no place.`);
    return `[${own}](${address})`;
  };

  /** Gives a schema its place, and with it the variants that are shown there. */
  private place(schema: Schema | undefined, address: string): void {
    const name = schema && getName(schema);
    if (schema === undefined || name === undefined || this.addresses.has(name)) return;
    this.addresses.set(name, address);
    const own = this.document.getSchema(name);
    if (findSelector(this.document, own) === undefined) return;
    for (const variant of own.oneOf ?? own.anyOf ?? []) this.place(variant, address);
  }

  private placeObjects(roots: readonly unknown[], page: string): string[] {
    const names: string[] = [];
    for (const name of collect(this.document, roots, new Set())) {
      if (this.addresses.has(name)) continue;
      names.push(name);
      this.place({ $ref: name }, `${page}#${name}`);
    }
    return names;
  }
}
