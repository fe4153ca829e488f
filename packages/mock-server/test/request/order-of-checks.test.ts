import { expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, nobody } from '../../test-support/data.ts';

const stale = createGuard({ revision: '0'.repeat(64), label: 'Another' });
const create = { action: 'create-tags', data: data.tags };
const used = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

/** Creates a caller whose request also fails at other steps: its key or its organization is invalid. */
async function given(key: string, options: MockOptions = {}, plan = 'business'): Promise<Caller> {
  const mock = createMock(options);
  const writer = new Caller(mock);
  if (options.monthlyLimit === undefined) await writer.change(used, create);
  mock.patchOrganization({ plan });
  return writer.as(key);
}

/** Requests that fail at two steps. The earlier step decides the answer (D3). */
it.each([
  ['the path before the key', '', {}, 'business', '/nowhere', {}, 'NOT_FOUND'],
  ['the key before the plan', 'demo-revoked-key', {}, 'free', '/chat/read', {}, 'UNAUTHORIZED'],
  [
    'the plan before the limits',
    'demo-write-key',
    { monthlyLimit: 0 },
    'free',
    '/me',
    undefined,
    'PLAN_REQUIRED',
  ],
  [
    'suspension before the limits',
    'demo-suspended-key',
    { monthlyLimit: 0 },
    'business',
    '/me',
    undefined,
    'SUSPENDED',
  ],
  [
    'the limits before the scope',
    'demo-read-key',
    { monthlyLimit: 0 },
    'business',
    '/chat/changes',
    {},
    'QUOTA_EXCEEDED',
  ],
  ['the scope before the body', 'demo-read-key', {}, 'business', '/chat/changes', {}, 'FORBIDDEN'],
  ['the editor before the body', 'demo-viewer-key', {}, 'business', '/chat/changes', {}, 'FORBIDDEN'],
  [
    'the body before the operationId',
    'demo-write-key',
    {},
    'business',
    '/chat/changes',
    { operationId: used, change: { ...create, extra: 1 } },
    'INVALID_INPUT',
  ],
  [
    'the operationId before the record',
    'demo-write-key',
    {},
    'business',
    '/chat/changes',
    { operationId: used, change: { action: 'update-tags', id: nobody, ...stale, data: data.tags } },
    'INPUT_CONFLICT',
  ],
  [
    'the record before its revision',
    'demo-write-key',
    {},
    'business',
    '/chat/changes',
    { operationId: nobody, change: { action: 'update-tags', id: nobody, ...stale, data: data.tags } },
    'NOT_FOUND',
  ],
] as const)('%s', async (_, key, options, plan, path, body, error) => {
  const caller = await given(key, options, plan);
  expect((await caller.send(path, body)).body.error).toBe(error);
});

it('the revision before references', async () => {
  const caller = await given('demo-write-key');
  const { id, ...record } = await caller.first('scenarios');
  const change = { action: 'update-scenarios', id, data: { ...data.scenarios, accountId: nobody } };
  expect((await caller.apply({ ...change, ...stale })).body.error).toBe('STALE_REVISION');
  expect((await caller.apply({ ...change, ...createGuard(record) })).body.error).toBe('NOT_FOUND');
});
