import { limits } from '@orgchat/spec';
import { findOrganization } from '../input-checks/find-organization.ts';
import { toIsoString } from '../primitives/clock.ts';
import { type Key, type KeyEntry, toKeyEntry } from '../records/key.ts';
import type { Settings } from '../records/organization.ts';
import { getMonthlyLimit } from '../world/request-limits.ts';
import type { World } from '../world/world.ts';

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
