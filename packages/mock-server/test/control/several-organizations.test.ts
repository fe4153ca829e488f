import { describe, expect, it } from 'vitest';
import { createMock, demoSeed } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { vip } from '../../test-support/data.ts';

const { control } = useServer();

describe('several organizations', () => {
  const ids = ['org_second', '42'];
  const seed = {
    organizations: [
      ...demoSeed.organizations,
      ...ids.map((id) => ({
        id,
        keys: [{ key: `key-of-${id}`, name: id, scope: 'write' as const }],
        accounts: [{ id: 'shop', name: id }],
        sites: [{ id: 'their-site' }],
        tags: [{ id: 'vip', name: 'Their VIP', color: 'pink' as const }],
      })),
    ],
  };

  it.each(ids)('are all reachable: %s', async (id) => {
    const own = createMock({ seed, rateLimit: 'off' });
    const listening = await own.listen({ port: 0 });
    const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const response = await fetch(`${listening.controlUrl}${path}organization=${id}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect(response.status).toBeLessThan(300);
      return (await response.json()) as Record<string, unknown>;
    };
    const theirs = new Caller({ baseUrl: listening.baseUrl, fetch }, `key-of-${id}`);
    const friend = await call('POST', '/friends?', { displayName: 'Theirs' });
    expect((await theirs.read({ resource: 'friends' })).body.records).toEqual([friend]);
    expect(await call('GET', '/records?resource=friends&')).toEqual({ records: [friend], total: 1 });
    await call('POST', '/edit?', { resource: 'tags', id: vip, data: { name: 'Edited' } });
    expect((await theirs.read({ resource: 'tags' })).body.records).toMatchObject([{ name: 'Edited' }]);
    await theirs.keywords('their-site', { keywords: ['one'] });
    expect((await call('GET', '/sites/their-site/keywords?')).keywords).toHaveLength(1);
    expect((await call('GET', '/keys?')).keys).toMatchObject([{ key: `key-of-${id}`, organizationId: id }]);
    await theirs.apply({ action: 'create-tags', data: { name: 'Made', color: 'pink' } });
    expect((await call('GET', '/operations?')).operations).toHaveLength(1);
    expect(own.operations()).toEqual([]);
    expect((await call('GET', '/audit?')).audit).toMatchObject([{ organizationId: id }]);
    expect((await call('GET', '/notifications?')).notifications).toEqual([]);
    expect([own.audit().length, own.audit({ organization: 'org_demo' })]).toEqual([1, []]);
    expect(await call('PATCH', '/organization?', { runtime: 'down' })).toMatchObject({ id, runtime: 'down' });
    expect((await theirs.me()).status).toBe(200);
    const listed = own.organizations();
    expect(listed.map((organization) => organization.id)).toEqual(seed.organizations.map((one) => one.id));
    expect(listed.filter(({ runtime }) => runtime === 'down').map((one) => one.id)).toEqual([id]);
    expect(() => own.edit({ resource: 'tags', id: vip, data: {} }, { organization: 'nobody' })).toThrow(
      'Organizations: org_demo',
    );
    await listening.close();
  });

  it('are listed over HTTP, and an unknown one is refused by every call that applies to one', async () => {
    expect((await control('GET', '/organizations')).body.organizations).toEqual(createMock().organizations());
    for (const [method, path, body] of [
      ['GET', '/keys'],
      ['GET', '/records'],
      ['GET', '/operations'],
      ['GET', '/audit'],
      ['GET', '/notifications'],
      ['GET', '/sites/demo-site/keywords'],
      ['PATCH', '/organization', {}],
      ['POST', '/edit', { resource: 'tags', id: vip, data: {} }],
    ] as const) {
      const query = path === '/records' ? 'resource=tags&' : '';
      const answer = await control(method, `${path}?${query}organization=nobody`, body);
      expect([path, answer.status, answer.body.message]).toEqual([
        path,
        404,
        expect.stringContaining('Organizations: org_demo'),
      ]);
    }
  });
});
