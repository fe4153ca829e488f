import { beforeEach, describe, expect, test } from 'vitest';
import { createWorld, knownIntentCases, type World } from '../../test-support/known-intents.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  failure,
  json,
  lost,
  record,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import {
  type ChangeOptions,
  InputConflictError,
  isOpen,
  memoryJournal,
  type OrgChatClient,
  OutcomeUnknownError,
} from '../index.ts';

describe.each(Object.entries(knownIntentCases))(
  '%s under an intent that another machine used',
  (_name, given) => {
    let world: World;
    let before: unknown;
    const options = { intent: ['order', 17] } as const;
    const deliver = (more: ChangeOptions = {}, of?: OrgChatClient) =>
      (given.second ?? given.first)(world, of ?? world.there, { ...options, ...more });

    beforeEach(async () => {
      world = await createWorld();
      await given.first(world, options);
      await given.undo?.(world);
    });

    test('error, journal, event, resumeAll(), reconcile() and the truth agree', async () => {
      const error = await getRejection(deliver());
      before = await given.state(world);
      const { there, events } = world;
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        reason: 'intent-known',
        outcome: 'unknown',
        status: 409,
      });
      expect(error.cause).toBeInstanceOf(InputConflictError);
      expect(error).not.toHaveProperty('resume');
      const { operationId = '' } = error;
      const entry = await there.operations.get(operationId);
      expect(entry).toMatchObject({
        state: 'unknown',
        error: { code: 'OUTCOME_UNKNOWN', reason: 'intent-known' },
      });
      expect(entry && isOpen(entry)).toBe(false);
      const outcome = events
        .filter((event) => event.type === 'outcome')
        .findLast((one) => one.operationId === operationId);
      expect(outcome).toMatchObject({ outcome: 'unknown', errorReason: 'intent-known' });
      expect(await there.operations.list({ open: true })).toEqual([]);
      expect(await there.operations.list({ state: 'unknown' })).toHaveLength(1);
      const requests = () =>
        world.mock.requests.list().filter(({ operation }) => operation === 'changeChat').length;
      const sent = requests();
      expect(await there.operations.resumeAll()).toEqual([]);
      expect(await getRejection(there.operations.resume(operationId))).toMatchObject({
        name: 'OutcomeUnknownError',
        reason: 'intent-known',
        operationId,
        status: 409,
      });
      expect(requests()).toBe(sent);
      const { verdict, evidence } = await there.operations.reconcile(error);
      expect(verdict).toBe('inconclusive');
      expect(evidence).toBe('intent-known');
      // Another delivery asks the server again, which answers the same.
      expect(await getRejection(deliver())).toMatchObject({ reason: 'intent-known' });
      expect((await there.operations.drain()).open).toEqual([]);
      if (_name !== 'delete') expect(await given.state(world)).toEqual(before);
    });

    test('acceptKnownIntent resolves and changes nothing', async () => {
      const { there } = world;
      const outcome = await deliver({ acceptKnownIntent: true });
      before = await given.state(world);
      if (_name === 'upsert')
        expect(outcome).toMatchObject({ outcome: 'unchanged', record: { color: 'green' } });
      else expect(outcome).toMatchObject({ applied: true, replayed: true, auditRecorded: false });
      await deliver({ acceptKnownIntent: true }, there);
      if (_name !== 'delete') expect(await given.state(world)).toEqual(before);
      expect(await there.operations.list({ open: true })).toEqual([]);
      expect(await there.operations.list()).toMatchObject([
        { state: 'unknown', error: { reason: 'intent-known' } },
      ]);
    });
  },
);

test.each(Object.entries(knownIntentCases).filter(([, { undo }]) => undo))(
  '%s resolves as a replay if the records show its effect',
  async (name, { first, second = first as never }) => {
    const world = await createWorld();
    const options = { intent: ['order', 17] };
    await first(world, options);
    const outcome = await second(world, world.there, options);
    if (name === 'upsert') expect(outcome).toMatchObject({ outcome: 'unchanged' });
    else {
      expect(outcome).toMatchObject({ applied: true, replayed: true });
      expect(await world.there.operations.list()).toMatchObject([{ state: 'applied' }]);
    }
  },
);

