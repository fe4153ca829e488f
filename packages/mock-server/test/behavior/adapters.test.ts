import { describe, expect, it } from 'vitest';
import { adapters } from '../../test-support/adapters.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import { runBehaviorTests } from './run-behavior-tests.ts';

/* The same tests through three adapters: HTTP, `mock.fetch` and msw must give the same answers. */
describe.each(Object.entries(adapters))('through %s', (_, open) => {
  runBehaviorTests(open);

  // Not in behavior/: the validating proxy that also runs those tests rejects such an answer.
  it('respond sends another success, or one without a body, if configured', async () => {
    const served = await open({});
    try {
      const caller = new Caller(served);
      served.mock.faults.arm({
        effect: 'respond',
        status: 202,
        undeclared: true,
        action: 'create-tags',
      });
      const { status, body } = await caller.apply({ action: 'create-tags', data: data.tags });
      expect([status, body.error]).toEqual([202, 'INTERNAL_ERROR']);
      for (const bodiless of [204, 205, 304]) {
        served.mock.faults.arm({ effect: 'respond', status: bodiless, undeclared: true });
        const answer = await caller.me();
        expect([answer.status, answer.body]).toEqual([bodiless, {}]);
      }
      expect((await caller.read({ resource: 'tags' })).body.total).toBe(3);
    } finally {
      await served.close();
    }
  });
});
