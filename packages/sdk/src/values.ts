/* What a value is that may be of any type, and how errors describe it. */

/** Returns whether a value is an object other than null and arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list of strings, which may be empty. */
export function areStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Returns whether a value is an object of no class, of this or another realm. */
export function isPlainObject(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is or has a record, which has an id. */
const holdsRecord = (value: unknown): boolean =>
  typeof value === 'object' && /"(user_?)?id":/i.test(JSON.stringify(value));

/**
 * Returns whether a value is an error of this API, whatever its status was. The frame around records may have the same fields:
 * its error is empty, or another field has the records.
 */
export function isErrorDocument(
  value: unknown,
): value is { readonly error: string; readonly message: string } {
  if (!isObject(value) || value.error === '' || Object.values(value).some(holdsRecord)) return false;
  return typeof value.error === 'string' && typeof value.message === 'string';
}

/** Names the type of a value in errors. The value itself is content, which no error shows. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Describes in errors what is not the iterable that was expected, and how to get one from it. */
export function describeSource(value: unknown): string {
  const { then, [Symbol.asyncIterator]: open }: Record<PropertyKey, unknown> = Object(value);
  if (typeof open === 'function')
    return 'async iterable. Read it into an array first: for await (const row of source) rows.push(row)';
  return typeof then === 'function' ? 'promise. Await it first' : describeType(value);
}

/** Describes a given id in errors, in which a string is shown: it names something, and is not content. */
export function describeId(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describeType(value);
}
