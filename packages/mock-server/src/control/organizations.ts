import { limits } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';
import type { Organization, Settings } from '../records/organization.ts';
import { toIsoString } from '../world/clock.ts';
import type { Key } from '../world/key.ts';
import { getMonthlyLimit } from '../world/request-limits.ts';
import type { World } from '../world/world.ts';
import { notFound, parseControl } from './input.ts';

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

/** An organization in a list. */
export interface OrganizationEntry extends Settings {
  readonly id: string;
  readonly name: string;
  /** The names of the plans that it can have. */
  readonly plans: readonly string[];
}

export const listOrganizations = ({ organizations, plans }: World): OrganizationEntry[] =>
  Array.from(organizations.values(), ({ id, name, settings }) => ({
    id,
    name,
    ...settings,
    plans: [...plans.keys()],
  }));

/** A key in a list, with its text. */
export type KeyEntry = Omit<Key, 'accountScope' | 'masked'>;

export const toKeyEntry = ({ accountScope: _scope, masked: _masked, ...entry }: Key): KeyEntry => entry;

/** A key in a list, with what counts for its limits. */
export interface ListedKey extends KeyEntry {
  /** The plan of its organization. */
  readonly plan: string;
  readonly usage: KeyUsage;
}

/** How many requests of a key count for the limits. */
export interface KeyUsage {
  /** Requests of this key in the last minute; 0 if the mock does not limit them. */
  readonly lastMinute: number;
  /** The month of the mock's clock, `2026-04`. */
  readonly month: string;
  /** Requests of all keys of the organization in that month. */
  readonly thisMonth: number;
  /** The limit of `thisMonth`; null if there is none. */
  readonly monthlyLimit: number | null;
}

/** The keys of an organization, sorted by their text. */
export function listKeys(world: World, query: unknown): ListedKey[] {
  const { id, settings } = findOrganization(world, query);
  return world
    .listKeys()
    .filter(({ organizationId }) => organizationId === id)
    .map((key) => ({ ...toKeyEntry(key), plan: settings.plan, usage: readUsage(world, key) }));
}

function readUsage(world: World, { key, organizationId }: Key): KeyUsage {
  const { clock, limiter, monthlyLimit, organizations, plans } = world;
  const organization = organizations.get(organizationId);
  const now = clock.now();
  const month = toIsoString(now).slice(0, 7);
  const { enforced } = getMonthlyLimit(monthlyLimit, plans.get(organization?.settings.plan ?? ''));
  return {
    lastMinute: limiter.getTimes(key).filter((at) => at > now - limits.rateWindowMs && at <= now).length,
    month,
    thisMonth: organization?.usage.month === month ? organization.usage.used : 0,
    monthlyLimit: Number.isFinite(enforced) ? enforced : null,
  };
}
