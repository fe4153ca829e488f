import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { ConflictError, createClient, InvalidInputError, requireResult } from '../index.ts';

const vip = { name: 'VIP 2', color: 'pink' } as const;

atEachDoor((at) => {
  const sent = (operation: string): number =>
    at.mock.requests.list().filter((request) => request.operation === operation).length;

  describe('find', () => {
    test('returns the only record with the fields, or undefined', async () => {
      await at.client.tags.create(vip);
      expect(await at.client.tags.find({ name: 'VIP 2' })).toMatchObject(vip);
      expect(await at.client.tags.find({ name: ' VIP 2 ', color: 'pink' })).toMatchObject(vip);
      expect(await at.client.tags.find({ name: 'VIP 2', color: 'blue' })).toBeUndefined();
    });

    test('finds a label in any Unicode form', async () => {
      await at.client.tags.create({ name: 'cafe\u0301', color: 'pink' });
      expect(await at.client.tags.find({ name: 'caf\u00e9' })).toMatchObject({ name: 'cafe\u0301' });
      await at.client.tags.create({ name: 'caf\u00e9', color: 'blue' });
      expect(await getRejection(at.client.tags.find({ name: 'cafe\u0301' }))).toMatchObject({
        code: 'AMBIGUOUS_MATCH',
      });
      expect(await at.client.tags.find({ name: 'cafe\u0301', color: 'blue' })).toMatchObject({
        name: 'caf\u00e9',
      });
    });

    test('looks at every page', async () => {
      for (let n = 0; n < 60; n++) await at.client.templates.create({ name: `Template ${n}`, text: 'x' });
      expect(await at.client.templates.find({ name: 'Template 0' })).toMatchObject({ name: 'Template 0' });
    });

    test('rejects if several records match, and names them', async () => {
      const ids = [await at.client.tags.create(vip), await at.client.tags.create(vip)].map(
        (change) => requireResult(change).id,
      );
      const error = await getRejection(at.client.tags.find({ name: 'VIP 2' }));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ code: 'AMBIGUOUS_MATCH', operation: 'readChat' });
      for (const id of ids) expect(error.message).toContain(id);
    });

    test.each([
      [{}, 'find() requires at least one field. Fields: name, color.'],
      [{ name: undefined }, 'find() requires at least one field. Fields: name, color.'],
      [undefined, 'find() requires at least one field. Fields: name, color.'],
      [{ nmae: 'VIP' }, 'tags have no field "nmae". Fields: name, color.'],
      [{ name: 7 }, 'find(): name must be a string; got a number. Fields: name, color.'],
    ])('refuses %j before anything is sent', async (criteria, message) => {
      const error = await getRejection(at.client.tags.find(criteria as object));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(message);
      expect(sent('readChat')).toBe(0);
    });

    test.each([
      [{}, 'where requires at least one field. Fields: name, color.'],
      [null, 'where requires at least one field. Fields: name, color.'],
      [{ colour: 'pink' }, 'tags have no field "colour". Fields: name, color.'],
      [{ color: ['pink'] }, 'where: color must be a string; got a list. Fields: name, color.'],
    ])('refuses where: %j before anything is sent', async (where, message) => {
      const error = await getRejection(at.client.tags.find({ name: 'VIP' }, { where: where as object }));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(message);
      expect(sent('readChat')).toBe(0);
    });

    test('looks only at the records of where', async () => {
      const [first, second] = (await at.client.accounts.list()).records;
      if (!first || !second) throw new Error('the demo has too few accounts');
      const reply = { keyword: 'parking', matchType: 'exact', responseText: 'Yes.', active: true } as const;
      for (const accountId of [first.id, second.id, null])
        await at.client.autoReplies.create({ ...reply, accountId });
      const find = (accountId: string | null) =>
        at.client.autoReplies.find({ keyword: 'parking' }, { where: { accountId } });
      expect(await find(first.id)).toMatchObject({ accountId: first.id });
      expect(await find(second.id.toUpperCase())).toMatchObject({ accountId: second.id });
      expect(await find(null)).toMatchObject({ accountId: null });
      expect(await getRejection(at.client.autoReplies.find({ keyword: 'parking' }))).toMatchObject({
        code: 'AMBIGUOUS_MATCH',
      });
    });

    test('finds a record that a deletion moved to an earlier page', async () => {
      for (let n = 0; n < 55; n++) await at.client.tags.create({ name: `Tag ${n}`, color: 'pink' });
      const all = await at.client.tags.list().toArray();
      const target = all[50];
      if (target === undefined) throw new Error('there are too few tags');
      let reads = 0;
      const fetch = async (request: Request) => {
        const answer = await (at.options.fetch ?? globalThis.fetch)(request);
        const isFirstPage = request.url.endsWith('/chat/read') && ++reads === 1;
        if (isFirstPage && all[3]) await at.client.tags.delete(all[3]);
        return answer;
      };
      const client = createClient({ ...at.options, fetch });
      expect(await client.tags.find({ name: target.name })).toMatchObject({ id: target.id });
    });
  });
});
