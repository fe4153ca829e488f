import * as z from 'zod';
import { memoize } from '../memoize.ts';
import type { Organization } from '../records/organization.ts';
import type { World } from '../world/world.ts';
import { notFound } from './control-error.ts';
import { parseControl } from './parse-control.ts';

/** The query of calls that apply to one organization. */
export const organizationQuery = memoize(() =>
  z.strictObject({
    organization: z
      .string()
      .optional()
      .meta({ description: 'The id of an organization. Default: the first of the seed.' }),
  }),
);

/** The query of calls that list what all organizations have. */
export const organizationFilter = memoize(() =>
  z.strictObject({
    organization: z
      .string()
      .optional()
      .meta({ description: 'The id of an organization. Default: all organizations.' }),
  }),
);

/** Those of the entries that belong to the organization of a query; throws a `ControlError` 404 if it does not exist. */
export function filterByOrganization<T extends { readonly organizationId: string }>(
  world: World,
  entries: Iterable<T>,
  query: unknown,
): T[] {
  const { organization } = parseControl(organizationFilter(), query);
  if (organization === undefined) return [...entries];
  const { id } = findOrganization(world, { organization });
  return [...entries].filter(({ organizationId }) => organizationId === id);
}

/** The organization that a call applies to; throws a `ControlError` 404 if it does not exist. */
export function findOrganization(world: World, query: unknown): Organization {
  const { organization: id } = parseControl(organizationQuery(), query);
  if (id === undefined) return world.mainOrganization;
  const found = world.organizations.get(id);
  if (found !== undefined) return found;
  throw notFound(`organization ${id}`, `Organizations: ${[...world.organizations.keys()].join(', ')}.`);
}
