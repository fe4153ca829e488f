import { describe, expect, it } from 'vitest';
import { useServer } from '../../test-support/control-server.ts';
import { shop } from '../../test-support/data.ts';

const { control } = useServer();

describe('the control API', () => {
  it('changes organization and keys, and rejects unknown values', async () => {
    const patched = await control('PATCH', '/organization', {
      plan: 'starter',
      runtime: 'down',
      studio: false,
    });
    expect(patched.body).toMatchObject({ plan: 'starter', runtime: 'down', studio: false, deleted: false });
    const key = await control('PATCH', '/keys/demo-read-key', {
      scope: 'write',
      accountIds: [shop.toUpperCase()],
    });
    expect(key.body).toMatchObject({ scope: 'write', accountIds: [shop], organizationId: 'org_demo' });
    expect((await control('PATCH', '/keys/nobody', {})).status).toBe(404);
    for (const [path, body] of [
      ['/organization', { plan: 'gold' }],
      ['/organization', { runtime: true }],
      ['/organization', { name: 'x' }],
      ['/keys/demo-read-key', { scope: 'admin' }],
      ['/keys/demo-read-key', { accountIds: [crypto.randomUUID()] }],
      ['/keys/demo-read-key', { key: 'x' }],
    ] as const) {
      const answer = await control('PATCH', path, body);
      expect({ path, body, status: answer.status }).toEqual({ path, body, status: 400 });
    }
  });
});
