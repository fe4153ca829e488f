import { isJsonObject, type JsonObject, mapObjects } from '../src/openapi/map-objects.ts';

/*
 * The same document in the words that third-party tools read correctly. Each rule names the tool that fails without it.
 */
export function avoidToolProblems<T>(document: T): T {
  const plain = mapObjects(document, (object) => useEnum(unescapeSlashes(object)));
  const { components = {} } = plain as { components?: { schemas?: JsonObject } };
  const bodies = findBodies(document);
  const schemas = Object.fromEntries(
    Object.entries(components.schemas ?? {}).map(([name, schema]) => [
      name,
      bodies.has(name) && isJsonObject(schema) ? omitDiscriminator(schema) : schema,
    ]),
  );
  return { ...plain, components: { ...components, schemas } };
}

/** openapi-zod-client writes patterns into its code, where `\/` ends a literal. `/` means the same. */
function unescapeSlashes(object: JsonObject): JsonObject {
  const { pattern } = object;
  return typeof pattern === 'string' ? { ...object, pattern: pattern.replaceAll('\\/', '/') } : object;
}

/** openapi-zod-client reads the value of a discriminator from `enum` alone, and OpenAPI 3.0 has no `const`. */
function useEnum(object: JsonObject): JsonObject {
  if (!('const' in object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => (name === 'const' ? ['enum', [value]] : [name, value])),
  );
}

/**
 * express-openapi-validator picks a wrong variant if a whole body is a union with a discriminator. The union says the
 * same without it, since each variant has a field with one value. Unions inside of a body keep theirs.
 */
function omitDiscriminator(object: JsonObject): JsonObject {
  const { discriminator: _, ...others } = object;
  return others;
}

/** The names of the schemas that are a whole request body. */
function findBodies(document: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  mapObjects(document, (object) => {
    const schema = 'required' in object && isJsonObject(object.content) && object.content['application/json'];
    if (isJsonObject(schema) && isJsonObject(schema.schema)) {
      names.add(String(schema.schema.$ref).replace('#/components/schemas/', ''));
    }
    return object;
  });
  return names;
}
