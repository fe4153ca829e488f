import { type ConfigurationResource, configurationData, references } from '@orgchat/spec';
import type * as z from 'zod';

/** A field of a resource's data, as far as the flags of the command line need it. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'choice' | 'boolean' | 'reference' | 'references' | 'texts' | 'null' | 'structure';
  readonly description: string;
  readonly choices: readonly string[];
  readonly nullable: boolean;
  readonly optional: boolean;
  /** The resource that a reference points to. */
  readonly resource: 'accounts' | 'tags' | 'scenarios' | 'rich-menus' | undefined;
}

interface Unwrapped {
  readonly schema: z.core.$ZodType;
  readonly nullable: boolean;
  readonly optional: boolean;
}

function unwrap(schema: z.core.$ZodType, nullable = false, optional = false): Unwrapped {
  const { def } = schema._zod;
  if (def.type === 'nullable') return unwrap((def as z.core.$ZodNullableDef).innerType, true, optional);
  if (def.type === 'optional') return unwrap((def as z.core.$ZodOptionalDef).innerType, nullable, true);
  return { schema, nullable, optional };
}

function getFieldKind(
  resource: ConfigurationResource,
  name: string,
  schema: z.core.$ZodType,
): Pick<Field, 'kind' | 'resource'> {
  const reference = references[resource].find(({ path }) => path[0] === name);
  if (reference?.path.length === 1) return { kind: 'reference', resource: reference.resource };
  if (reference?.path.length === 2) return { kind: 'references', resource: reference.resource };
  // A broadcast's messages are mostly texts, and texts are easy to give as flags.
  if (resource === 'broadcasts' && name === 'messages') return { kind: 'texts', resource: undefined };
  const kinds: Record<string, Field['kind']> = {
    string: 'text',
    enum: 'choice',
    boolean: 'boolean',
    null: 'null',
  };
  return { kind: kinds[schema._zod.def.type] ?? 'structure', resource: undefined };
}

function describe(resource: ConfigurationResource, name: string, outer: z.ZodType): Field {
  const { schema, nullable, optional } = unwrap(outer);
  const inner = schema as z.ZodType;
  const values =
    schema._zod.def.type === 'enum' ? Object.values((schema._zod.def as z.core.$ZodEnumDef).entries) : [];
  return {
    name,
    ...getFieldKind(resource, name, schema),
    description: outer.description ?? inner.description ?? '',
    choices: values.map(String),
    nullable,
    optional,
  };
}

/** The fields of a resource, from the schema of the contract. */
export function getFields(resource: ConfigurationResource): readonly Field[] {
  const { shape } = configurationData[resource];
  return Object.entries(shape).map(([name, schema]) => describe(resource, name, schema as z.ZodType));
}

/** The data of a record: what a create or update sends. */
export type Data = Record<string, unknown>;
