import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, json, record, scripted } from '../../test-support/servers/scripted.ts';
import {
  createClient,
  InputConflictError,
  InvalidInputError,
  type OrgChatClient,
  OutcomeUnknownError,
  requireResult,
  StaleRevisionError,
} from '../index.ts';

atEachDoor((at) => {
  describe('edit', () => {
    const rename = (suffix: string) => (data: { name: string; color: 'pink' }) => ({
      ...data,
      name: `${data.name}${suffix}`,
    });

    test('reads again and creates a new operation if someone else was faster', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({ effect: 'rival-edit', times: 2 });
      let calls = 0;
      const edited = await at.client.tags.edit(result.id, (data) => {
        calls++;
        return { ...data, color: 'blue' };
      });
      expect(calls).toBe(3);
      expect(requireResult(edited).color).toBe('blue');
      const ids = at.mock.requests.list().filter(({ operation }) => operation === 'changeChat');
      expect(ids).toHaveLength(4);
      expect((await at.client.operations.list()).filter(({ state }) => state === 'refused')).toHaveLength(2);
    });

    test('ends after maxAttempts, with both versions', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const error = await getRejection(
        at.client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), { maxAttempts: 2 }),
      );
      expect(error).toBeInstanceOf(StaleRevisionError);
      const { versions } = error as StaleRevisionError;
      expect(versions).toMatchObject({
        expected: { id: result.id },
        current: { id: result.id },
        data: { color: 'blue' },
      });
      expect(versions?.expected).not.toEqual(versions?.current);
      expect(at.mock.requests.list().filter(({ operation }) => operation === 'changeChat')).toHaveLength(3);
    });

    test('recognizes a stale change by evidence, whatever the code', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({
        effect: 'respond',
        status: 409,
        error: 'SOMETHING_ELSE',
        operation: 'changeChat',
      });
      // The record did not change since it was read, so this was not stale. The reason is not known.
      const error = await getRejection(at.client.tags.edit(result.id, (data) => data));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'SOMETHING_ELSE' });
      const before = at.mock.requests.list().length;
      at.mock.faults.arm({
        effect: 'respond',
        status: 409,
        error: 'SOMETHING_ELSE',
        operation: 'changeChat',
      });
      let tries = 0;
      const edited = await at.client.tags.edit(result.id, (data) => {
        if (++tries === 1) at.mock.edit({ resource: 'tags', id: result.id, data: { name: 'Rival' } });
        return { ...data, color: 'blue' };
      });
      expect(edited.result).toMatchObject({ name: 'Rival', color: 'blue' });
      // Read, write, one read as evidence, write: the record that was read as evidence is not read again.
      expect(at.mock.requests.list().slice(before)).toHaveLength(4);
    });

    test('ends with the code of the server and its meaning', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({
        effect: 'respond',
        status: 409,
        error: 'VERSION_CHANGED',
        operation: 'changeChat',
      });
      const error = await getRejection(
        at.client.tags.edit(
          result.id,
          (data) => {
            at.mock.edit({ resource: 'tags', id: result.id, data: { name: 'Rival' } });
            return { ...data, color: 'blue' };
          },
          { maxAttempts: 1 },
        ),
      );
      expect(error).toBeInstanceOf(StaleRevisionError);
      expect(error).toMatchObject({
        code: 'VERSION_CHANGED',
        meaning: 'staleRevision',
        versions: { expected: { name: 'VIP' }, current: { name: 'Rival' }, data: { color: 'blue' } },
      });
    });

    test('with an intent is applied once by a script that runs twice', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const again = { intent: ['add a plus', result.id] };
      const first = await at.client.tags.edit(result.id, rename('+') as never, again);
      const second = await at.client.tags.edit(result.id, rename('+') as never, again);
      expect([requireResult(first).name, requireResult(second).name, second.replayed]).toEqual([
        'VIP+',
        'VIP+',
        true,
      ]);
    });

    test('under one intent and another fingerprint is a mistake', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const edit = (suffix: string) =>
        at.client.tags.edit(result.id, (data) => ({ ...data, name: `VIP${suffix}` }), {
          intent: ['append', result.id],
          fingerprint: suffix,
        });
      await edit('+');
      expect(await getRejection(edit('!'))).toBeInstanceOf(InputConflictError);
      expect(await edit('+')).toMatchObject({ replayed: true });
      expect((await at.client.tags.get(result.id)).name).toBe('VIP+');
    });

    test('with an intent is applied once, although someone else edits and the script runs again', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({ effect: 'rival-edit', operation: 'changeChat' });
      const run = () =>
        at.client.tags.edit(result.id, (data) => ({ ...data, name: `${data.name}+` }), {
          intent: ['append', result.id],
        });
      const [first, second] = [await run(), await run()];
      expect([requireResult(first).name, first.replayed]).toEqual(['VIP+', false]);
      expect(second).toMatchObject({ replayed: true, operationId: first.operationId });
      expect((await at.client.tags.get(result.id)).name).toBe('VIP+');
    });

    test('with an intent whose request was lost is applied by the next run, after another edit', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const client = createClient({ ...at.options, retry: false });
      const run = () =>
        client.tags.edit(result.id, (data) => ({ ...data, name: `${data.name}+` }), { intent: ['append'] });
      at.mock.faults.arm({ effect: 'drop-request', operation: 'changeChat' });
      expect(await getRejection(run())).toBeInstanceOf(OutcomeUnknownError);
      at.mock.edit({ resource: 'tags', id: result.id, data: { name: 'Rival' } });
      // What was journaled is sent first, and is stale, though the record is as it was just read.
      expect((await run()).result?.name).toBe('Rival+');
      expect(await run()).toMatchObject({ replayed: true, result: { name: 'Rival+' } });
    });

    test('with an intent is applied once, although its stale attempt was resumed by hand', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const run = () =>
        at.client.tags.edit(result.id, (data) => ({ ...data, name: `${data.name}+` }), {
          intent: ['append'],
        });
      at.mock.faults.arm({ effect: 'rival-edit', operation: 'changeChat' });
      await run();
      const [stale] = await at.client.operations.list({ state: 'refused' });
      const resume = () => at.client.operations.resume(stale?.operationId ?? '');
      expect(await getRejection(resume())).toBeInstanceOf(StaleRevisionError);
      at.mock.faults.arm({ effect: 'respond', status: 403, error: 'FORBIDDEN', operation: 'changeChat' });
      await getRejection(resume());
      expect(await run()).toMatchObject({ replayed: true, result: { name: 'VIP+' } });
      expect((await at.client.tags.get(result.id)).name).toBe('VIP+');
    });

    test('with an intent never uses the id of another write', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      await at.client.tags.update(result, { name: 'VIP', color: 'green' }, { intent: ['sync', 1] });
      const edited = await at.client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), {
        intent: ['sync'],
      });
      expect(edited).toMatchObject({ replayed: false, result: { color: 'blue' } });
    });

    test.each([[[]], [['sync', undefined]]])(
      'with the intent %j is refused, as any write is',
      async (intent) => {
        const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
        const edit = at.client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), {
          intent: intent as string[],
        });
        expect(await getRejection(edit)).toBeInstanceOf(InvalidInputError);
        expect(at.mock.requests.list().filter(({ operation }) => operation === 'changeChat')).toHaveLength(1);
      },
    );

    test('with an intent continues after an attempt without effect', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const run = (name: string) =>
        at.client.tags.edit(result.id, (data) => ({ ...data, name }), { intent: ['name', result.id] });
      for (const empty of ['', ' ']) expect(await getRejection(run(empty))).toBeInstanceOf(InvalidInputError);
      expect((await run('Named')).result?.name).toBe('Named');
      expect((await run('Another')).result?.name).toBe('Named');
      // One id for all of it: nothing came between.
      expect((await at.client.operations.list()).map(({ state }) => state)).toEqual(['applied', 'applied']);
    });

    test('with an intent that was applied from another journal is unknown each time', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const run = (client: OrgChatClient) =>
        client.tags.edit(result.id, (data) => ({ ...data, name: `${data.name}+` }), { intent: ['append'] });
      await run(at.client);
      const elsewhere = createClient(at.options);
      for (let n = 0; n < 3; n++)
        expect(await getRejection(run(elsewhere))).toMatchObject({
          outcome: 'unknown',
          reason: 'intent-known',
        });
      expect((await at.client.tags.get(result.id)).name).toBe('VIP+');
    });

    test('refuses operationId and points to intent', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const before = at.mock.requests.list().length;
      const options = { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' };
      const error = await getRejection(at.client.tags.edit(result.id, (data) => data, options as never));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect((error as Error).message).toBe(
        'An edit has attempts of its own and does not accept operationId. Pass intent instead.',
      );
      expect(at.mock.requests.list()).toHaveLength(before);
    });

    test.each([0, Number.NaN])('with maxAttempts of %s ends before it writes', async (maxAttempts) => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      at.mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const before = at.mock.requests.list().length;
      const edit = at.client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), {
        maxAttempts: maxAttempts,
      });
      expect(await getRejection(edit)).toBeInstanceOf(InvalidInputError);
      expect(at.mock.requests.list()).toHaveLength(before);
    });

    test('an error of the function is passed on unchanged', async () => {
      const result = requireResult(await at.client.tags.create({ name: 'VIP', color: 'pink' }));
      const mine = new Error('no');
      expect(await getRejection(at.client.tags.edit(result.id, () => Promise.reject(mine)))).toBe(mine);
    });
  });
});

test.each([Number.NaN, 0, -1, 1.5, '4' as never])(
  'maxAttempts %s is refused before anything is sent',
  async (maxAttempts) => {
    const { client, sent } = scripted([json({ record }), applied]);
    const friend = { accountId: 'a', userId: 'U' };
    for (const call of [
      client.tags.edit(record.id, (data) => data, { maxAttempts }),
      client.friends.addTags(friend, ['x'], { maxAttempts }),
    ]) {
      const error = await getRejection(call);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(
        `maxAttempts must be an integer, 1 or greater, or Infinity; got ${String(maxAttempts)}.`,
      );
    }
    expect(sent).toEqual([]);
  },
);

test('maxAttempts may be Infinity', async () => {
  const { client } = scripted([json({ record }), applied]);
  const edited = client.tags.edit(record.id, (data) => data, { maxAttempts: Infinity });
  expect(await edited).toMatchObject({ applied: true });
});
