import { type ConfigurationResource, type Reference, references } from '@orgchat/spec';
import { findAccount, findConfiguration, MissingReference, type Viewer } from './visible.ts';

/**
 * Looks up every record that data names; throws `MissingReference` for the first that is not there (D62). `place` is
 * where the data stands.
 */
export function checkReferences(
  viewer: Viewer,
  resource: ConfigurationResource,
  data: object,
  place: readonly PropertyKey[] = [],
): void {
  for (const reference of references[resource]) follow(viewer, reference, data, 0, place);
}

function follow(
  viewer: Viewer,
  reference: Reference,
  value: unknown,
  depth: number,
  place: readonly PropertyKey[],
): void {
  if (value === null || value === undefined) return;
  const step = reference.path[depth];
  if (step === undefined) checkOne(viewer, reference.resource, value as string, place);
  else if (step === '*') {
    const items = value as readonly unknown[];
    for (let i = 0; i < items.length; i++) follow(viewer, reference, items[i], depth + 1, [...place, i]);
  } else {
    const next = (value as Readonly<Record<string, unknown>>)[step];
    if (next !== undefined && next !== null) follow(viewer, reference, next, depth + 1, [...place, step]);
  }
}

/** Looks up one record; `place` is where it is named. */
export function checkOne(
  viewer: Viewer,
  resource: Reference['resource'],
  id: string,
  place: readonly PropertyKey[],
): void {
  const found = resource === 'accounts' ? findAccount(viewer, id) : findConfiguration(viewer, resource, id);
  if (found === undefined) throw new MissingReference(resource, place);
}
