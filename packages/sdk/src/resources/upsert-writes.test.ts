import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  account,
  failure,
  json,
  lost,
  replayedAs,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import {
  createClient,
  InputConflictError,
  type Journal,
  memoryJournal,
  type OrgChatClient,
  OutcomeUnknownError,
  requireResult,
  ServerError,
  type Tag,
} from '../index.ts';
import { fileJournal } from '../node.ts';

const vip = { name: 'VIP 2', color: 'pink' } as const;
const byName = { by: 'name' } as const;

atEachDoor((at) => {
  /** Another machine: a client without the journal of the first. */
  const elsewhere = (): OrgChatClient => createClient(at.options);
  const sent = (operation: string): number =>
    at.mock.requests.list().filter((request) => request.operation === operation).length;
  const named = async (name: string) =>
    (await at.client.tags.list().toArray()).filter((tag) => tag.name === name);

  test('an upsert returns the record as it is if its own answer was lost', async () => {
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
    expect(await at.client.tags.upsert(vip, byName)).toMatchObject({ outcome: 'created', record: vip });
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
    const blue = { ...vip, color: 'blue' } as const;
    const { outcome, record } = await at.client.tags.upsert(blue, byName);
    expect([outcome, record]).toMatchObject(['updated', blue]);
    expect(await at.client.tags.get(record.id)).toEqual(record);
  });

  test('an upsert that lost its answer is repeated without a double', async () => {
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
    const once = createClient({ ...at.options, retry: false });
    expect(await getRejection(once.tags.upsert(vip, byName))).toBeInstanceOf(OutcomeUnknownError);
    expect(await elsewhere().tags.upsert(vip, byName)).toMatchObject({ outcome: 'unchanged' });
    expect(await named('VIP 2')).toHaveLength(1);
  });

  describe('an upsert with an intent', () => {
    const options = { ...byName, intent: ['import', 'tags.csv', 7] };
    const blue = { ...vip, color: 'blue' } as const;
    const prepare = async () => requireResult(await at.client.tags.create(blue));

    test('is updated once, and what someone changed since stays', async () => {
      await prepare();
      const first = await at.client.tags.upsert(vip, options);
      expect(first).toMatchObject({ outcome: 'updated', record: vip });
      expect(await at.client.tags.upsert(vip, options)).toMatchObject({ outcome: 'unchanged' });
      await at.client.tags.update(first.record, { ...vip, color: 'green' });
      expect(await at.client.tags.upsert(vip, options)).toMatchObject({
        outcome: 'unchanged',
        record: { color: 'green' },
      });
      const error = await getRejection(elsewhere().tags.upsert(vip, options));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ reason: 'intent-known', status: 409 });
      expect(await named('VIP 2')).toMatchObject([{ color: 'green' }]);
      // Each client asks once, to look for a create of the intent in its journal.
      expect(sent('getAccount')).toBe(2);
    });

    test('of several programs creates one record', async () => {
      const results = await Promise.all(
        [1, 2, 3, 4].map((order) => elsewhere().tags.upsert(vip, { ...byName, intent: ['order', order] })),
      );
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(await named('VIP 2')).toHaveLength(1);
      const names = ['VIP 2', 'VIP 3', 'VIP 2', 'VIP 3', 'VIP 2'];
      await at.client.bulk(names, (name, { intent }) =>
        elsewhere().tags.upsert({ name, color: 'pink' }, { by: 'name', intent }),
      );
      expect([await named('VIP 2'), await named('VIP 3')]).toMatchObject([[{}], [{}]]);
    });

    test('of several machines at once updates once, and each gets the record as it is', async () => {
      await prepare();
      const results = await Promise.all([1, 2, 3].map(() => elsewhere().tags.upsert(vip, options)));
      for (const { record } of results) expect(record).toMatchObject(vip);
      expect(results.filter(({ outcome }) => outcome === 'updated')).toHaveLength(1);
    });

    test('is found by another machine after a lost answer', async () => {
      await prepare();
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      expect(await getRejection(once.tags.upsert(vip, options))).toBeInstanceOf(OutcomeUnknownError);
      expect(await elsewhere().tags.upsert(vip, options)).toMatchObject({ outcome: 'unchanged' });
      expect(await once.tags.upsert(vip, options)).toMatchObject({ outcome: 'unchanged' });
      expect(await named('VIP 2')).toMatchObject([vip]);
    });

    test('updates under the id of a stale attempt', async () => {
      await prepare();
      at.mock.faults.arm({ effect: 'rival-edit', times: 1 });
      expect(await at.client.tags.upsert(vip, options)).toMatchObject({ outcome: 'updated', record: vip });
    });

    test('creates the record if it is deleted while an update is unknown', async () => {
      const record = await prepare();
      at.mock.faults.arm({ effect: 'drop-request', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      expect(await getRejection(once.tags.upsert(vip, options))).toBeInstanceOf(OutcomeUnknownError);
      await at.client.tags.delete(record);
      expect(await once.tags.upsert(vip, options)).toMatchObject({ outcome: 'created', record: vip });
      expect(await named('VIP 2')).toMatchObject([vip]);
    });

    describe('that created the record', () => {
      /** The journals of the first delivery and of the second. */
      const journals: Readonly<Record<string, () => readonly (Journal | undefined)[]>> = {
        'the same process': () => [memoryJournal()],
        'another process with the same journal': () => {
          const folder = join(mkdtempSync(join(tmpdir(), 'upsert-')), 'journal');
          return [fileJournal(folder), fileJournal(folder)];
        },
        'a process without the journal': () => [memoryJournal(), memoryJournal()],
      };
      const paint = (record: Tag, color: 'green' | 'blue') =>
        at.client.tags.edit(record.id, (data) => ({ ...data, color }));

      test.each(Object.keys(journals))('is not updated by another delivery in %s', async (where) => {
        const [journal, later = journal] = (journals[where] as () => Journal[])();
        const first = createClient({ ...at.options, journal });
        const { outcome, record } = await first.tags.upsert(vip, options);
        expect(outcome).toBe('created');
        await paint(record, 'green');
        const second = createClient({ ...at.options, journal: later });
        // Only the journal knows that this intent created it.
        const isKnown = where !== 'a process without the journal';
        const says = isKnown
          ? { outcome: 'unchanged', record: { color: 'green' } }
          : { outcome: 'updated', record: { color: 'pink' } };
        expect(await second.tags.upsert(vip, options)).toMatchObject(says);
        expect(await named('VIP 2')).toMatchObject([says.record]);
      });

      test('is updated under another intent', async () => {
        const { record } = await at.client.tags.upsert(vip, options);
        await paint(record, 'green');
        const next = { ...byName, intent: ['import', 'tags.csv', 8] };
        expect(await at.client.tags.upsert(vip, next)).toMatchObject({ outcome: 'updated', record: vip });
        await paint(record, 'blue');
        for (const intent of [options, next])
          expect(await at.client.tags.upsert(vip, intent)).toMatchObject({ outcome: 'unchanged' });
        expect(await named('VIP 2')).toMatchObject([{ color: 'blue' }]);
      });

      test('is created again once it is deleted, and not updated then either', async () => {
        const next = { ...byName, intent: ['import', 'tags.csv', 8] };
        await at.client.tags.delete((await at.client.tags.upsert(vip, options)).record);
        const { outcome, record } = await at.client.tags.upsert(vip, next);
        expect(outcome).toBe('created');
        await paint(record, 'green');
        expect(await at.client.tags.upsert(vip, next)).toMatchObject({ outcome: 'unchanged' });
      });

      test('is not updated if the answer to its creation was lost', async () => {
        at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
        const { outcome, record } = await at.client.tags.upsert(vip, options);
        expect(outcome).toBe('created');
        await paint(record, 'green');
        expect(await at.client.tags.upsert(vip, options)).toMatchObject({ outcome: 'unchanged' });
      });
    });

    test('that a journal cannot be asked about changes nothing', async () => {
      await prepare();
      const broken: Journal = {
        ...memoryJournal(),
        get() {
          throw new Error('disk full');
        },
      };
      const client = createClient({ ...at.options, journal: broken });
      expect(await getRejection(client.tags.upsert(vip, options))).toMatchObject({ code: 'JOURNAL_FAILED' });
      expect(await named('VIP 2')).toMatchObject([{ color: 'blue' }]);
    });

    test('and other data is a mistake', async () => {
      const record = await prepare();
      await at.client.tags.upsert(vip, options);
      await at.client.tags.update({ ...record, ...(await named('VIP 2'))[0] }, { ...vip, color: 'brown' });
      const error = await getRejection(at.client.tags.upsert({ ...vip, color: 'green' }, options));
      expect(error).toBeInstanceOf(InputConflictError);
      expect((error as InputConflictError).status).toBeUndefined();
    });
  });
});

