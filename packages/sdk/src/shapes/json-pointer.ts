/** The parts of a JSON pointer (RFC 6901). */
const split = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns what a JSON pointer points to; undefined if there is nothing. */
export function readPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of split(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[part];
  }
  return found;
}

/** The pointer to a field of an object. */
export const toPointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
