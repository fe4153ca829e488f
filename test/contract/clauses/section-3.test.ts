import { createClient } from '@orgchat/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { data, salon, shop } from '../../../packages/mock-server/test-support/data.ts';
import { document } from '../../../spec/test-support/document.ts';
import { contract, listVariants, operations, serve } from './service.ts';

afterEach(() => vi.unstubAllGlobals());

const reads = [
  ['/me', undefined],
  ['/chat/read', { resource: 'tags' }],
  ['/studio/read', { resource: 'projects' }],
] as const;

describe('section 3: authentication and authority', () => {
  it('[3.1] the document requires the bearer key for every operation', () => {
    expect(contract.security).toEqual([{ apiKey: [] }]);
    expect(contract.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
    for (const operation of operations) expect(operation).not.toHaveProperty('security');
  });

  it('[3.2] no operation creates, lists or changes a key', async () => {
    for (const { path } of operations) expect(path).not.toMatch(/key(?!words)/i);
    for (const name of [...listVariants('ChatReadInput'), ...listVariants('ChatChange')]) {
      expect(name).not.toMatch(/key/i);
    }
    const { caller } = serve();
    const { key } = (await caller.me()).body;
    expect(key).toEqual({ name: 'Demo write key', scope: 'write' });
  });

  it.each([
    ['free', 403],
    ['starter', 200],
    ['business', 200],
    ['enterprise', 200],
  ] as const)('[3.3, 4.1.4] on plan %s a key is answered %i', async (plan, status) => {
    const { caller, mock } = serve();
    mock.patchOrganization({ plan });
    for (const [path, body] of reads) expect((await caller.send(path, body)).status, path).toBe(status);
  });

  it('[3.5] two keys of one organization act for two members', async () => {
    const { caller, mock } = serve();
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    mock.patchKey('demo-viewer-key', { accountIds: [salon], editor: true });
    const seen = async (key: string): Promise<unknown[]> =>
      (await caller.as(key).read({ resource: 'accounts' })).body.records.map(({ id }) => id);
    expect(await seen('demo-write-key')).toEqual([shop]);
    expect(await seen('demo-viewer-key')).toEqual([salon]);
    const route = (accountId: string) => ({
      action: 'create-routes',
      data: { ...data.routes, accountId },
    });
    expect((await caller.apply(route(shop))).status).toBe(200);
    expect((await caller.apply(route(salon))).status).toBe(404);
    expect((await caller.as('demo-viewer-key').apply(route(salon))).status).toBe(200);
  });

  it('[3.7] only keyword creation and chat changes are writes', async () => {
    const reader = serve().caller.as('demo-read-key');
    const actions = listVariants('ChatChange');
    expect(actions).toHaveLength(22);
    for (const action of actions) {
      const { status, body } = await reader.apply({ action });
      expect({ action, status, error: body.error }).toEqual({ action, status: 403, error: 'FORBIDDEN' });
    }
    expect((await reader.keywords('demo-site', { keywords: ['x'] })).body.error).toBe('FORBIDDEN');
    for (const [path, body] of reads) expect((await reader.send(path, body)).status, path).toBe(200);
    expect(Object.keys(document.paths)).toHaveLength(reads.length + 2);
  });

  it('[3.17] the client refuses to run in a browser page, and the server sends no CORS headers', async () => {
    const { caller, mock } = serve();
    const create = () => createClient({ apiKey: 'demo-read-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
    expect(create).not.toThrow();
    const navigator = { userAgent: 'Mozilla/5.0' };
    vi.stubGlobal('window', { navigator });
    vi.stubGlobal('document', {});
    vi.stubGlobal('navigator', navigator);
    expect(create).toThrow(/browser page/);
    vi.unstubAllGlobals();
    const origin = { Origin: 'https://example.com' };
    const preflight = await caller.as('').send('/me', undefined, { method: 'OPTIONS', headers: origin });
    const asked = await caller.me({ headers: origin });
    for (const { headers } of [preflight, asked]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
