import { describe, expect, it } from 'vitest';
import { Caller } from './caller.ts';
import { data } from './data.ts';
import { doors } from './doors.ts';
import { suiteThrough } from './suite/through.ts';

/* One black-box suite, through three doors: HTTP, `mock.fetch` and msw must agree on every answer. */
describe.each(Object.entries(doors))('through %s', (_, open) => {
  suiteThrough(open);

  // Not in the suite: no proxy that judges by the document lets such an answer pass.
  it('respond gives another success, and one without a body, where it is told to', async () => {
    const door = await open({});
    try {
      const caller = new Caller(door);
      door.mock.faults.arm({
        effect: 'respond',
        status: 202,
        undeclared: true,
        action: 'create-tags',
      });
      const { status, body } = await caller.apply({ action: 'create-tags', data: data.tags });
      expect([status, body.error]).toEqual([202, 'INTERNAL_ERROR']);
      for (const bodiless of [204, 205, 304]) {
        door.mock.faults.arm({ effect: 'respond', status: bodiless, undeclared: true });
        const answer = await caller.me();
        expect([answer.status, answer.body]).toEqual([bodiless, {}]);
      }
      expect((await caller.read({ resource: 'tags' })).body.total).toBe(3);
    } finally {
      await door.close();
    }
  });
});
