import { isJsonObject, type JsonObject, mapObjects } from './map-objects.ts';

/*
 * Converts an OpenAPI 3.1 document of this repository to 3.0.3, for tools that do not read 3.1. Both versions accept the
 * same values.
 */

/** Converts a whole document. Throws an `Error` for a keyword that 3.0 does not have. */
export function toOpenApi30<T>(document: T): T {
  const { components } = document as { components?: { schemas?: JsonObject } };
  const convertWithSchemas = (object: JsonObject): JsonObject => convert(object, components?.schemas ?? {});
  return { ...mapObjects(document, convertWithSchemas), openapi: '3.0.3' };
}

function convert(object: JsonObject, schemas: JsonObject): JsonObject {
  for (const name of unsupported) {
    if (name in object) throw new Error(`OpenAPI 3.0 has no "${name}": ${JSON.stringify(object)}`);
  }
  return wrapReference(allowNull(useNullable(useOneExample(useFlags(renameFields(object)))), schemas));
}

const unsupported = ['patternProperties', 'prefixItems', 'if', 'const', 'contains', 'unevaluatedProperties'];

/**
 * 3.0 has no `identifier` of a license, but a `url`. It has no `propertyNames`; those of the documents here accept every
 * name.
 */
function renameFields({ identifier, propertyNames: _, ...object }: JsonObject): JsonObject {
  return typeof identifier === 'string'
    ? { ...object, url: `https://spdx.org/licenses/${identifier}.html` }
    : object;
}

/** An exclusive bound is a number in 3.1, and a flag beside the bound in 3.0. */
function useFlags(object: JsonObject): JsonObject {
  const { exclusiveMinimum, exclusiveMaximum, ...others } = object;
  return {
    ...others,
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(typeof exclusiveMaximum === 'number' && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  };
}

/** `examples` of a schema is a list in 3.1. Those of a body or a parameter are named in both versions. */
function useOneExample(object: JsonObject): JsonObject {
  const { examples, ...others } = object;
  return Array.isArray(examples) ? { ...others, example: examples[0] } : object;
}

/** A schema that accepts null alone, in the form that every tool reads. */
const nullOnly = { type: 'object', nullable: true, not: { type: 'object' } };
const isNullOnly = (schema: unknown): boolean =>
  isJsonObject(schema) && schema.nullable === true && 'not' in schema;

/** `type: [string, null]` is `type: string` with `nullable`. */
function useNullable(object: JsonObject): JsonObject {
  const { type } = object;
  if (type === 'null') return { ...object, ...nullOnly };
  if (!Array.isArray(type)) return object;
  const [only, ...others] = type.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no list of types: ${type.join(', ')}`);
  return type.includes('null') ? makeNullable({ ...object, type: only }) : { ...object, type: only };
}

function makeNullable(schema: JsonObject): JsonObject {
  const values = schema.enum;
  return { ...schema, ...(Array.isArray(values) && { enum: [...values, null] }), nullable: true };
}

/** `anyOf` with null: `nullable` on the schema itself, or a variant that is null beside a reference or a union. */
function allowNull(object: JsonObject, schemas: JsonObject): JsonObject {
  const { anyOf, ...others } = object;
  if (!Array.isArray(anyOf) || !anyOf.some(isNullOnly)) return object;
  const variants: unknown[] = anyOf.filter((option) => !isNullOnly(option));
  const [only, ...more] = variants;
  if (more.length === 0 && isJsonObject(only) && typeof only.type === 'string' && !('oneOf' in only)) {
    return { ...makeNullable(only), ...others };
  }
  // `nullable` counts only beside a type.
  const type = more.length === 0 ? getType(only, schemas) : 'object';
  return { ...others, type, nullable: true, anyOf: [...variants, nullOnly] };
}

/** The type of a schema, or of the one that it refers to. */
function getType(schema: unknown, schemas: JsonObject): unknown {
  if (!isJsonObject(schema)) return 'object';
  const target =
    typeof schema.$ref === 'string' ? schemas[schema.$ref.replace('#/components/schemas/', '')] : schema;
  return isJsonObject(target) && typeof target.type === 'string' ? target.type : 'object';
}

/** 3.0 ignores everything beside `$ref`. */
function wrapReference(object: JsonObject): JsonObject {
  const { $ref, ...others } = object;
  if ($ref === undefined || Object.keys(others).length === 0) return object;
  return { ...others, allOf: [{ $ref }] };
}