describe('a server that knows an id with other input', () => {
  const conflict = failure(409, 'INPUT_CONFLICT');
  const vip = { name: 'VIP', color: 'pink' } as const;
  const intent = ['once'];

  test.each([
    ['cannot be read', failure(503, 'BUSY')],
    ['cannot be read at the moment', failure(404, 'RUNTIME_UNAVAILABLE')],
    ['does not answer', lost],
    ['shows the record in another shape', json({ item: {} })],
  ])('that %s: unknown', async (_name, read: Step) => {
    const { client, sent } = scripted([conflict, read]);
    const calls = [
      client.tags.update(record, vip, { intent }),
      client.tags.delete(record, { intent: ['gone'] }),
    ];
    for (const call of calls) {
      // The calls run at once, so each step is for both.
      expect(await getRejection(call)).toMatchObject({ name: 'OutcomeUnknownError', outcome: 'unknown' });
    }
    expect(sent.length).toBeGreaterThan(2);
  });

  test('a deletion is applied if the record is gone', async () => {
    const { client } = scripted([conflict, failure(404, 'NOT_FOUND')]);
    const { result, replayed } = await client.tags.delete(record, { intent });
    expect({ result, replayed }).toEqual({ result: { id: record.id, deleted: true }, replayed: true });
  });

  test('found by resumeAll() ends the operation', async () => {
    const { client, sent } = scripted([lost, conflict], { retry: false });
    await getRejection(client.tags.create(vip, { intent }));
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'unknown', error: { reason: 'intent-known' } },
    ]);
    expect(await client.operations.resumeAll()).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  test('leaves the id free for the input that the server knows', async () => {
    const { client } = scripted([conflict, applied]);
    await getRejection(client.tags.create(vip, { intent }));
    expect(await client.tags.create({ ...vip, name: 'First' }, { intent })).toMatchObject({ applied: true });
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('settled entries of this kind do not fill the journal', async () => {
    const { client } = scripted([conflict], { journal: memoryJournal({ maxEntries: 10 }) });
    for (let n = 0; n < 30; n++) await getRejection(client.tags.create(vip, { intent: ['order', n] }));
    expect(await client.operations.list()).toHaveLength(10);
  });

  test('a conflict of an id that the call made itself is a refusal', async () => {
    const { client } = scripted([conflict]);
    expect(await getRejection(client.tags.create(vip))).toMatchObject({
      name: 'InputConflictError',
      outcome: 'refused',
    });
    expect(await getRejection(client.tags.create(vip, { acceptKnownIntent: true }))).toBeInstanceOf(
      InputConflictError,
    );
  });

  describe('of an id that the call made itself, after a lost answer', () => {
    test('leaves a create unknown, in the error, the journal and a resume', async () => {
      const { client, sent } = scripted([lost, conflict]);
      const error = await getRejection(client.tags.create(vip));
      const says = { name: 'OutcomeUnknownError', outcome: 'unknown', reason: 'intent-known' };
      expect(error).toMatchObject({ ...says, attempts: 2, status: 409 });
      expect(await client.operations.list()).toMatchObject([
        { state: 'unknown', error: { reason: 'intent-known' } },
      ]);
      expect(await getRejection(client.operations.resume(error.operationId ?? ''))).toMatchObject(says);
      expect(sent).toHaveLength(2);
    });

    test('applies an update whose effect the record shows', async () => {
      const { client } = scripted([lost, conflict, json({ record })]);
      expect(await client.tags.update({ ...record, label: 'Old' }, vip)).toMatchObject({ replayed: true });
    });

    test('leaves an update unknown that the record does not show', async () => {
      const { client } = scripted([lost, conflict, json({ record: { ...record, color: 'blue' } })]);
      expect(await getRejection(client.tags.update(record, vip))).toMatchObject({ reason: 'intent-known' });
    });
  });

  test('a conflict that the journal finds is a refusal, also with acceptKnownIntent', async () => {
    const { client, sent } = scripted([applied]);
    await client.tags.create(vip, { intent });
    const again = client.tags.create({ ...vip, color: 'blue' }, { intent, acceptKnownIntent: true });
    expect(await getRejection(again)).toMatchObject({ name: 'InputConflictError', outcome: 'refused' });
    expect(sent).toHaveLength(1);
  });

  test('acceptKnownIntent has to be a boolean', async () => {
    const call = scripted([applied]).client.tags.create(vip, { intent, acceptKnownIntent: 'yes' as never });
    expect(await getRejection(call)).toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});
