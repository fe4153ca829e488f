import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

/** A JSON Schema as the document writes it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
}

interface Media {
  readonly content: Readonly<Record<'application/json', { readonly schema: Schema }>>;
}
interface DocumentOperation {
  readonly operationId: string;
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, (Media & { $ref?: never }) | { readonly $ref: string }>>;
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Media>>;
  };
}

const read = (name: string): OpenApiDocument =>
  parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as OpenApiDocument;

/** The committed document: what a reader gets, not what the generator would write now. */
export const document = read('openapi.yaml');
/** The committed document of the control API. */
export const controlDocument = read('control.openapi.yaml');

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi' });

/** Judges values by a component or any other place of the document, e.g. `#/components/schemas/TagData`. */
export function validator(pointer: string): ValidateFunction {
  return ajv.compile({ $ref: `openapi${pointer}` });
}

export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`The document has no ${schema.$ref}`);
  return resolve(target);
}
