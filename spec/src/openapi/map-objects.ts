/** A JSON object of an OpenAPI document. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields whose values are data, not parts of the document. */
const dataFields = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'value',
  'required',
  'mapping',
]);
/** Fields whose values are parts of the document by a name that the contract chose, such as a property. */
const namedFields = new Set([
  'properties',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'securitySchemes',
  'paths',
]);

/**
 * A copy of a document in which `change` was applied to every object that is part of the document, the inner ones
 * first. Data in it, such as examples, is not touched.
 */
export function mapObjects<T>(document: T, change: (object: JsonObject) => JsonObject): T {
  const mapNamed = (named: JsonObject): JsonObject => mapValues(named, (value) => map(value));
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    if (!isJsonObject(value)) return value;
    const inner = mapValues(value, (field, name) => {
      if (namedFields.has(name) && isJsonObject(field)) return mapNamed(field);
      return dataFields.has(name) ? field : map(field);
    });
    return change(inner);
  };
  return map(document) as T;
}

const mapValues = (object: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
