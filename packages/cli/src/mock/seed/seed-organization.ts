import { demoKeys, type SeedDocument } from '@orgchat/mock-server';
import type { Account } from '@orgchat/sdk';

/** An organization of a seed. */
export type SeedOrganization = SeedDocument['organizations'][number];

/** The keys of every seed that this command writes: the API never shows a key, and those of the demo are well known. */
const keys: NonNullable<SeedOrganization['keys']> = [
  { key: demoKeys.write, name: 'Write key', scope: 'write' },
  { key: demoKeys.read, name: 'Read key', scope: 'read' },
];

/** What `GET /me` says about an organization, for its seed. */
export function describeAccount({ plan, api, credits }: Account): Pick<SeedDocument, 'plans'> & {
  readonly organization: Pick<SeedOrganization, 'plan' | 'credits'>;
} {
  const { allowance, used, resetsAt } = credits;
  return {
    plans: { [plan]: { apiAccess: true, monthlyRequests: api.limit } },
    organization: { plan, credits: { allowance, used, resetsAt } },
  };
}

/** Creates a seed of one organization, with the keys of the demo. */
export const createSeedDocument = (
  organization: SeedOrganization,
  plans?: SeedDocument['plans'],
): SeedDocument => ({
  format: 'orgchat-seed',
  version: 1,
  ...(plans !== undefined && { plans }),
  organizations: [{ ...organization, keys }],
});
