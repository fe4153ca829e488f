import { demoSeed, type SeedDocument } from '@orgchat/mock-server';

/** Each visitor of a world has keys of its own, so that the limits of one are no concern of another. */
export const visitorsAWorld = 20;

export type Role = 'writer' | 'reader' | 'viewer' | 'greedy';
const roles: readonly Role[] = ['writer', 'reader', 'viewer', 'greedy'];

/** The key of a visitor: `writer` and `viewer` have the scope to write, but the creator of `viewer` cannot edit. */
export const keyOf = (role: Role, visitor: number): string => `${role}-${visitor}-key`;

/** The demo, with the keys of the visitors. */
export function loadSeed(): SeedDocument {
  const [first, ...others] = demoSeed.organizations;
  if (first === undefined) throw new Error('The demo has an organization');
  const keys = Array.from({ length: visitorsAWorld }, (_, visitor) =>
    roles.map((role) => ({
      key: keyOf(role, visitor),
      name: `The ${role} ${visitor}`,
      scope: role === 'reader' || role === 'greedy' ? ('read' as const) : ('write' as const),
      editor: role !== 'viewer',
    })),
  ).flat();
  return { ...demoSeed, organizations: [{ ...first, keys: [...(first.keys ?? []), ...keys] }, ...others] };
}
