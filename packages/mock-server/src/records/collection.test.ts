import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Collection } from './collection.ts';
import { Entry } from './entry.ts';

const account = fc.integer({ min: 0, max: 4 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), account, at: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(200) }) },
);

describe('a collection', () => {
  it('pages newest first at any offset, of any accounts, as a filtered array would', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.uniqueArray(account, { minLength: 1 }),
        fc.nat(60),
        fc.integer({ min: 1, max: 50 }),
        (steps, seen, offset, limit) => {
          const collection = Collection.empty();
          let model: Entry[] = [];
          for (const now of steps) {
            if (now.kind === 'add') {
              const sequence = collection.nextSequence;
              const entry = new Entry(sequence, now.account, 1, `r${sequence}`, { id: sequence });
              collection.put(entry);
              model.push(entry);
              continue;
            }
            const before = model[now.at];
            if (before === undefined) continue;
            model = model.filter((entry) => entry !== before);
            if (now.kind === 'remove') collection.remove(before);
            else {
              const moved = new Entry(
                before.sequence,
                now.account,
                before.version + 1,
                before.id,
                before.fields,
              );
              collection.put(moved);
              model.push(moved);
            }
          }
          const newest = model.toSorted((a, b) => b.sequence - a.sequence);
          const scope = seen.toSorted((a, b) => a - b);
          const visible = newest.filter((entry) => scope.includes(entry.account));
          expect(collection.page(scope, offset, limit)).toEqual({
            entries: visible.slice(offset, offset + limit),
            total: visible.length,
          });
          expect(collection.page(undefined, offset, limit).entries).toEqual(
            newest.slice(offset, offset + limit),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
