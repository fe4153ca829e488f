import { readableResources, singularNames } from '../resources/names.ts';
import {
  type ChangeableResource,
  getIdentityFields,
  getLabelField,
  isChangeable,
  listDataFields,
} from './record-fields.ts';
import { createShapeResolver, type ResolvedShape } from './resolved-shape.ts';
import type { ServerDescription } from './server-description.ts';

/** Something that a server writes, and where: a JSON pointer. */
interface Place {
  readonly name: string;
  readonly pointer: string;
}

/** Fields of a record that are neither data nor guards. */
const otherFields = (resource: ChangeableResource): readonly string[] => [
  ...getIdentityFields(resource),
  ...(resource === 'broadcasts' ? ['status'] : []),
  'createdAt',
  'updatedAt',
];

/** Returns where a record has one of its fields, as a server writes it. */
export function getFieldPointer(
  resource: ChangeableResource,
  { revision, label, data, rename }: ResolvedShape['record'],
  name: string,
): string {
  if (name === 'revision') return revision;
  if (name === 'label') return label;
  const renamed = rename[name];
  if (renamed !== undefined) return renamed;
  return `${listDataFields(resource).includes(name) ? data : ''}/${name}`;
}

const listRecordPlaces = (resource: ChangeableResource, shape: ResolvedShape): Place[] =>
  ['revision', 'label', ...listDataFields(resource), ...otherFields(resource)].map((name) => ({
    name,
    pointer: getFieldPointer(resource, shape.record, name),
  }));

const listFramePlaces = ({ list: { records, total, limited } }: ResolvedShape): Place[] =>
  Object.entries({ records, total, limited }).flatMap(([name, pointer]) =>
    pointer === null ? [] : [{ name, pointer }],
  );

/** Whether two values cannot both be written: at one place, or one inside the other. */
const collide = ({ pointer: a }: Place, { pointer: b }: Place): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

function findCollision(places: readonly Place[], same: readonly string[] = []): [Place, Place] | undefined {
  for (const [at, one] of places.entries())
    for (const other of places.slice(at + 1)) {
      const isSame = one.pointer === other.pointer && same.includes(one.name) && same.includes(other.name);
      if (collide(one, other) && !isSame) return [one, other];
    }
  return undefined;
}

/**
 * Returns one sentence about two things that a description has at one place, so that no server could write both; undefined
 * if there are none. The label may be where the field is that it is a copy of (D54).
 */
export function findSharedPlace({ shapes }: ServerDescription): string | undefined {
  // Most mocks have no description, and to compare the places of the contract takes some of their start.
  if (shapes === undefined) return undefined;
  const shapeOf = createShapeResolver(shapes);
  const describe = ([one, other]: [Place, Place], what: string, key: string): string =>
    `${key}: ${one.name} and ${other.name} of ${what} cannot both be written, at ${JSON.stringify(one.pointer)} and ${JSON.stringify(other.pointer)}.`;
  for (const resource of readableResources) {
    const shape = shapeOf(resource);
    const frame = findCollision(listFramePlaces(shape));
    if (frame !== undefined) return describe(frame, 'a list', 'shapes.list');
    if (!isChangeable(resource)) continue;
    const record = findCollision(listRecordPlaces(resource, shape), ['label', getLabelField(resource)]);
    if (record !== undefined) return describe(record, `a ${singularNames[resource]}`, 'shapes.record');
  }
  return undefined;
}
