import { describe, expect } from 'vitest';
import { test, testWith } from '../../src/testing/vitest.ts';

describe('the fixtures for vitest', () => {
  test('give a client and a sandbox', async ({ client, mock, requestLog }) => {
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    const created = await client.tags.create({ name: 'Once', color: 'blue' });
    expect(created.replayed).toBe(true);
    requestLog.appliedExactlyOnce(created.operationId);
    requestLog.requested({ action: 'create-tags' }, 2);
    expect(() => requestLog.requested({ action: 'create-tags' }, 3)).toThrow(/Expected 3.*found 2/);
    expect(() => requestLog.neverApplied(created.operationId)).toThrow(/applied 1 times/);
    expect(() => requestLog.appliedExactlyOnce(crypto.randomUUID())).toThrow(/applied 0 times/);
  });

  test('give each test its own', async ({ client, mock }) => {
    const { total } = await client.tags.list({ limit: 1 });
    expect(total).toBe(3);
    expect(mock.requests.list()).toHaveLength(1);
    expect(mock.faults.list()).toEqual([]);
  });

  test('connect with another key', async ({ connect }) => {
    const reader = connect({ apiKey: 'demo-read-key' });
    expect((await reader.account()).key.scope).toBe('read');
  });

  const starter = testWith({ mock: { monthlyLimit: 2 }, client: { retry: false } });
  starter('take options', async ({ client }) => {
    await client.account();
    await client.account();
    await expect(client.account()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });
});
