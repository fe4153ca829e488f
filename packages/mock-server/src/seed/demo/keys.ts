import type { Organization } from './empty.ts';

type Key = Organization['keys'][number];

export const key = (name: string, given: Pick<Key, 'key' | 'scope'> & Partial<Key>): Key => ({
  name,
  revoked: false,
  suspended: false,
  editor: true,
  accountIds: null,
  ...given,
});

/** Those that belong to the demo organization; two more belong to others, which show what they are refused for. */
export const keys: Key[] = [
  key('Demo write key', { key: 'demo-write-key', scope: 'write' }),
  key('Demo read key', { key: 'demo-read-key', scope: 'read' }),
  key('Demo viewer key', { key: 'demo-viewer-key', scope: 'write', editor: false }),
  key('Demo revoked key', { key: 'demo-revoked-key', scope: 'write', revoked: true }),
  key('Demo suspended key', { key: 'demo-suspended-key', scope: 'write', suspended: true }),
];

/** The keys of the demo organization, by what they show. */
export const demoKeys = {
  write: 'demo-write-key',
  read: 'demo-read-key',
  viewer: 'demo-viewer-key',
  revoked: 'demo-revoked-key',
  deletedOrganization: 'demo-deleted-org-key',
  suspended: 'demo-suspended-key',
  noApi: 'demo-no-api-key',
} as const;
