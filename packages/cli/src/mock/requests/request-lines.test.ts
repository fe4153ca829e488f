import { expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { listRequests, selectRequests } from './list-requests.ts';
import { isFailed, showAction, showKey, showOutcome } from './request-lines.ts';

const ok = { status: 200, error: null, answered: true, applied: false, replayOf: null, faults: [] };

it('a key that no key of the mock has is shown masked', () => {
  expect(showKey({ key: 'demo***ey', keyName: 'Demo read' })).toBe('Demo read');
  expect(showKey({ key: 'nobo***dy', keyName: null })).toBe('nobo***dy');
  expect(showKey({ key: null, keyName: null })).toBeNull();
});

it.each([
  [ok, 'ok', false],
  [{ ...ok, applied: true }, 'applied', false],
  [{ ...ok, replayOf: 'req-00000001' }, 'replay of req-00000001', false],
  [{ ...ok, status: 404, error: 'NOT_FOUND' }, 'refused', true],
  [{ ...ok, status: 500, error: 'INTERNAL_ERROR', applied: true }, 'applied, failed', true],
  [{ ...ok, applied: true, answered: false, faults: ['lose-response'] }, 'applied, no answer', true],
  [{ ...ok, status: null, answered: false, faults: ['drop-request'] }, 'no answer', true],
  [{ ...ok, status: null, answered: false, faults: ['delay'] }, 'pending', false],
])('the outcome of %j is %s', (row, outcome, failed) => {
  expect([showOutcome(row), isFailed(row)]).toEqual([outcome, failed]);
});

it('a read is shown with what it reads', () => {
  expect(showAction({ action: null, operation: 'readChat', resource: 'tags' })).toBe('readChat tags');
  expect(showAction({ action: 'create-tags', operation: 'changeChat', resource: 'tags' })).toBe(
    'create-tags',
  );
  expect(showAction({ action: null, operation: 'getAccount', resource: null })).toBe('getAccount');
});

it.each([
  [{}, [1, 2, 3, 4]],
  [{ limit: 2 }, [3, 4]],
  [{ limit: 9 }, [1, 2, 3, 4]],
  [{ after: 0, limit: 2 }, [1, 2]],
  [{ failed: true }, [2, 4]],
  [{ failed: true, limit: 1 }, [4]],
] as const)('%j selects requests %j', (page, ids) => {
  const refused = { ...ok, status: 400, error: 'INVALID_INPUT' };
  const rows = [ok, refused, ok, refused].map((row, at) => ({ ...row, id: at + 1 }));
  expect(selectRequests(rows, page).map(({ id }) => id)).toEqual(ids);
});

it.each([
  [{}, '/requests'],
  [{ limit: 2 }, '/requests'],
  [{ after: 3 }, '/requests?after=3'],
  [{ after: 3, limit: 2 }, '/requests?after=3&limit=2'],
  [{ after: 3, limit: 2, failed: true }, '/requests?after=3'],
] as const)('%j reads no more of the log than it needs: %s', async (page, path) => {
  const asked: string[] = [];
  const call = async (_method: string, given: string) => asked.push(given);
  const output = { format: 'json', many: async () => {} };
  await listRequests({ output, options: {} } as unknown as Context, { call }, page);
  expect(asked).toEqual([path]);
});
