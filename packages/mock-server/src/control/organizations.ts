import * as z from 'zod';
import { memoize } from '../memoize.ts';
import type { Organization, Settings } from '../records/organization.ts';
import type { Key } from '../world/key.ts';
import type { World } from '../world/world.ts';
import { notFound, parseControl } from './input.ts';

/** The query of calls that speak of one organization. */
export const organizationQuery = memoize(() =>
  z.strictObject({
    organization: z
      .string()
      .optional()
      .meta({ description: 'The id of an organization. Default: the first of the seed.' }),
  }),
);

/** The organization that a call speaks of; throws a `ControlError` 404 if it does not exist. */
export function findOrganization(world: World, query: unknown): Organization {
  const { organization: id } = parseControl(organizationQuery(), query);
  if (id === undefined) return world.mainOrganization;
  const found = world.organizations.get(id);
  if (found !== undefined) return found;
  throw notFound(`organization ${id}`, `Organizations: ${[...world.organizations.keys()].join(', ')}.`);
}

/** An organization in a list. */
export interface OrganizationEntry extends Settings {
  readonly id: string;
  readonly name: string;
}

export const listOrganizations = ({ organizations }: World): OrganizationEntry[] =>
  Array.from(organizations.values(), ({ id, name, settings }) => ({ id, name, ...settings }));

/** A key in a list, with its text. */
export type KeyEntry = Omit<Key, 'accountScope' | 'masked'>;

export const toKeyEntry = ({ accountScope: _scope, masked: _masked, ...entry }: Key): KeyEntry => entry;

/** The keys of an organization, sorted by their text. */
export function listKeys(world: World, query: unknown): KeyEntry[] {
  const { id } = findOrganization(world, query);
  return world
    .listKeys()
    .filter(({ organizationId }) => organizationId === id)
    .map(toKeyEntry);
}
