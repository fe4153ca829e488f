import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ForkableMap } from './forkable-map.ts';

interface Value {
  readonly n: number;
}

const key = fc.integer({ min: 0, max: 60 }).map(String);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fork' as const), key }) },
);

function agree(keyed: ForkableMap<Value>, model: ReadonlyMap<string, Value>): void {
  expect(new Set(keyed.values())).toEqual(new Set(model.values()));
  expect([...keyed.values()]).toHaveLength(model.size);
  for (let n = 0; n <= 60; n++) expect(keyed.get(String(n))).toBe(model.get(String(n)));
}

it('behaves like a Map under any sequence of writes, and forks are independent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.boolean(), (steps, onTheFork) => {
      let keyed = new ForkableMap<Value>();
      let model = new Map<string, Value>();
      const left: [ForkableMap<Value>, Map<string, Value>][] = [];
      steps.forEach((now, n) => {
        if (now.kind === 'set') {
          const value = { n };
          keyed.set(now.key, value);
          model.set(now.key, value);
        } else if (now.kind === 'delete') {
          keyed.delete(now.key);
          model.delete(now.key);
        } else {
          const fork = keyed.fork();
          const copy = new Map(model);
          left.push(onTheFork ? [keyed, model] : [fork, copy]);
          if (onTheFork) [keyed, model] = [fork, copy];
        }
      });
      agree(keyed, model);
      for (const [other, its] of left) agree(other, its);
    }),
    { numRuns: 300 },
  );
});
