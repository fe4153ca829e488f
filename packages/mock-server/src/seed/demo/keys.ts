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

/** The keys of the demo organization. Two more keys belong to other organizations and are always rejected. */
export const keys: Key[] = [
  key('Demo write key', { key: 'demo-write-key', scope: 'write' }),
  key('Demo read key', { key: 'demo-read-key', scope: 'read' }),
  key('Demo viewer key', { key: 'demo-viewer-key', scope: 'write', editor: false }),
  key('Demo revoked key', { key: 'demo-revoked-key', scope: 'write', revoked: true }),
  key('Demo suspended key', { key: 'demo-suspended-key', scope: 'write', suspended: true }),
];

/** The demo keys by purpose. */
export const demoKeys = {
  write: 'demo-write-key',
  read: 'demo-read-key',
  viewer: 'demo-viewer-key',
  revoked: 'demo-revoked-key',
  deletedOrganization: 'demo-deleted-org-key',
  suspended: 'demo-suspended-key',
  noApi: 'demo-no-api-key',
} as const;
