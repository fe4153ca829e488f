import {
  type ConfigurationResource,
  configurationResources,
  formatPath,
  friendReferences,
  type Reference,
  references,
  singularNames,
} from '@orgchat/spec';
import type { Entry } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import type { RequestContext } from '../request/context.ts';
import { onlyReadable, type Reader, RecordNotFound } from '../request/requirements.ts';

/* What the data of a record refers to, and which records refer to another one (D62, D63). */

/** A resource whose records refer to others. */
export type ReferringResource = ConfigurationResource | 'friends';
type Target = Reference['resource'];

const getReferences = (resource: ReferringResource): readonly Reference[] =>
  resource === 'friends' ? friendReferences : references[resource];

/** A 404 for a record that the data of a change or of a seed refers to, with the path of the reference. */
export class ReferenceNotFound extends RecordNotFound {
  readonly recordName: string;
  readonly id: string;
  readonly path: readonly PropertyKey[];

  constructor(record: string, id: string, path: readonly PropertyKey[], isHidden: boolean) {
    const reason = isHidden ? 'unassigned-reference' : 'unknown-reference';
    super(record, id, { reason, record, id, path }, `${formatPath(path)}: `);
    this.recordName = record;
    this.id = id;
    this.path = path;
  }
}

/** Whether a change may refer to a record that does not exist. */
export type IsKept = (target: Target, id: string) => boolean;

/**
 * Accepts the references that a record has already: the other record was deleted since, and a full update must send its
 * id again (D62). An account must exist, and so must a record that another organization has.
 */
export const keepReferences =
  (
    { world: { organizations } }: Pick<RequestContext, 'world'>,
    resource: ReferringResource,
    before: Entry,
  ): IsKept =>
  (target, id) =>
    target !== 'accounts' &&
    refersTo(resource, before.fields, target, id) &&
    ![...organizations.values()].some(({ stored }) => stored.configurations[target].get(id) !== undefined);

/** Calls `visit` with each reference in the data of a record, and its path. */
function visitReferences(
  resource: ReferringResource,
  data: object,
  path: readonly PropertyKey[],
  visit: (target: Target, id: string, path: readonly PropertyKey[]) => void,
): void {
  for (const reference of getReferences(resource)) visitPath(reference, data, 0, path, visit);
}

function visitPath(
  reference: Reference,
  value: unknown,
  depth: number,
  path: readonly PropertyKey[],
  visit: (target: Target, id: string, path: readonly PropertyKey[]) => void,
): void {
  if (value === null || value === undefined) return;
  const step = reference.path[depth];
  if (step === undefined) visit(reference.resource, value as string, path);
  else if (step === '*') {
    const items = value as readonly unknown[];
    for (let i = 0; i < items.length; i++) visitPath(reference, items[i], depth + 1, [...path, i], visit);
  } else {
    const next = (value as Readonly<Record<string, unknown>>)[step];
    if (next !== undefined && next !== null) visitPath(reference, next, depth + 1, [...path, step], visit);
  }
}

/**
 * Looks up every record that the data refers to; throws a `ReferenceNotFound` for the first that does not exist (D62).
 * `path` is the path of the data.
 */
export function checkReferences(
  reader: Reader,
  resource: ReferringResource,
  data: object,
  path: readonly PropertyKey[] = [],
  isKept?: IsKept,
): void {
  visitReferences(resource, data, path, (target, id, at) => {
    const { accounts, configurations } = reader.organization.stored;
    const found = (target === 'accounts' ? accounts : configurations[target]).get(id);
    if (onlyReadable(reader, found) !== undefined) return;
    if (found === undefined && isKept?.(target, id)) return;
    throw new ReferenceNotFound(singularNames[target], id, at, found !== undefined);
  });
}

/** Whether the data of a record refers to another one. */
function refersTo(resource: ReferringResource, data: object, target: Target, id: string): boolean {
  let isFound = false;
  visitReferences(resource, data, [], (kind, other) => {
    isFound ||= kind === target && other === id;
  });
  return isFound;
}

/** A record that refers to another one. */
export interface Referrer {
  readonly resource: ReferringResource;
  readonly entry: Entry;
}

/** Finds the records of an organization that refer to a record. */
export function findReferrers(
  { stored }: Organization,
  target: ConfigurationResource,
  id: string,
): Referrer[] {
  const found: Referrer[] = [];
  for (const resource of [...configurationResources, 'friends'] as const) {
    if (!getReferences(resource).some((reference) => reference.resource === target)) continue;
    const entries = resource === 'friends' ? stored.friends : stored.configurations[resource];
    for (const entry of entries.values())
      if (refersTo(resource, entry.fields, target as Target, id)) found.push({ resource, entry });
  }
  return found;
}

/** The data of a record without its references to another one: null in their place, or no item of a list. */
export function removeReferences(
  resource: ReferringResource,
  data: Readonly<Record<string, unknown>>,
  target: ConfigurationResource,
  id: string,
): Readonly<Record<string, unknown>> {
  let removed: unknown = data;
  for (const { path, resource: kind } of getReferences(resource)) {
    if (kind === target) removed = removeAt(removed, path, id);
  }
  return removed as Readonly<Record<string, unknown>>;
}

function removeAt(value: unknown, [step, ...rest]: readonly string[], id: string): unknown {
  if (value === null || value === undefined) return value;
  if (step === undefined) return value === id ? null : value;
  if (step === '*') {
    const items = (value as readonly unknown[]).map((item) => removeAt(item, rest, id));
    return rest.length === 0 ? items.filter((item) => item !== null) : items;
  }
  const object = value as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(object, step)) return object;
  const changed = removeAt(object[step], rest, id);
  // A condition means nothing without its tag.
  const isEmpty = step === 'condition' && (changed as { tagId?: unknown } | null)?.tagId === null;
  return { ...object, [step]: isEmpty ? null : changed };
}
