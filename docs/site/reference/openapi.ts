import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/* The parts of an OpenAPI document that its pages show. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

interface Reference {
  readonly $ref: string;
}

export interface Body {
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example>> }>
  >;
}

export interface Answer extends Body {
  readonly description: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly securitySchemes?: Readonly<Record<string, { readonly description: string }>>;
}

interface OpenApi {
  readonly info: { readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The name of the schema that a reference leads to. */
export const getName = ({ $ref }: Schema): string | undefined =>
  $ref === undefined ? undefined : nameOf($ref);

export class ApiDocument {
  private constructor(
    /** The name of its file in `spec/`, without the extension. */
    readonly file: string,
    readonly content: OpenApi,
  ) {}

  static read(root: string, file: string): ApiDocument {
    return new ApiDocument(file, parse(readFileSync(join(root, `spec/${file}.yaml`), 'utf8')) as OpenApi);
  }

  get endpoints(): Endpoint[] {
    return Object.entries(this.content.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
  }

  getSchema(name: string): Schema {
    const schema = this.content.components.schemas[name];
    if (schema === undefined) throw new Error(`${this.file}.yaml has no schema ${name}.`);
    return schema;
  }

  /** A schema, or the one that a reference leads to. */
  resolve(schema: Schema): Schema {
    const name = getName(schema);
    return name === undefined ? schema : this.getSchema(name);
  }

  getAnswers({ responses }: Operation): [status: string, answer: Answer][] {
    return Object.entries(responses).map(([status, answer]) => [
      status,
      '$ref' in answer ? this.content.components.responses[nameOf(answer.$ref)]! : answer,
    ]);
  }

  getParameters({ parameters = [] }: Operation): Parameter[] {
    return parameters.map((parameter) =>
      '$ref' in parameter ? this.content.components.parameters![nameOf(parameter.$ref)]! : parameter,
    );
  }
}

/** What an endpoint answers when it is done: the status, the kind of content, and examples. */
export function getDone(document: ApiDocument, { operation }: Endpoint) {
  const done = document.getAnswers(operation).find(([status]) => status.startsWith('2'));
  const [status = '', answer] = done ?? [];
  const [kind = ''] = Object.keys(answer?.content ?? {});
  const named = answer?.content?.[kind]?.examples ?? {};
  return { status, kind, named, examples: Object.values(named) };
}
