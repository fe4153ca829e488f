import { configurationResources, records } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { data, nobody, salon, shop } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const stranger = `U${'0'.repeat(32)}`;

export function readsTests(subject: MockUnderTest): void {
  const read = async (input: object) => (await subject.caller.read(input)).body;

  describe('chat read', () => {
    it('[4.3.20] [4.3.21] [4.3.25] the demo has records of every resource, in the assumed shapes', async () => {
      const friend = await subject.caller.first('friends');
      const aiko = (await read({ resource: 'friends', search: 'aiko' })).records[0];
      const person = { accountId: friend.accountId, userId: friend.userId };
      const inputs = {
        accounts: {},
        ...Object.fromEntries(configurationResources.map((resource) => [resource, {}])),
        friends: {},
        conversations: {},
        messages: person,
        'friend-automations': { accountId: aiko?.accountId, userId: aiko?.userId },
        'form-submissions': { id: (await subject.caller.first('forms')).id },
        'link-clicks': { id: (await subject.caller.first('links')).id },
      };
      for (const resource of Object.keys(records) as (keyof typeof records)[]) {
        const body = await read({ resource, ...(inputs as Record<string, object>)[resource] });
        expect(Object.keys(body), resource).toEqual(['records', 'total', 'limited']);
        expect(body.records.length, resource).toBeGreaterThan(0);
        expect(body.total).toBe(body.records.length);
        for (const record of body.records) {
          expect(records[resource].strict().safeParse(record).error?.issues, resource).toBeUndefined();
        }
      }
    });

    it.each(configurationResources)('[4.3.7] %s: a list, a page, one by id, 404', async (resource) => {
      const { records: all, total } = await read({ resource });
      const first = all[0];
      expect((await read({ resource, id: first?.id?.toUpperCase() })).record).toEqual(first);
      expect((await read({ resource, id: first?.id, offset: 9, limit: 1 })).record).toEqual(first);
      expect((await subject.caller.read({ resource, id: nobody })).status).toBe(404);
      expect(await read({ resource, offset: 0, limit: 1 })).toEqual({
        records: [first],
        total,
        limited: total > 1,
      });
      expect(await read({ resource, offset: 1_000_000 })).toEqual({ records: [], total, limited: false });
    });

    it('[4.3.2] [4.3.3] [4.3.18] [4.3.19] [4.3.28] rejects fields that a variant does not have', async () => {
      const person = { accountId: shop, userId: stranger };
      const refused: object[] = [
        {},
        { resource: 'unknown' },
        { resource: 'accounts', limit: 1 },
        { resource: 'accounts', id: nobody },
        { resource: 'tags', accountId: shop },
        { resource: 'tags', limit: 0 },
        { resource: 'tags', limit: 51 },
        { resource: 'tags', limit: 1.5 },
        { resource: 'tags', limit: '1' },
        { resource: 'tags', limit: null },
        { resource: 'tags', offset: -1 },
        { resource: 'tags', offset: 1_000_001 },
        { resource: 'tags', id: 'x' },
        { resource: 'friends', search: 'x'.repeat(101) },
        { resource: 'friends', userId: 'U1' },
        { resource: 'friends', userId: stranger.toLowerCase() },
        { resource: 'friends', id: nobody },
        { resource: 'conversations', limit: 1 },
        { resource: 'messages', accountId: shop },
        { resource: 'messages', userId: stranger },
        { resource: 'messages', ...person, offset: 0 },
        { resource: 'form-submissions' },
        { resource: 'form-submissions', id: nobody, limit: 1 },
        { resource: 'friend-automations', accountId: shop },
        { resource: 'link-clicks' },
      ];
      for (const input of refused) {
        const { status, body } = await subject.caller.read(input);
        expect({ input, status, error: body.error }).toEqual({ input, status: 400, error: 'INVALID_INPUT' });
      }
    });

    it('[1.11] [4.3.23] [8.3] a list holds 50, newest first, and pages reach the rest', async () => {
      const { mock, caller } = subject;
      for (let i = 0; i < 120; i++) {
        if (i % 50 === 0) mock.clock.advance(60_000);
        const name = `tag ${i}`;
        expect((await caller.apply({ action: 'create-tags', data: { name, color: 'blue' } })).status).toBe(
          200,
        );
      }
      mock.clock.advance(60_000);
      const page = await read({ resource: 'tags' });
      expect(page.records.map(({ label }) => label)).toEqual(
        Array.from({ length: 50 }, (_, i) => `tag ${119 - i}`),
      );
      expect([page.total, page.limited]).toEqual([123, true]);
      const rest = await read({ resource: 'tags', offset: 100, limit: 23 });
      expect(rest.records.map(({ label }) => label).at(-1)).toBe('VIP');
      expect(rest.limited).toBe(false);
      for (const record of page.records.slice(10, 20)) {
        const guard = { expectedRevision: record.revision, expectedLabel: record.label };
        await caller.apply({ action: 'delete-configuration', resource: 'tags', id: record.id, ...guard });
      }
      const after = await read({ resource: 'tags', offset: 5, limit: 10 });
      expect(after.records.map(({ label }) => label)).toEqual(
        [114, 113, 112, 111, 110, 99, 98, 97, 96, 95].map((n) => `tag ${n}`),
      );
      expect(after.total).toBe(113);
    });

    it('[4.3.8] [4.3.15] [4.3.16] [4.3.17] friends by account, by identifier and by name', async () => {
      const { records: all } = await read({ resource: 'friends' });
      const one = all[0];
      expect((await read({ resource: 'friends', accountId: shop })).total).toBe(3);
      expect((await read({ resource: 'friends', userId: one?.userId })).records).toEqual([one]);
      expect((await read({ resource: 'friends', userId: stranger })).total).toBe(0);
      expect(
        (await read({ resource: 'friends', accountId: one?.accountId, userId: one?.userId })).record,
      ).toEqual(one);
      expect((await read({ resource: 'friends', accountId: shop, userId: stranger })).error).toBe(
        'NOT_FOUND',
      );
      expect((await read({ resource: 'friends', accountId: nobody })).error).toBe('NOT_FOUND');
      expect((await read({ resource: 'friends', search: ' TANAKA ' })).records[0]?.label).toBe('Aiko Tanaka');
      expect((await read({ resource: 'friends', search: '🌸' })).total).toBe(1);
      expect((await read({ resource: 'friends', search: 'a', accountId: salon })).total).toBe(2);
      expect((await read({ resource: 'friends', search: '' })).total).toBe(all.length);
      const paged = await read({ resource: 'friends', search: 'a', offset: 1, limit: 1 });
      expect([paged.records.length, paged.limited]).toEqual([1, true]);
    });

    it('[4.3.9] [4.3.10] [4.3.12] conversations, messages and automations', async () => {
      const { records: talks, total } = await read({ resource: 'conversations' });
      expect(total).toBe(5);
      const times = talks.map(({ lastMessageAt }) => lastMessageAt as string);
      expect(times).toEqual(times.slice().sort().reverse());
      expect((await read({ resource: 'conversations', accountId: salon })).total).toBe(2);
      const person = {
        accountId: shop,
        userId: talks.find(({ displayName }) => displayName === 'Aiko Tanaka')?.userId,
      };
      const messages = await read({ resource: 'messages', ...person, limit: 2 });
      expect(messages.records.map(({ text }) => text)).toEqual(['Thank you!', 'Yes, from ten to six.']);
      expect([messages.total, messages.limited]).toEqual([3, true]);
      expect((await read({ resource: 'messages', accountId: shop, userId: stranger })).error).toBe(
        'NOT_FOUND',
      );
      const { records: automations } = await read({ resource: 'friend-automations', ...person });
      expect(automations).toMatchObject([{ scenarioName: 'Welcome series', status: 'completed' }]);
    });

    it('[4.3.11] [4.3.13] the submissions of a deleted form and the clicks of a deleted link cannot be read', async () => {
      const { caller } = subject;
      const form = await caller.first('forms');
      expect((await read({ resource: 'form-submissions', id: form.id })).total).toBe(2);
      const guard = { expectedRevision: form.revision, expectedLabel: form.label };
      await caller.apply({ action: 'delete-configuration', resource: 'forms', id: form.id, ...guard });
      expect((await read({ resource: 'form-submissions', id: form.id })).error).toBe('NOT_FOUND');
      expect((await read({ resource: 'link-clicks', id: form.id })).error).toBe('NOT_FOUND');
    });

    it('[1.12] no answer carries a key', async () => {
      const bodies = await Promise.all([
        read({ resource: 'accounts' }),
        subject.caller.me(),
        subject.caller.apply({ action: 'create-tags', data: data.tags }),
      ]);
      expect(JSON.stringify(bodies)).not.toContain('demo-write-key');
      expect(JSON.stringify([subject.mock.requests.list(), subject.mock.audit()])).not.toContain(
        'demo-write-key',
      );
    });
  });
}
