import { describe, expect, it } from 'vitest';
import type { Caller } from '../../test-support/caller.ts';
import { data, salon, shop } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

/** One request of each operation. */
const calls: readonly [string, (caller: Caller) => ReturnType<Caller['me']>][] = [
  ['getAccount', (caller) => caller.me()],
  ['addSeoKeywords', (caller) => caller.keywords('demo-site', { keywords: ['x'] })],
  ['readChat', (caller) => caller.read({ resource: 'tags' })],
  ['changeChat', (caller) => caller.apply({ action: 'create-tags', data: data.tags })],
  ['readStudio', (caller) => caller.studio({ resource: 'projects' })],
];
const writes = calls.filter(([name]) => name === 'addSeoKeywords' || name === 'changeChat');

export function authenticationTests(subject: MockUnderTest): void {
  describe('authentication and authority', () => {
    it.each(calls)('[3.10] [3.11] [3.12] [3.13] %s answers 401 without a valid key', async (_, call) => {
      for (const key of ['', 'nobody', 'demo-revoked-key', 'demo-deleted-org-key', 'demo-write-key2']) {
        const { status, body, headers } = await call(subject.caller.as(key));
        expect({ key, status, error: body.error }).toEqual({ key, status: 401, error: 'UNAUTHORIZED' });
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    it.each(calls)(
      '[3.14] [3.6] %s answers 403 on a plan without access and to the suspended',
      async (_, call) => {
        expect((await call(subject.caller.as('demo-no-api-key'))).body.error).toBe('PLAN_REQUIRED');
        const { status, body } = await call(subject.caller.as('demo-suspended-key'));
        expect({ status, error: body.error }).toEqual({ status: 403, error: 'SUSPENDED' });
      },
    );

    it.each(writes)(
      '[3.8] [3.9] [7.1.4] %s answers 403 FORBIDDEN to a key that cannot write',
      async (_, call) => {
        for (const key of ['demo-read-key', 'demo-viewer-key']) {
          const { status, body } = await call(subject.caller.as(key));
          expect({ key, status, error: body.error }).toEqual({ key, status: 403, error: 'FORBIDDEN' });
        }
        expect(subject.mock.audit()).toEqual([]);
      },
    );

    it('[3.4] every valid key can read', async () => {
      for (const key of ['demo-write-key', 'demo-read-key', 'demo-viewer-key']) {
        for (const [name, call] of calls.filter((entry) => !writes.includes(entry))) {
          expect({ key, name, status: (await call(subject.caller.as(key))).status }).toEqual({
            key,
            name,
            status: 200,
          });
        }
      }
    });

    it('[3.1] reads the header as HTTP says: any case of the scheme, any number of blanks', async () => {
      const status = async (authorization: string) =>
        (await subject.caller.me({ key: '', headers: { authorization } })).status;
      expect(await status('bearer demo-read-key')).toBe(200);
      expect(await status('BEARER   demo-read-key')).toBe(200);
      expect(await status('Basic demo-read-key')).toBe(401);
      expect(await status('Bearer')).toBe(401);
      expect(await status('Digest demo-read-key')).toBe(401);
      expect(await status('Bearer-demo-read-key')).toBe(401);
      expect(await status('  Bearer demo-read-key  ')).toBe(200);
      expect(await status('Bearer DEMO-READ-KEY')).toBe(401);
      expect(await status('demo-read-key')).toBe(401);
    });

    it('[3.6] [3.15] [3.16] every change takes effect with the next request', async () => {
      const { mock, caller } = subject;
      const { key } = caller;
      const tag = () => caller.apply({ action: 'create-tags', data: data.tags });
      expect((await tag()).status).toBe(200);
      mock.patchKey(key, { editor: false });
      expect((await tag()).status).toBe(403);
      mock.patchKey(key, { editor: true, scope: 'read' });
      expect((await tag()).status).toBe(403);
      mock.patchKey(key, { scope: 'write', suspended: true });
      expect((await caller.read({ resource: 'tags' })).body.error).toBe('SUSPENDED');
      mock.patchKey(key, { suspended: false, revoked: true });
      expect((await caller.me()).status).toBe(401);
      mock.patchKey(key, { revoked: false });
      mock.patchOrganization({ deleted: true });
      expect((await caller.me()).status).toBe(401);
      mock.patchOrganization({ deleted: false, plan: 'free' });
      expect((await caller.me()).body.error).toBe('PLAN_REQUIRED');
      mock.patchOrganization({ plan: 'starter' });
      expect((await caller.me()).body.api.limit).toBe(10_000);
      mock.patchOrganization({ studio: false });
      expect((await caller.studio({ resource: 'projects' })).body.error).toBe('NOT_FOUND');
      mock.patchOrganization({ studio: true, runtime: 'down' });
      expect((await caller.studio({ resource: 'projects' })).status).toBe(502);
      expect((await caller.read({ resource: 'tags' })).status).toBe(404);
      expect((await tag()).body.error).toBe('RUNTIME_UNAVAILABLE');
      mock.patchOrganization({ runtime: 'up' });
      expect((await tag()).status).toBe(200);
    });

    it('[1.10] [3.15] accounts that are not assigned do not exist for the key', async () => {
      const { mock, caller } = subject;
      const friend = (await caller.read({ resource: 'friends', accountId: salon })).body.records[0];
      const elsewhere = { accountId: salon, userId: friend?.userId };
      const all = (await caller.read({ resource: 'routes' })).body;
      const routeOfSalon = all.records.find(({ accountId }) => accountId === salon);
      mock.patchKey(caller.key, { accountIds: [shop] });
      const reads = async (input: object) => (await caller.read(input)).body;
      expect((await reads({ resource: 'accounts' })).records.map(({ id }) => id)).toEqual([shop]);
      expect((await reads({ resource: 'routes' })).total).toBe(1);
      expect((await reads({ resource: 'auto-replies' })).total).toBe(2);
      expect((await reads({ resource: 'friends' })).total).toBe(3);
      expect(
        (await reads({ resource: 'conversations' })).records.every(({ accountId }) => accountId === shop),
      ).toBe(true);
      for (const input of [
        { resource: 'friends', accountId: salon },
        { resource: 'friends', ...elsewhere },
        { resource: 'conversations', accountId: salon },
        { resource: 'messages', ...elsewhere },
        { resource: 'friend-automations', ...elsewhere },
        { resource: 'routes', id: routeOfSalon?.id },
      ]) {
        expect({ input, error: (await reads(input)).error }).toEqual({ input, error: 'NOT_FOUND' });
      }
      const link = (await reads({ resource: 'links' })).records[0];
      expect((await reads({ resource: 'link-clicks', id: link?.id })).total).toBe(2);
      const route = { ...data.routes, accountId: salon };
      expect((await caller.apply({ action: 'create-routes', data: route })).status).toBe(404);
      const broadcast = { ...data.broadcasts, accountIds: [shop, salon] };
      expect((await caller.apply({ action: 'create-broadcasts', data: broadcast })).status).toBe(404);
      mock.patchKey(caller.key, { accountIds: null });
      expect((await reads({ resource: 'accounts' })).total).toBe(2);
    });
  });
}
