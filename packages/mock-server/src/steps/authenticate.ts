import { Refusal } from '../refusal.ts';
import type { Organization } from '../store/organization.ts';
import type { Key, World } from '../world.ts';

/** Who calls. */
export interface Caller {
  readonly key: Key;
  readonly organization: Organization;
}

/** The key of an `Authorization` header; undefined where there is none (clause 3.1, D4). */
export function bearerKey(authorization: string | undefined): string | undefined {
  // Blanks around the value are gone: no header keeps them.
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trimStart();
}

const unauthorized = (): Refusal =>
  new Refusal('UNAUTHORIZED', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Missing, unknown and revoked keys, and those of a deleted organization, end here: 401 (clause 3.10, 3.11). */
export function authenticate(world: World, secret: string | undefined): Caller {
  const key = secret === undefined ? undefined : world.keys.get(secret);
  if (key === undefined || key.revoked) throw unauthorized();
  const organization = world.organizations.get(key.organizationId);
  if (organization === undefined || organization.settings.deleted) throw unauthorized();
  return { key, organization };
}
