import { demoSeed, type SeedDocument } from '@orgchat/mock-server';

/** Each client of a world has its own keys, so rate limits do not overlap. */
export const clientsPerWorld = 20;

export type Role = 'writer' | 'reader' | 'viewer' | 'greedy';
const roles: readonly Role[] = ['writer', 'reader', 'viewer', 'greedy'];

/** The key of a client: `writer` and `viewer` have the scope to write, but the creator of `viewer` cannot edit. */
export const getKey = (role: Role, client: number): string => `${role}-${client}-key`;

/** The demo, with the keys of the clients. */
export function loadSeed(): SeedDocument {
  const [first, ...others] = demoSeed.organizations;
  if (first === undefined) throw new Error('The demo has an organization');
  const keys = Array.from({ length: clientsPerWorld }, (_, client) =>
    roles.map((role) => ({
      key: getKey(role, client),
      name: `The ${role} ${client}`,
      scope: role === 'reader' || role === 'greedy' ? ('read' as const) : ('write' as const),
      editor: role !== 'viewer',
    })),
  ).flat();
  return { ...demoSeed, organizations: [{ ...first, keys: [...(first.keys ?? []), ...keys] }, ...others] };
}
