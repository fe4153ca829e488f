/* Finds where something is in an answer, for people: nothing is read by what is found here. */

/** What is in an answer, and the JSON pointer to it. */
export interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/** Frames are shallow; what lies deeper belongs to the data of a record. */
const maxDepth = 3;

/** The pointer to a field of an object. */
export const toPointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The places in a value, the value itself first and the others by their depth. Of a list, only the first item is looked at. */
function listPlaces(value: unknown): Place[] {
  const places: Place[] = [{ pointer: '', value }];
  for (const { pointer, value: outer } of places) {
    if (typeof outer !== 'object' || outer === null) continue;
    if (pointer.split('/').length > maxDepth) continue;
    const entries = Object.entries(outer).slice(0, Array.isArray(outer) ? 1 : undefined);
    places.push(...entries.map(([name, inner]) => ({ pointer: pointer + toPointer(name), value: inner })));
  }
  return places;
}

/** Returns the first place for which `test` is true; undefined if there is none. */
export const findPlace = (value: unknown, test: (place: Place) => boolean): Place | undefined =>
  listPlaces(value).find(test);

/** Returns whether a pointer leads to a field of this name. */
export const isNamed = ({ pointer }: Place, name: string): boolean => pointer.endsWith(toPointer(name));

/** The names of the fields of an answer, for people. */
export function nameFields(value: unknown): string {
  const names = Object.keys(Object(value) as object);
  return names.length === 0 ? 'no fields' : `the fields ${names.join(', ')}`;
}
