import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { by, createSyncHelpers, rowsOf } from '../../test-support/sync-rows.ts';
import { createClient, StaleRevisionError } from '../index.ts';

atEachDoor((at) => {
  const { templates, elsewhere, countRequests, clear } = createSyncHelpers(at);

  describe('sync', () => {
    describe('with where', () => {
      const reply = { matchType: 'exact', responseText: 'Yes.', active: true } as const;

      test('sees the records of one account only', async () => {
        const [first, second] = (await at.client.accounts.list()).records;
        if (!first || !second) throw new Error('the demo has too few accounts');
        const sync = (
          accountId: string,
          keywords: readonly string[],
          deleteOthers: { max: number } | false = false,
        ) =>
          at.client.autoReplies.sync(
            keywords.map((keyword) => ({ ...reply, accountId, keyword })),
            { by: 'keyword', where: { accountId }, deleteOthers },
          );
        const before = (await at.client.autoReplies.list().toArray()).length;
        expect(await sync(first.id, ['parking', 'menu'])).toMatchObject({ created: 2 });
        expect(await sync(second.id, ['parking', 'menu'])).toMatchObject({ created: 2 });
        const { deleted } = await sync(first.id, ['parking'], { max: 50 });
        expect(deleted).toBeGreaterThan(0);
        const after = await at.client.autoReplies.list().toArray();
        expect(after.filter(({ accountId }) => accountId === first.id)).toMatchObject([
          { keyword: 'parking' },
        ]);
        expect(after).toHaveLength(before + 4 - deleted);
        expect(await sync(first.id, ['parking', 'menu'])).toMatchObject({ created: 1, unchanged: 1 });
      });
    });

    describe('with deleteOthers', () => {
      test('deletes what no row names, and never more than allowed', async () => {
        await clear();
        await at.client.templates.sync(rowsOf(13), { ...by, concurrency: 1 });
        const keep = rowsOf(2);
        const options = { ...by, deleteOthers: true } as const;
        const sent = await countRequests(async () =>
          expect(
            await getRejection(at.client.templates.sync([...keep, { name: 'New', text: 'x' }], options)),
          ).toMatchObject({
            code: 'TOO_MANY_DELETIONS',
            message:
              'No row names 11 templates, and deleteOthers deletes at most 10. Nothing was changed. Check the rows, or pass deleteOthers: { max: 11 }.',
          }),
        );
        expect(sent).toBe(1);
        const { results, ...counts } = await at.client.templates.sync(keep, {
          ...by,
          deleteOthers: { max: 11 },
        });
        expect(counts).toMatchObject({ unchanged: 2, deleted: 11, isComplete: true });
        expect(results[2]).toMatchObject({
          item: { name: 'Row 12' },
          value: { outcome: 'deleted', record: { name: 'Row 12' } },
        });
        expect(await templates()).toHaveLength(2);
      });

      test('counts what was deleted before toward the bound, and says what is left', async () => {
        await clear();
        await at.client.templates.sync(rowsOf(9), { ...by, concurrency: 1 });
        const once = createClient({ ...at.options, retry: false });
        at.mock.faults.arm({
          ...{ effect: 'respond', operation: 'changeChat', status: 403, error: 'FORBIDDEN', times: 1 },
        });
        const first = await once.templates.sync(rowsOf(1), { ...by, deleteOthers: true, concurrency: 1 });
        expect(first).toMatchObject({ deleted: 7, failed: 1 });
        for (const name of ['A', 'B', 'C']) await at.client.templates.create({ name, text: 'x' });
        expect(await getRejection(first.resume())).toMatchObject({
          code: 'TOO_MANY_DELETIONS',
          message:
            'No row names 4 templates, this sync deleted 7 before, and deleteOthers deletes at most 10. Nothing else was changed. Check the rows, or call sync() again with deleteOthers: { max: 4 }.',
        });
        expect(await templates()).toHaveLength(5);
      });

      test('leaves and reports a record that was changed after the list was read', async () => {
        await clear();
        await at.client.templates.sync(rowsOf(3), { ...by, concurrency: 1 });
        const fetch = async (request: Request) => {
          const { change } = JSON.parse(await request.clone().text());
          if (change?.action === 'delete-configuration' && change.expectedLabel === 'Row 2') {
            const [record] = (await templates()).filter(({ name }) => name === 'Row 2');
            if (record?.text === '2')
              await at.client.templates.update(record, { name: 'Row 2', text: 'rival' });
          }
          return (at.options.fetch ?? globalThis.fetch)(request);
        };
        const client = createClient({ ...at.options, fetch });
        const { results, ...counts } = await client.templates.sync(rowsOf(1), { ...by, deleteOthers: true });
        expect(counts).toMatchObject({ deleted: 1, failed: 1, isComplete: false });
        expect(results[1]?.error).toBeInstanceOf(StaleRevisionError);
        expect(await templates()).toMatchObject([{ text: 'rival' }, { name: 'Row 0' }]);
      });

      test('a record that someone else deleted counts as deleted', async () => {
        await clear();
        await at.client.templates.sync(rowsOf(4), by);
        const [one, two] = [at.client, elsewhere()].map((client) =>
          client.templates.sync(rowsOf(1), { ...by, deleteOthers: true }),
        );
        expect(await Promise.all([one, two])).toMatchObject([
          { deleted: 3, isComplete: true },
          { isComplete: true, failed: 0 },
        ]);
        expect(await templates()).toHaveLength(1);
      });

      test('deletes only broadcasts that are drafts', async () => {
        const [account] = (await at.client.accounts.list()).records;
        const accountId = account?.id ?? '';
        const broadcast = (title: string) => ({
          ...{ accountId, title, messages: [{ type: 'text' as const, text: 'Hello' }] },
          ...{ target: 'all' as const, tagIds: [], scheduledAt: null },
        });
        const options = { by: 'title', where: { accountId }, deleteOthers: { max: 50 } } as const;
        await at.client.broadcasts.sync([broadcast('A'), broadcast('B'), broadcast('C')], {
          ...options,
          deleteOthers: false,
        });
        const show = (status: (title: string) => string | undefined) => async (request: Request) => {
          const answer = await (at.options.fetch ?? globalThis.fetch)(request);
          const body = (await answer.json()) as { readonly records?: readonly { readonly title: string }[] };
          const records = body.records?.map((record) => ({
            ...record,
            status: status(record.title),
          }));
          return Response.json(records ? { ...body, records } : body, { status: answer.status });
        };
        const unclear = createClient({ ...at.options, fetch: show(() => undefined) });
        const error = await getRejection(unclear.broadcasts.sync([broadcast('A')], options));
        expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
        const some = createClient({
          ...at.options,
          fetch: show((title) => (title === 'B' ? 'sent' : 'draft')),
        });
        expect(await some.broadcasts.sync([broadcast('A')], options)).toMatchObject({
          unchanged: 1,
          isComplete: true,
        });
        const titles = (await at.client.broadcasts.list().toArray()).filter(
          (one) => one.accountId === accountId,
        );
        expect(titles.map(({ title }) => title).sort()).toEqual(['A', 'B']);
      });
    });

    describe('with dryRun', () => {
      test('sends no change, and says what it would do and what still uses a record', async () => {
        await clear();
        const [used, changed] = await Promise.all(
          [
            { name: 'Used', text: 'x' },
            { name: 'Row 0', text: 'old' },
          ].map((row) => at.client.templates.create(row).requireResult()),
        );
        const user = await at.client.templates
          .create({ name: 'Row 1', text: `See ${used?.id}` })
          .requireResult();
        const rows = [
          { name: 'Row 0', text: 'new' },
          { name: 'Row 1', text: user.text },
          { name: 'Row 2', text: 'x' },
        ];
        const before = await templates();
        const seen: unknown[] = [];
        const outcome = await at.client.templates.sync(rows, {
          ...{ ...by, dryRun: true, deleteOthers: true },
          onProgress: (progress) => seen.push(progress),
        });
        expect(outcome).toMatchObject({ created: 1, updated: 1, unchanged: 1, deleted: 1, isComplete: true });
        expect(outcome.results).toMatchObject([
          { status: 'planned', value: { outcome: 'updated', record: { id: changed?.id, text: 'old' } } },
          { status: 'done', value: { outcome: 'unchanged' } },
          { status: 'planned', value: { outcome: 'created', record: undefined } },
          {
            status: 'planned',
            item: { name: 'Used' },
            value: { outcome: 'deleted', usedBy: [{ id: user.id }] },
          },
        ]);
        expect(seen).toEqual([{ total: 4, done: 4, failed: 0, unknown: 0, remainingMs: 0 }]);
        // A row that would be created or updated uses it, too.
        const using = [
          { name: 'Row 0', text: `See ${used?.id.toUpperCase()}` },
          { name: 'Row 3', text: `See ${used?.id}` },
        ];
        const planned = await at.client.templates.sync(using, { ...by, dryRun: true, deleteOthers: true });
        expect(planned.results.find(({ item }) => item.name === 'Used')).toMatchObject({
          value: { outcome: 'deleted', usedBy: [{ id: changed?.id }, using[1]] },
        });
        expect(await templates()).toEqual(before);
        // A row that no longer refers to it does not use it.
        const free = rows.map((row) => ({ ...row, text: 'x' }));
        const { results } = await at.client.templates.sync(free, { ...by, dryRun: true, deleteOthers: true });
        expect(results.at(-1)).toMatchObject({ value: { usedBy: [] } });
        expect(await templates()).toEqual(before);
      });
    });
  });
});
