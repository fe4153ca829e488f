import { describe, expect, test, vi } from 'vitest';
import {
  createClient,
  memoryJournal,
  OutcomeUnknownError,
  operationIdFrom,
  requireResult,
  type WriteOptions,
} from '../../src/index.ts';
import { atEachDoor } from '../../test-support/mocked.ts';
import { account, json, scripted } from '../../test-support/servers/scripted.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A server that applies changes and says no result of them. Its lists are empty. */
function withoutResults() {
  const { client, sent } = scripted([
    (request, body) => {
      if (request.method === 'GET') return json(account)(request, body);
      const outcome = { ok: true, applied: true, replayed: false, auditRecorded: true };
      const isChange = request.url.endsWith('/chat/changes');
      return json(isChange ? outcome : { records: [], total: 0, limited: false })(request, body);
    },
  ]);
  const changes = () => sent.filter(({ url }) => url.endsWith('/chat/changes'));
  return {
    client,
    count: () => changes().length,
    operationIds: () => changes().map(({ body }): unknown => JSON.parse(body).operationId),
  };
}

atEachDoor((at) => {
  describe('resume() of a bulk run', () => {
    const names = async () =>
      (await at.client.tags.list().toArray())
        .map(({ name }) => name)
        .filter((name) => name.startsWith('Bulk'));

    test('resumes what failed and what is unknown, without a double', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 2 });
      const once = createClient({ ...at.options, retry: false });
      let failures = 1;
      const outcome = await once.bulk(range(6), async (n, { intent }) => {
        if (n === 4 && failures-- > 0) throw new Error('no such customer');
        return once.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent });
      });
      const statuses = outcome.results.map(({ status }) => status);
      expect(statuses.filter((status) => status === 'unknown')).toHaveLength(2);
      expect(outcome.results[4]).toMatchObject({ status: 'failed', error: { message: 'no such customer' } });
      const { results } = await outcome.resume();
      expect(results.every(({ status }) => status === 'done')).toBe(true);
      expect(results.every(({ value }) => value?.applied)).toBe(true);
      expect(await names()).toHaveLength(6);
    });

    test('asks about an unknown change that has an id of its own, and never runs its item again', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      let calls = 0;
      const outcome = await once.bulk([1], async (n) => {
        calls++;
        await once.tags.create({ name: `Bulk ${n}`, color: 'pink' });
        await once.tags.create({ name: `Bulk ${n}, after it`, color: 'pink' });
      });
      const [unknown] = outcome.results;
      expect(unknown?.error).toBeInstanceOf(OutcomeUnknownError);
      const resumed = await outcome.resume();
      const error = resumed.results[0]?.error;
      const operationId = (unknown?.error as OutcomeUnknownError | undefined)?.operationId;
      expect(error).toMatchObject({ code: 'ITEM_UNFINISHED', operationId });
      const { results } = await resumed.resume();
      expect(results).toEqual(resumed.results);
      expect([calls, await names()]).toEqual([1, ['Bulk 1']]);
    });

    test('does not run an item again whose unknown change has no intent, even if another change has one', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', after: 1, times: 1 });
      const once = createClient({ ...at.options, retry: false });
      const outcome = await once.bulk([1], async (n, { intent }) => {
        await once.tags.create({ name: `Bulk ${n}, with the intent`, color: 'pink' }, { intent });
        await once.tags.create({ name: `Bulk ${n}`, color: 'pink' });
      });
      expect(outcome.results[0]?.status).toBe('unknown');
      const { results } = await (await outcome.resume()).resume();
      expect(results[0]?.error).toMatchObject({ code: 'ITEM_UNFINISHED' });
      expect(await names()).toHaveLength(2);
    });

    test('runs an item again if each of its changes has an intent that begins with that of the item', async () => {
      const once = createClient({ ...at.options, retry: false });
      const { id } = requireResult(await once.tags.create({ name: 'Bulk', color: 'pink' }));
      const paint = () => ({ name: 'Bulk, painted', color: 'blue' }) as const;
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      let outcome = await once.bulk([1], async (_, { intent }) => {
        await once.tags.create({ name: 'Bulk 1', color: 'pink' }, { intent });
        await once.tags.edit(id, paint, { intent: [...intent, 'paint'] });
        await once.tags.create({ name: 'Bulk 2', color: 'pink' }, { intent: [...intent, 'second'] });
      });
      for (const after of [1, 2]) {
        expect(outcome.results[0]?.status).toBe('unknown');
        at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', after, times: 1 });
        outcome = await outcome.resume();
      }
      expect(outcome.results[0]?.status).toBe('unknown');
      const { results } = await outcome.resume();
      expect(results[0]).toMatchObject({ status: 'done' });
      expect((await names()).sort()).toEqual(['Bulk 1', 'Bulk 2', 'Bulk, painted']);
    });

    test.each([
      ['threw it', (error: unknown) => error],
      [
        'wrapped it',
        (error: unknown) => new Error('no tag', { cause: new Error('no id', { cause: error }) }),
      ],
    ])('does not run an item again whose change is applied, if its function %s', async (_how, wrap) => {
      const { client, count } = withoutResults();
      const outcome = await client.bulk([1], async (n) => {
        try {
          return await client.tags.create({ name: `Bulk ${n}`, color: 'pink' }).requireResult();
        } catch (error) {
          throw wrap(error);
        }
      });
      expect(outcome.results[0]?.status).toBe('failed');
      const resumed = await (await outcome.resume()).resume();
      expect(resumed.results).toEqual(outcome.results);
      expect(resumed.isComplete).toBe(false);
      expect(count()).toBe(1);
    });

    test('runs an item again whose applied change has an intent, or is that of an upsert', async () => {
      const { client, operationIds } = withoutResults();
      const tag = { name: 'Bulk', color: 'pink' } as const;
      const creates = await client.bulk([1], (_, { intent }) =>
        client.tags.create(tag, { intent }).requireResult(),
      );
      expect((await creates.resume()).results[0]?.error).toMatchObject({ code: 'RESULT_MISSING' });
      const upserts = await client.bulk([1], () => client.tags.upsert(tag, { by: 'name' }));
      expect((await upserts.resume()).results[0]?.error).toMatchObject({ code: 'RESULT_MISSING' });
      const [first, again, upserted, ...more] = operationIds();
      expect(again).toBe(first);
      expect(new Set([upserted, ...more]).size).toBe(1);
      expect(more.length).toBeGreaterThan(0);
    });

    test('keeps a change unknown if it could not be asked about', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const journal = memoryJournal();
      const once = createClient({ ...at.options, journal, retry: false });
      const outcome = await once.bulk([1], (n) => once.tags.create({ name: `Bulk ${n}`, color: 'pink' }));
      const refuse = vi.spyOn(journal, 'get').mockRejectedValue(new Error('the disk is gone'));
      const resumed = await outcome.resume();
      expect(refuse).toHaveBeenCalled();
      expect(resumed.results).toEqual(outcome.results);
      refuse.mockRestore();
      const { results } = await resumed.resume();
      expect(results[0]?.error).toMatchObject({ code: 'ITEM_UNFINISHED' });
      expect(await names()).toEqual(['Bulk 1']);
    });

    test('runs an upsert again, which derives its id from the data', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      const outcome = await once.bulk([1], (n) =>
        once.tags.upsert({ name: `Bulk ${n}`, color: 'pink' }, { by: 'name' }),
      );
      expect(outcome.results[0]?.status).toBe('unknown');
      const { results } = await outcome.resume();
      expect(results[0]).toMatchObject({ status: 'done', value: { record: { name: 'Bulk 1' } } });
      expect(await names()).toEqual(['Bulk 1']);
    });

    test('does not run an item again because another run at the same time has the intent of its id', async () => {
      const once = createClient({ ...at.options, retry: false });
      const intent = ['Bulk'];
      const operationId = await operationIdFrom(...intent);
      const create = (n: number, call: WriteOptions) =>
        once.tags.create({ name: `Bulk ${n}`, color: 'pink' }, call);
      let calls = 0;
      const outcome = await once.bulk([1], async (n) => {
        calls++;
        const other = await once.bulk([n], () => create(n, { intent }));
        expect(other.results[0]?.status).toBe('done');
        at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
        await create(n, { operationId });
      });
      const unfinished = { status: 'failed', error: { outcome: 'applied', operationId } };
      expect(outcome.results[0]).toMatchObject(unfinished);
      const { results } = await outcome.resume();
      expect(results[0]).toMatchObject(unfinished);
      expect(calls).toBe(1);
    });

    test('runs an item again whose change an earlier run applied, if the change has an intent', async () => {
      const once = createClient({ ...at.options, retry: false });
      const run = () =>
        once.bulk(range(1), (n) =>
          once.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent: ['nightly', n] }),
        );
      await run();
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const outcome = await run();
      expect(outcome.results[0]).toMatchObject({ status: 'failed', error: { outcome: 'applied' } });
      expect((await outcome.resume()).results[0]?.status).toBe('done');
      expect(await names()).toEqual(['Bulk 0']);
    });

    test('finishes what another call found applied in the meantime, although its own question fails', async () => {
      const once = createClient({ ...at.options, retry: false });
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      let calls = 0;
      const outcome = await once.bulk(range(1), (n) => {
        calls++;
        return once.tags.create({ name: `Bulk ${n}`, color: 'pink' });
      });
      expect(outcome.results[0]?.status).toBe('unknown');
      expect(await once.operations.resumeAll({ now: true })).toMatchObject([{ state: 'applied' }]);
      const forbidden = { effect: 'respond', status: 403, error: 'FORBIDDEN' } as const;
      at.mock.faults.arm({ ...forbidden, operation: 'changeChat', times: 1 });
      const resumed = await outcome.resume();
      expect(resumed.results[0]?.error).toMatchObject({ code: 'ITEM_UNFINISHED', outcome: 'applied' });
      await resumed.resume();
      expect([calls, await names()]).toEqual([1, ['Bulk 0']]);
    });

    test('runs an item again that asked about its change by itself, if the change has an intent', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 2 });
      const once = createClient({ ...at.options, retry: false });
      const outcome = await once.bulk([1], (n, { intent }) =>
        once.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent }).catch((error) => error.resume()),
      );
      expect(outcome.results[0]?.status).toBe('unknown');
      expect((await outcome.resume()).results[0]?.status).toBe('done');
      expect(await names()).toEqual(['Bulk 1']);
    });

    test('keeps a keyword write unknown, which cannot be asked about', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', times: 1 });
      const outcome = await at.client.bulk(['summer'], (keyword) =>
        at.client.keywords.add('demo-site', { keywords: [keyword] }),
      );
      expect(outcome.results[0]?.status).toBe('unknown');
      expect((await outcome.resume()).results).toEqual(outcome.results);
      const sent = at.mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords');
      expect(sent).toHaveLength(1);
    });

    test('finds an unknown outcome among the causes of what an item throws', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      const outcome = await once.bulk([1], (n) =>
        once.tags.create({ name: `Bulk ${n}`, color: 'pink' }).catch((cause: unknown) => {
          throw new Error(`row ${n}`, { cause });
        }),
      );
      expect(outcome.results[0]).toMatchObject({ status: 'unknown', error: { code: 'OUTCOME_UNKNOWN' } });
      const { results } = await (await outcome.resume()).resume();
      expect(results[0]?.status).toBe('failed');
      expect(await names()).toEqual(['Bulk 1']);
    });

    test('shares one run among calls of resume() at the same time', async () => {
      let calls = 0;
      const outcome = await at.client.bulk([1], () => {
        calls++;
        throw new Error('not yet');
      });
      const outcomes = await Promise.all([outcome.resume(), outcome.resume()]);
      expect(calls).toBe(2);
      expect(outcomes[0]).toBe(outcomes[1]);
      await outcome.resume();
      expect(calls).toBe(3);
    });
  });
});
