import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { shop } from '../../test-support/data.ts';

const { control } = useServer();

describe('the keys of an organization', () => {
  it('are listed with their plan and what counts for their limits', async () => {
    const mock = createMock({ now: () => Date.UTC(2026, 3, 10) });
    const findKey = (name: string) => mock.listKeys().find(({ key }) => key === name);
    await new Caller(mock).me();
    await new Caller(mock).me();
    await new Caller(mock, 'demo-read-key').me();
    expect(findKey('demo-write-key')).toMatchObject({
      plan: 'business',
      usage: { lastMinute: 2, month: '2026-04', thisMonth: 3, monthlyLimit: 100_000 },
    });
    expect(findKey('demo-read-key')?.usage).toMatchObject({ lastMinute: 1, thisMonth: 3 });
    mock.clock.advance(60_000);
    mock.patchLimits({ monthlyLimit: 'off' });
    expect(findKey('demo-write-key')?.usage).toMatchObject({ lastMinute: 0, monthlyLimit: null });
    mock.clock.advance(31 * 86_400_000);
    mock.patchLimits({ monthlyLimit: 7 });
    expect(findKey('demo-write-key')?.usage).toEqual({
      ...{ lastMinute: 0, month: '2026-05', thisMonth: 0, monthlyLimit: 7 },
    });
    expect(mock.organizations().map(({ plans }) => plans[0])).toEqual(['free', 'free', 'free']);
  });
});

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
