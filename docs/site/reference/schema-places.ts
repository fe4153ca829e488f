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

/** Where an endpoint is described: on a page of its own, or in the section of a page whose anchor is given. */
export interface EndpointPlace {
  readonly page: string;
  readonly anchor?: string;
}

/** The name of the page of an endpoint: its group, and the end of its path if it is not the first of the group. */
function toPageName({ endpoints }: ApiDocument, { path, operation }: Endpoint): string {
  const [group = ''] = operation.tags;
  const first = endpoints.find((other) => other.operation.tags.includes(group));
  const end = first?.operation === operation ? '' : `-${path.slice(path.lastIndexOf('/') + 1)}`;
  return `${group.toLowerCase()}${end}`;
}

/** Where an endpoint of a document is described. */
export function placeEndpoint(
  document: ApiDocument,
  { base, hasOwnPages }: { readonly base: string; readonly hasOwnPages: boolean },
  endpoint: Endpoint,
): EndpointPlace {
  const { operationId: anchor, tags } = endpoint.operation;
  if (!hasOwnPages) return { page: `${base}${tags[0]?.toLowerCase()}`, anchor };
  return { page: `${base}${toPageName(document, endpoint)}` };
}

/** The anchor of a part of the description of an endpoint. */
export const toPart = ({ anchor }: EndpointPlace, part: string): string =>
  anchor === undefined ? part : `${anchor}-${part}`;

/** What a body, or a field of it whose name is given, may be, if one of its fields selects the others. */
export function findChoice(
  document: ApiDocument,
  body: Schema,
): { readonly schema: Schema; readonly field?: string } | undefined {
  const isChoice = (schema: Schema): boolean =>
    findSelector(document, document.resolve(schema)) !== undefined;
  if (isChoice(body)) return { schema: body };
  const found = Object.entries(document.resolve(body).properties ?? {}).find(([, schema]) =>
    isChoice(schema),
  );
  return found && { field: found[0], schema: found[1] };
}

/** The schemas that the page of an endpoint shows in sections of their own: what an answer may be. */
function listParts(document: ApiDocument, schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const { oneOf, anyOf } = document.resolve(schema);
  const isObject = (name: string): boolean => document.getSchema(name).properties !== undefined;
  const toNames = (schemas: readonly Schema[]): string[] => schemas.flatMap((one) => getName(one) ?? []);
  if (findSelector(document, document.resolve(schema)) !== undefined) return [];
  return toNames(oneOf ?? anyOf ?? []).filter(isObject);
}

/** The objects that the variants of a request have in fields of their own: the data of each change. */
function listData(document: ApiDocument, schema: Schema | undefined): string[] {
  const { oneOf = [] } = schema === undefined ? {} : document.resolve(schema);
  return oneOf.flatMap((variant) =>
    Object.values(document.resolve(variant).properties ?? {}).flatMap((field) => {
      const name = getName(field);
      return name !== undefined && document.getSchema(name).properties !== undefined ? [name] : [];
    }),
  );
}

/** Where each schema of a document is described. */
export class SchemaPlaces {
  /** The schemas that have a place on the pages of objects. */
  readonly inRequests: readonly string[];
  readonly inAnswers: readonly string[];
  private readonly addresses = new Map<string, string>();

  constructor(
    private readonly document: ApiDocument,
    base: string,
    findPlace: (endpoint: Endpoint) => EndpointPlace,
  ) {
    for (const endpoint of document.endpoints) {
      const place = findPlace(endpoint);
      const placeAll = (schema: Schema | undefined, part: string): void => {
        this.place(schema, `${place.page}#${toPart(place, part)}`);
        if (place.anchor !== undefined) return;
        for (const name of listParts(document, schema)) this.place({ $ref: name }, `${place.page}#${name}`);
        if (schema === undefined || part !== 'request') return;
        const choice = findChoice(document, schema)?.schema;
        this.place(choice, `${place.page}#request`);
        for (const name of listData(document, choice)) this.place({ $ref: name }, `${place.page}#${name}`);
      };
      placeAll(getRequestSchema(endpoint), 'request');
      for (const schema of getAnswerSchemas(document, endpoint)) placeAll(schema, 'response');
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

  /** The parts of a schema that are shown on a page. */
  listPartsOn(page: string, schema: Schema | undefined): string[] {
    return listParts(this.document, schema).filter((name) => this.addresses.get(name) === `${page}#${name}`);
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
