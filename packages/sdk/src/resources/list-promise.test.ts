import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { rejectionOf } from '../../test-support/rejection.ts';
import { json, scripted } from '../../test-support/scripted.ts';
import { InvalidInputError } from '../index.ts';

atEachDoor((at) => {
  describe('lists', () => {
    const pages = (): number =>
      at.mock.requests.list().filter(({ operation }) => operation === 'readChat').length;
    const many = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await at.client.templates.create({ name: `Template ${n}`, text: 'x' });
    };

    test('fetch no page before it is needed, and no extra page', async () => {
      await many(12);
      const list = at.client.templates.list({ limit: 5 });
      expect(pages()).toBe(0);
      let seen = 0;
      for await (const _ of list) if (++seen === 5) break;
      expect(pages()).toBe(1);
      seen = 0;
      for await (const _ of at.client.templates.list({ limit: 5, maxItems: 7 })) seen++;
      expect([seen, pages()]).toEqual([7, 3]);
    });

    test('give every record once while others are created', async () => {
      await many(12);
      const seen: string[] = [];
      for await (const template of at.client.templates.list({ limit: 5 })) {
        seen.push(template.id);
        if (seen.length === 5) await many(3);
      }
      expect(new Set(seen).size).toBe(seen.length);
      const total = (await at.client.templates.list()).total;
      expect(seen).toHaveLength(total - 3);
    });

    test('awaited twice are fetched once, and each iteration starts again', async () => {
      const list = at.client.templates.list({ limit: 2 });
      const [first, second] = [await list, await list];
      expect(second).toBe(first);
      expect((await list.withResponse()).data).toBe(first);
      expect(pages()).toBe(1);
      for (let round = 0; round < 2; round++) for await (const _ of list) break;
      expect(pages()).toBe(3);
    });

    test.each([-1, 1.5, Number.NaN])('with maxItems %s are rejected', async (maxItems) => {
      for (const list of [at.client.templates.list({ maxItems }), at.client.studio.projects({ maxItems })]) {
        const iterated = (async () => {
          for await (const _ of list) expect.unreachable();
        })();
        for (const used of [list, list.withResponse(), iterated]) {
          const error = await rejectionOf(used);
          expect(error).toBeInstanceOf(InvalidInputError);
          expect(error.message).toBe(`maxItems must be a non-negative integer or Infinity; got ${maxItems}.`);
        }
      }
      expect(pages()).toBe(0);
    });

    test('with maxItems Infinity are complete', async () => {
      let seen = 0;
      for await (const _ of at.client.templates.list({ maxItems: Infinity })) seen++;
      expect(seen).toBe((await at.client.templates.list()).total);
    });

    test('with an offset that is not a number are refused', async () => {
      const read = async () => {
        for await (const _ of at.client.templates.list({ offset: Number('ten') })) expect.unreachable();
      };
      expect(await rejectionOf(at.client.templates.list({ offset: Number.NaN }))).toBeInstanceOf(
        InvalidInputError,
      );
      expect(await rejectionOf(read())).toBeInstanceOf(InvalidInputError);
    });

    test('maxItems 0 gives no record', async () => {
      for await (const _ of at.client.templates.list({ maxItems: 0 })) expect.unreachable();
      expect(pages()).toBe(0);
    });
  });
});

test('records that have no id are all given, each once', async () => {
  // The contract leaves open what is in a record.
  const page = (...names: string[]) => json({ total: 6, records: names.map((name) => ({ name })) });
  const { client } = scripted([page('a', 'b', 'c'), page('c', 'd', 'e')]);
  const seen: string[] = [];
  for await (const { name } of client.tags.list({ limit: 3 })) seen.push(name);
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
});
