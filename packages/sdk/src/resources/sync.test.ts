import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { by, createSyncHelpers, rowsOf } from '../../test-support/sync-rows.ts';
import { createClient, type TemplateInput } from '../index.ts';

const statuses = (results: readonly { readonly status: string }[]) => results.map(({ status }) => status);

atEachDoor((at) => {
  const { templates, elsewhere, countRequests, clear } = createSyncHelpers(at);

  describe('sync', () => {
    test('creates, updates and leaves as it is, with a result per row in order', async () => {
      const [first, second, third] = rowsOf(3) as [TemplateInput, TemplateInput, TemplateInput];
      await at.client.templates.create(second);
      await at.client.templates.create({ ...third, text: 'old' });
      const before = (await templates()).length;
      const outcome = await at.client.templates.sync([first, second, third], by);
      expect(outcome).toMatchObject({
        ...{ created: 1, updated: 1, unchanged: 1, deleted: 0, failed: 0, unknown: 0, skipped: 0 },
        ...{ isComplete: true, readById: 0 },
      });
      expect(outcome.results).toMatchObject([
        {
          item: first,
          status: 'done',
          value: { outcome: 'created', record: first, operationId: expect.any(String) },
        },
        { item: second, status: 'done', value: { outcome: 'unchanged', record: second } },
        { item: third, status: 'done', value: { outcome: 'updated', record: third } },
      ]);
      expect(outcome.results[0]?.item).toBe(first);
      expect(await templates()).toHaveLength(before + 1);
    });

    test('compares as upsert does: trimmed, in any Unicode form, and only what a row gives', async () => {
      const [account] = (await at.client.accounts.list()).records;
      const reply = {
        accountId: account?.id ?? '',
        matchType: 'exact',
        responseText: 'Yes.',
        active: true,
        keyword: 'cafe\u0301',
      } as const;
      const content = [{ type: 'text' as const, text: 'Behind the house' }];
      await at.client.autoReplies.create({ ...reply, content });
      const row = { ...reply, accountId: reply.accountId.toUpperCase(), keyword: ' caf\u00e9 ' };
      const options = { by: 'keyword', where: { accountId: row.accountId } } as const;
      expect(await at.client.autoReplies.sync([row], options)).toMatchObject({ unchanged: 1 });
      const off = await at.client.autoReplies.sync([{ ...row, active: false }], options);
      expect(off.results[0]?.value?.record).toMatchObject({ active: false, content });
      const cleared = { ...row, active: false, content: null as never };
      expect(await at.client.autoReplies.sync([cleared], options)).toMatchObject({ updated: 1 });
      const [now] = (await at.client.autoReplies.list().toArray()).filter(({ active }) => !active);
      expect(now?.content ?? null).toBeNull();
    });

    test('removes white space that another program stored around a text, once', async () => {
      const [row] = rowsOf(1) as [TemplateInput];
      await at.client.templates.create(row);
      const show = (text: string) => async (request: Request) => {
        const answer = await (at.options.fetch ?? globalThis.fetch)(request);
        const body = (await answer.json()) as { readonly records?: readonly { readonly name: string }[] };
        const records = body.records?.map((one) => (one.name === row.name ? { ...one, text } : one));
        return Response.json(records ? { ...body, records } : body, { status: answer.status });
      };
      const sync = (kept: string, text: string) =>
        createClient({ ...at.options, fetch: show(kept) }).templates.sync([{ ...row, text }], by);
      expect(await sync(' Hi ', 'Hi')).toMatchObject({ updated: 1 });
      expect(await sync('Hi', ' Hi ')).toMatchObject({ unchanged: 1 });
      // A server that does not trim.
      expect(await sync(' Hi ', ' Hi ')).toMatchObject({ unchanged: 1 });
    });

    test.each([
      ['in lower case', 'WELCOME Mail', (name: string) => name.toLowerCase()],
      ['cut off', 'n'.repeat(60), (name: string) => name.slice(0, 40)],
      ['with one space for two', 'Good  morning', (name: string) => name.replaceAll(/\s+/g, ' ')],
    ])(
      'creates a record once, and deletes none, if the server stores its name %s',
      async (_, name, store) => {
        await clear();
        const fetch = async (request: Request) => {
          const send = at.options.fetch ?? globalThis.fetch;
          if (!request.url.endsWith('/chat/changes')) return send(request);
          const body = (await request.json()) as { change: { data?: { name: string } } };
          if (body.change.data) body.change.data.name = store(body.change.data.name);
          const { url, method, headers } = request;
          return send(new Request(url, { method, headers, body: JSON.stringify(body) }));
        };
        const sync = () =>
          createClient({ ...at.options, fetch }).templates.sync([{ name, text: 'Hi' }], {
            ...by,
            deleteOthers: true,
          });
        for (let times = 0; times < 2; times++) {
          const { results } = await sync();
          expect(results).toMatchObject([
            { status: 'failed', error: { code: 'LABEL_CHANGED', outcome: 'applied' } },
            ...(times === 0 ? [] : [{ status: 'skipped' }]),
          ]);
          expect(await templates()).toMatchObject([{ name: store(name) }]);
        }
        const call = createClient({ ...at.options, fetch }).templates.upsert({ name, text: 'Hi' }, by);
        await expect(call).rejects.toMatchObject({ code: 'LABEL_CHANGED' });
        expect(await templates()).toHaveLength(1);
      },
    );

    test('of 300 rows that change nothing sends at most 8 requests', async () => {
      await clear();
      const rows = rowsOf(300);
      await at.client.templates.sync(rows, by);
      const sent = await countRequests(async () =>
        expect(await at.client.templates.sync(rows, by)).toMatchObject({ unchanged: 300, isComplete: true }),
      );
      expect(sent).toBeLessThanOrEqual(8);
      expect(await countRequests(() => elsewhere().templates.sync(rows, by))).toBeLessThanOrEqual(8);
    }, 60_000);

    test.each([0, 1, 49, 50, 51, 100, 120])(
      'of %i records sends one request per page and change, and two',
      async (count) => {
        await clear();
        const rows = rowsOf(count + 3);
        for (const row of rows.slice(0, count)) await at.client.templates.create(row);
        const [old] = rows.splice(0, count > 1 ? 1 : 0);
        const changed = rows.map((row, n) => (n === 0 ? { ...row, text: 'new' } : row));
        let changes = 0;
        const sent = await countRequests(async () => {
          const outcome = await elsewhere().templates.sync(changed, { ...by, deleteOthers: true });
          changes = outcome.created + outcome.updated + outcome.deleted;
          expect(outcome).toMatchObject({ deleted: old ? 1 : 0, isComplete: true });
        });
        expect(sent).toBeLessThanOrEqual(Math.ceil(count / 50) + 2 + changes);
      },
    );

    test('copies the rows', async () => {
      const rows = rowsOf(2);
      const sync = at.client.templates.sync(rows, by);
      for (const row of rows) row.text = 'later';
      rows.length = 0;
      expect((await sync).created).toBe(2);
      expect((await templates()).filter(({ text }) => text === 'later')).toEqual([]);
    });

    test('a row whose label several records have fails, and the others are done', async () => {
      for (const text of ['a', 'b']) await at.client.templates.create({ name: 'Row 0', text });
      const { results, ...counts } = await at.client.templates.sync(rowsOf(2), by);
      expect(counts).toMatchObject({ created: 1, failed: 1, isComplete: false });
      expect(results).toMatchObject([
        { status: 'failed', error: { code: 'AMBIGUOUS_MATCH' } },
        { status: 'done' },
      ]);
    });

    test('a row that is not done says what to do next in words of sync', async () => {
      for (const text of ['a', 'b']) await at.client.templates.create({ name: 'Row 1', text });
      await at.client.templates.create({ name: 'Row 0', text: 'old' });
      let isChanged = false;
      // After the first change, nothing can be read, and the change does not show the record.
      const fetch = async (request: Request): Promise<Response> => {
        if (isChanged) return Response.json({ error: { code: 'FORBIDDEN', message: '' } }, { status: 403 });
        const answer = await (at.options.fetch ?? globalThis.fetch)(request);
        isChanged = request.url.endsWith('/chat/changes');
        if (!isChanged) return answer;
        return Response.json({ ...((await answer.json()) as object), result: undefined });
      };
      const blind = createClient({ ...at.options, fetch });
      const { results } = await blind.templates.sync(rowsOf(2), by);
      expect(results).toMatchObject([
        { error: { code: 'RESULT_MISSING', message: expect.stringMatching(/Call resume\(\)\.$/) } },
        { error: { code: 'AMBIGUOUS_MATCH', message: expect.stringMatching(/Pass where, or rename/) } },
      ]);
    });

    test('a row that the server refuses fails, nothing is deleted, and resume() finishes', async () => {
      await clear();
      await at.client.templates.create({ name: 'Other', text: 'x' });
      const rows = rowsOf(3);
      at.mock.faults.arm({
        effect: 'respond',
        operation: 'changeChat',
        status: 403,
        error: 'FORBIDDEN',
        times: 1,
      });
      const outcome = await at.client.templates.sync(rows, { ...by, deleteOthers: true });
      expect(outcome).toMatchObject({ created: 2, failed: 1, skipped: 1, deleted: 0, isComplete: false });
      expect(outcome.results.at(-1)).toMatchObject({ item: { name: 'Other' }, status: 'skipped' });
      const sent = await countRequests(async () => {
        const [resumed, same] = await Promise.all([outcome.resume(), outcome.resume()]);
        expect(resumed).toBe(same);
        expect(resumed).toMatchObject({ created: 3, deleted: 1, isComplete: true });
        expect(statuses(resumed.results)).toEqual(['done', 'done', 'done', 'done']);
      });
      expect(sent).toBe(3);
    });
  });
});
