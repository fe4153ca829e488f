import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tree } from './tree.ts';

/** What a tree must agree with: a sorted array of pairs. */
class Model {
  readonly pairs = new Map<number, string>();
  keys(): number[] {
    return [...this.pairs.keys()].sort((a, b) => a - b);
  }
}

const key = fc.integer({ min: 0, max: 400 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const), key }) },
);

function agree(tree: Tree<number, string>, model: Model, at: number): void {
  const keys = model.keys();
  expect(tree.size).toBe(keys.length);
  expect([...tree.values()]).toEqual(keys.map((k) => model.pairs.get(k)));
  expect(tree.get(at)).toBe(model.pairs.get(at));
  expect(tree.rank(at)).toBe(keys.filter((k) => k < at).length);
  const down = keys.slice(0, at + 1).reverse();
  if (at < keys.length)
    expect(tree.downFrom(at, 70)).toEqual(down.slice(0, 70).map((k) => model.pairs.get(k)));
  else expect(tree.downFrom(at, 70)).toEqual([]);
}

describe('the counted tree', () => {
  it('behaves like a sorted array under any sequence of writes, and forks keep their content', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), key, (steps, at) => {
        let tree = Tree.ofNumbers<string>();
        let model = new Model();
        const left: [Tree<number, string>, Model][] = [];
        steps.forEach((now, n) => {
          if (now.kind === 'set') {
            expect(tree.set(now.key, `${n}`)).toBe(model.pairs.get(now.key));
            model.pairs.set(now.key, `${n}`);
          } else if (now.kind === 'delete') {
            expect(tree.delete(now.key)).toBe(model.pairs.get(now.key));
            model.pairs.delete(now.key);
          } else {
            const fork = tree.fork();
            const copy = new Model();
            for (const [k, v] of model.pairs) copy.pairs.set(k, v);
            left.push([tree, model]);
            [tree, model] = [fork, copy];
          }
        });
        agree(tree, model, at);
        for (const [other, its] of left) agree(other, its, at);
      }),
      { numRuns: 200 },
    );
  });

  it('is correct for many keys: ascending, descending and random', () => {
    const orders = [
      Array.from({ length: 20_000 }, (_, i) => i),
      Array.from({ length: 20_000 }, (_, i) => 20_000 - i),
      Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_011),
    ];
    for (const order of orders) {
      const tree = Tree.ofNumbers<number>();
      for (const k of order) tree.set(k, k);
      for (const k of order.filter((_, i) => i % 3 === 0)) tree.delete(k);
      const kept = order.filter((_, i) => i % 3 !== 0).sort((a, b) => a - b);
      expect([...tree.values()]).toEqual(kept);
      for (let rank = 0; rank < kept.length; rank += 997) {
        expect(tree.downFrom(rank, 1)).toEqual([kept[rank]]);
        expect(tree.rank(kept[rank] ?? 0)).toBe(rank);
      }
    }
  });
});
