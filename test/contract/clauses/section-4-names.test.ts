import { describe, expect, it } from 'vitest';
import { contract, operations, serve } from './service.ts';

describe('section 4: names', () => {
  it.each([
    ['4.1.1', 'getAccount', 'get', '/me'],
    ['4.2.1', 'addSeoKeywords', 'post', '/sites/{siteId}/keywords'],
    ['4.3.1', 'readChat', 'post', '/chat/read'],
    ['4.4.1', 'changeChat', 'post', '/chat/changes'],
    ['4.5.1', 'readStudio', 'post', '/studio/read'],
  ])('[%s] %s is %s %s', async (_, name, method, path) => {
    expect(operations.find(({ operationId }) => operationId === name)).toMatchObject({ method, path });
    const { mock, caller } = serve();
    await caller.send(path.replace('{siteId}', 'demo-site'), method === 'post' ? {} : undefined);
    expect(mock.requests.list()).toMatchObject([{ operation: name }]);
  });
});

describe('section 4.2: the site and its key', () => {
  it('[4.2.2] siteId is a required string in the path, decoded once', async () => {
    const { SiteId } = contract.components.parameters;
    expect(SiteId).toMatchObject({ name: 'siteId', in: 'path', required: true, schema: { type: 'string' } });
    const site = { id: 'a site/with %20', keywordLimit: 10 };
    const organization = { id: 'o', keys: [{ key: 'k', name: 'K', scope: 'write' as const }], sites: [site] };
    const { caller } = serve({ seed: { format: 'orgchat-seed', version: 1, organizations: [organization] } });
    const add = (siteId: string) => caller.as('k').keywords(siteId, { keywords: ['x'] });
    expect((await add(encodeURIComponent(site.id))).status).toBe(201);
    expect((await add(encodeURIComponent(encodeURIComponent(site.id)))).status).toBe(404);
    expect((await add('')).status).toBe(404);
  });

  it('[4.2.4] keywords require a write key whose creator can still edit', async () => {
    const { caller, mock } = serve();
    const add = async (keyword: string): Promise<number> =>
      (await caller.keywords('demo-site', { keywords: [keyword] })).status;
    expect(await add('a')).toBe(201);
    mock.patchKey(caller.key, { editor: false });
    expect(await add('b')).toBe(403);
    mock.patchKey(caller.key, { editor: true, scope: 'read' });
    expect(await add('c')).toBe(403);
    mock.patchKey(caller.key, { scope: 'write' });
    expect(await add('d')).toBe(201);
    expect(mock.keywords('demo-site').map(({ keyword }) => keyword)).toEqual(
      expect.not.arrayContaining(['b', 'c']),
    );
  });
});
