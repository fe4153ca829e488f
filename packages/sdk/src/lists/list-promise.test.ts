import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { numbered } from '../../test-support/servers/list-server.ts';
import { json, scripted } from '../../test-support/servers/scripted.ts';
import { AbortedError, InvalidInputError } from '../index.ts';

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
      const { total = 0 } = await at.client.templates.list();
      expect(seen).toHaveLength(total - 3);
    });

    test('give every record that stays once while others are deleted', async () => {
      await many(12);
      const all = await at.client.templates.list().toArray();
      const seen: string[] = [];
      for await (const template of at.client.templates.list({ limit: 5 })) {
        seen.push(template.id);
        const gone = seen.length === 5 ? all.slice(1, 4) : [];
        for (const record of gone) await at.client.templates.delete(record);
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    });

    test('give every record to a loop that deletes each', async () => {
      await many(12);
      let deleted = 0;
      for await (const { records } of at.client.templates.list({ limit: 5 }).pages()) {
        for (const { id } of records) {
          await at.client.templates.delete(await at.client.templates.get(id));
          deleted++;
        }
      }
      expect(deleted).toBeGreaterThanOrEqual(12);
      expect(await at.client.templates.list().toArray()).toEqual([]);
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
          const error = await getRejection(used);
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
      expect(await getRejection(at.client.templates.list({ offset: Number.NaN }))).toBeInstanceOf(
        InvalidInputError,
      );
      expect(await getRejection(read())).toBeInstanceOf(InvalidInputError);
    });

    test('are read into an array, whole or up to max', async () => {
      await many(60);
      const { total } = await at.client.templates.list();
      const before = pages();
      const all = await at.client.templates.list().toArray();
      expect(new Set(all.map(({ id }) => id)).size).toBe(total);
      expect(pages() - before).toBe(2);
      const some = await at.client.templates.list({ maxItems: 55 }).toArray({ max: 52 });
      expect(some).toEqual(all.slice(0, 52));
      expect(await at.client.templates.list({ maxItems: 3 }).toArray({ max: 52 })).toEqual(all.slice(0, 3));
      expect(await at.client.templates.list().toArray({ max: 0 })).toEqual([]);
      expect(await at.client.studio.projects().toArray({ max: 1 })).toHaveLength(1);
    });

    test('give their first record, and ask for no more', async () => {
      const [newest] = await at.client.templates.list().toArray();
      expect(await at.client.templates.list().first()).toEqual(newest);
      expect(await at.client.friends.list({ search: 'nobody has this name' }).first()).toBeUndefined();
      expect(await at.client.studio.projects({ query: 'no project has this name' }).first()).toBeUndefined();
    });

    test('give page after page, each record once, while others are made', async () => {
      await many(12);
      const { total = 0 } = await at.client.templates.list();
      const seen: string[] = [];
      for await (const { records } of at.client.templates.list({ limit: 5 }).pages()) {
        seen.push(...records.map(({ id }) => id));
        if (seen.length === 5) await many(3);
      }
      expect(seen).toHaveLength(total);
      expect(new Set(seen).size).toBe(total);
      const sizes: number[] = [];
      for await (const { records } of at.client.templates.list({ limit: 5, maxItems: 7 }).pages())
        sizes.push(records.length);
      expect(sizes).toEqual([5, 2]);
      const names: string[] = [];
      for await (const { projects } of at.client.studio.projects().pages())
        names.push(...projects.map(({ name }) => name));
      expect(names.length).toBeGreaterThan(0);
    });

    test('are promises: catch and finally', async () => {
      let ended = 0;
      expect((await at.client.tags.list().finally(() => ended++)).records.length).toBeGreaterThan(0);
      const caught = await at.client.tags.list({ maxItems: -1 }).catch((error: unknown) => error);
      expect(caught).toBeInstanceOf(InvalidInputError);
      await getRejection(at.client.tags.list({ maxItems: -1 }).finally(() => ended++));
      expect(ended).toBe(2);
    });

    test.each([-1, 1.5, Number.NaN])('toArray({ max: %s }) is a mistake', async (max) => {
      const error = await getRejection(at.client.tags.list().toArray({ max }));
      expect(error.message).toBe(`max must be a non-negative integer or Infinity; got ${max}.`);
      expect(pages()).toBe(0);
    });

    test('end before the next record or page when the signal aborts', async () => {
      await many(12);
      const controller = new AbortController();
      const { signal } = controller;
      const read = async () => {
        for await (const _ of at.client.templates.list({ limit: 5, signal }).pages()) controller.abort();
      };
      expect(await getRejection(read())).toBeInstanceOf(AbortedError);
      expect(await getRejection(at.client.templates.list({ signal }).toArray())).toBeInstanceOf(AbortedError);
    });

    test('maxItems 0 gives no record', async () => {
      for await (const _ of at.client.templates.list({ maxItems: 0 })) expect.unreachable();
      expect(pages()).toBe(0);
    });
  });
});

test('the first record is asked for alone', async () => {
  const { client, sent } = scripted([json({ total: 6, limited: true, records: numbered(1) })]);
  expect(await client.tags.list().first()).toEqual(numbered(1)[0]);
  expect(sent.map(({ body }) => body)).toEqual(['{"resource":"tags","limit":1}']);
});

test('toArray() refuses an option that does not exist, and treats null as no options', async () => {
  const page = json({ records: numbered(1), total: 1, limited: false });
  const { client, sent } = scripted([page]);
  const error = await getRejection(client.tags.list().toArray({ maxx: 1 } as never));
  expect(error).toMatchObject({
    code: 'INVALID_OPTIONS',
    message: '"maxx" is not an option of toArray(). Options: max.',
  });
  expect(sent).toEqual([]);
  expect(await client.tags.list().toArray(null as never)).toEqual(numbered(1));
});