test('an upsert reads the record if the answer to its write has none', async () => {
  const record = { id: 'a', revision: 'r', label: 'VIP 2', name: 'VIP 2', color: 'blue' };
  const page = json({ records: [record], total: 1, limited: false });
  const { client } = scripted([
    page,
    json({ ok: true, applied: true, replayed: false, auditRecorded: true }),
    json({ record: { ...record, color: 'pink' } }),
  ]);
  expect(await client.tags.upsert(vip, byName)).toMatchObject({ outcome: 'updated', record: vip });
});

const list = (...records: object[]): Step => json({ records, total: records.length, limited: false });
const tag = { id: 'a', revision: 'r', label: 'VIP 2', name: 'VIP 2', color: 'blue' };

describe('an upsert whose write is applied, and whose record cannot be read afterwards', () => {
  const me = json(account);
  const written = json({ ok: true, applied: true, replayed: false, auditRecorded: true });
  const forbidden = failure(403, 'FORBIDDEN');
  const intent = ['import', 7];

  test.each<[string, object, Step[], object | undefined]>([
    ['an update', byName, [list(tag), written, forbidden], { status: 403 }],
    [
      'an update of a deleted record',
      byName,
      [list(tag), written, failure(404, 'NOT_FOUND')],
      { status: 404 },
    ],
    ['a create', byName, [list(), me, written, forbidden], { status: 403 }],
    ['an update with an intent', { ...byName, intent }, [list(tag), me, written, forbidden], { status: 403 }],
    [
      'a create beside another',
      byName,
      [list(), me, written, list(tag, { ...tag, id: 'b' })],
      { code: 'AMBIGUOUS_MATCH' },
    ],
    [
      'a create that was repeated',
      byName,
      [list(), me, lost, replayedAs(vip.name), forbidden],
      { status: 403 },
    ],
    ['a create of a record that is gone', byName, [list(), me, written, list()], undefined],
  ])('%s is RESULT_MISSING', async (_name, options, steps, cause) => {
    const { client } = scripted(steps, { retry: { baseDelayMs: 1, maxDelayMs: 1 } });
    const error = await getRejection(client.tags.upsert(vip, options as typeof byName));
    expect(error).toBeInstanceOf(ServerError);
    const [entry] = await client.operations.list({ state: 'applied' });
    expect(error).toMatchObject({ code: 'RESULT_MISSING', operationId: entry?.operationId });
    expect(error.message).toMatch(/^Operation \S+ was applied, but .* Call upsert\(\) again\.$/);
    if (cause) expect(error.cause).toMatchObject(cause);
    else expect(error.cause).toBeUndefined();
  });

  test('if creating again after a spent id is refused, the upsert rejects with that refusal', async () => {
    const missing = failure(404, 'NOT_FOUND');
    // No read shows its record, and no change finds it.
    const gone = [list(), me, replayedAs(vip.name), missing, list(), missing, failure(403, 'FORBIDDEN')];
    const error = await getRejection(scripted(gone).client.tags.upsert(vip, byName));
    expect(error).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });
});
