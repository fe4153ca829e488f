import { describe, expect, test, vi } from 'vitest';
import {
  type ClientEvent,
  InputConflictError,
  InvalidInputError,
  isFinal,
  type Journal,
  type JournalEntry,
  memoryJournal,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  failure,
  json,
  lost,
  refusedConnection,
  replayed,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

describe('a known operation', () => {
  test('is sent again with its journaled bytes', async () => {
    const { client, sent } = scripted([applied, replayed]);
    await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: ['setup', 'vip'] });
    const again = await client.tags.create({ color: 'pink', name: 'VIP' }, { intent: ['setup', 'vip'] });
    expect(again.replayed).toBe(true);
    expect(sent[1]?.body).toBe(sent[0]?.body);
  });

  test('with other input is refused here', async () => {
    const { client, sent } = scripted([applied]);
    await client.tags.create(vip, { operationId: id });
    const error = await getRejection(
      client.tags.create({ ...vip, color: 'blue' }, { operationId: id.toUpperCase() }),
    );
    expect(error).toBeInstanceOf(InputConflictError);
    expect(error).toMatchObject({ operationId: id, attempts: 0 });
    expect(error.message).toContain('Nothing was sent. (POST /chat/changes: INPUT_CONFLICT)');
    expect(sent).toHaveLength(1);
  });

  test('is recognized by the caller’s input; a newer revision of the record does not matter', async () => {
    const { client, sent } = scripted([applied, replayed]);
    const record = { id, revision: 'a'.repeat(64), label: 'Old' };
    await client.tags.update(record, vip, { intent: ['rename'] });
    await client.tags.update({ id, revision: 'b'.repeat(64), label: 'VIP' }, vip, { intent: ['rename'] });
    expect(sent[1]?.body).toBe(sent[0]?.body);
    const other = { id: id.replace('6f', '7f'), revision: 'b'.repeat(64), label: 'VIP' };
    expect(await getRejection(client.tags.update(other, vip, { intent: ['rename'] }))).toBeInstanceOf(
      InputConflictError,
    );
  });

  test('with the same fingerprint is sent again with its journaled bytes, whatever the input is by now', async () => {
    const { client, sent } = scripted([applied, replayed]);
    const named = { operationId: id, fingerprint: 'tag with the name VIP' };
    await client.tags.create(vip, named);
    expect(await client.operations.get(id)).toMatchObject({ fingerprint: 'tag with the name VIP' });
    await client.tags.create({ ...vip, color: 'blue' }, named);
    expect(sent[1]?.body).toBe(sent[0]?.body);
  });

  test.each([undefined, 'another'])(
    'with the fingerprint %j is compared by its input',
    async (fingerprint) => {
      const { client, sent } = scripted([applied, replayed]);
      await client.tags.create(vip, { operationId: id, fingerprint: 'first' });
      const again = client.tags.create({ ...vip, color: 'blue' }, { operationId: id, fingerprint });
      expect(await getRejection(again)).toBeInstanceOf(InputConflictError);
      await client.tags.create(vip, { operationId: id, fingerprint });
      expect(sent).toHaveLength(2);
    },
  );

  test('with the same fingerprint is another one at another path', async () => {
    const { client, sent } = scripted([applied]);
    await client.tags.create(vip, { operationId: id, fingerprint: 'x' });
    const add = client.keywords.add('site', { keywords: ['a'] }, { operationId: id, fingerprint: 'x' });
    expect(await getRejection(add)).toBeInstanceOf(InputConflictError);
    expect(sent).toHaveLength(1);
  });

  test.each(['', 7, null])('cannot have the fingerprint %j', async (fingerprint) => {
    const { client, sent } = scripted([applied]);
    const error = await getRejection(client.tags.create(vip, { fingerprint: fingerprint as string }));
    expect(error.message).toMatch(/^fingerprint must be a non-empty string; got /);
    expect(sent).toHaveLength(0);
  });

  test('that was refused may get a different input', async () => {
    const { client } = scripted([failure(400, 'INVALID_INPUT'), applied]);
    await getRejection(client.tags.create({ ...vip, name: '' }, { operationId: id }));
    expect(await client.tags.create(vip, { operationId: id })).toMatchObject({
      applied: true,
      operationId: id,
    });
  });

  test('waits for a call with the same id in this process', async () => {
    const slow: Step = async (request, body) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return applied(request, body);
    };
    const { client, sent } = scripted([slow, replayed]);
    const both = await Promise.all([
      client.tags.create(vip, { intent: ['once'] }),
      client.tags.create(vip, { intent: ['once'] }),
    ]);
    // Which of them is first depends on whose id is derived first.
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(15);
  });

  test('is awaited by all later calls, even if one of them ends early', async () => {
    let answer: (answer: Response) => void = () => undefined;
    const held: Step = () => new Promise((resolve) => (answer = resolve));
    const { client, sent } = scripted([held, replayed]);
    const create = (signal?: AbortSignal) => client.tags.create(vip, { operationId: id, signal });
    const first = create();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const impatient = new AbortController();
    const second = getRejection(create(impatient.signal));
    impatient.abort();
    expect(await second).toMatchObject({ code: 'ABORTED' });
    const third = create();
    answer(await applied(new Request('https://x.example'), ''));
    expect([(await first).replayed, (await third).replayed]).toEqual([false, true]);
  });

  test('does not wait for calls with another id', async () => {
    let answerFirst: (answer: Response) => void = () => undefined;
    const held: Step = () =>
      new Promise((resolve) => {
        answerFirst = resolve;
      });
    const { client, sent } = scripted([held, applied]);
    const first = client.tags.create(vip, { operationId: id });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    // With an id of its own, and with one made for it.
    const other = id.replace(/^./, 'a');
    expect(await client.tags.create(vip, { operationId: other })).toMatchObject({ operationId: other });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    answerFirst(await applied(new Request('https://x.example'), ''));
    expect(await first).toMatchObject({ operationId: id });
  });

  test.each([
    ['refused', failure(403, 'FORBIDDEN'), { name: 'PermissionError', code: 'FORBIDDEN', status: 403 }],
    ['limited', failure(429, 'RATE_LIMITED', { 'retry-after': '1' }), { name: 'RateLimitError' }],
    ['not read', failure(404, 'NOT_FOUND'), { name: 'NotFoundError' }],
    ['lost', lost, { name: 'ConnectionError', code: 'CONNECTION_LOST' }],
    ['not sent', refusedConnection, { name: 'ConnectionError', code: 'CONNECTION_FAILED' }],
  ] as const)(
    'once applied stays applied in the journal, the error and the event, if a later request is %s',
    async (_how, step, says) => {
      const outcomes: unknown[] = [];
      const onEvent = (event: ClientEvent): void => {
        if (event.type === 'outcome') outcomes.push([event.outcome, event.errorCode]);
      };
      const { client } = scripted([applied, step], { retry: false, onEvent });
      await client.tags.create(vip, { operationId: id });
      const error = await getRejection(client.tags.create(vip, { operationId: id }));
      expect(error).toMatchObject({ ...says, outcome: 'applied', operationId: id });
      expect(error.message).toContain(`An earlier call applied operation ${id}. `);
      expect(error).not.toHaveProperty('resume');
      expect(isFinal(error)).toBe(false);
      const [entry] = await client.operations.list();
      expect([entry?.state, entry?.error]).toEqual(['applied', undefined]);
      expect(outcomes).toEqual([
        ['applied', undefined],
        ['applied', error.code],
      ]);
    },
  );

  test('once applied is a replay if the server has it with other input', async () => {
    const { client } = scripted([applied, failure(409, 'INPUT_CONFLICT')]);
    await client.tags.create(vip, { operationId: id });
    expect(await client.tags.create(vip, { operationId: id })).toMatchObject({ replayed: true });
  });

  test('operationId and intent together are rejected', async () => {
    const { client } = scripted([applied]);
    const error = await getRejection(client.tags.create(vip, { operationId: id, intent: ['a'] }));
    expect(error).toBeInstanceOf(InvalidInputError);
  });
});

test('a journal that does not say whether it kept a new entry ends the call: nothing is sent, no loop', async () => {
  const journal = memoryJournal();
  const add = (entry: JournalEntry) => void journal.add(entry);
  const { client, sent } = scripted([applied], { journal: { ...journal, add } as unknown as Journal });
  expect(await getRejection(client.tags.create(vip))).toMatchObject({ code: 'OPERATION_IN_FLIGHT' });
  expect(sent).toHaveLength(0);
});

describe('an operation without effect, and two processes that try it again', () => {
  /** A second process: its calls know nothing of those of the first. */
  async function twins() {
    const journal = memoryJournal();
    const refused = scripted([failure(400, 'INVALID_INPUT')], { journal });
    const add = ({ client }: ReturnType<typeof scripted>, waitForOther?: boolean) => {
      // A keyword write loads its code when it is called, and no two processes share it.
      vi.resetModules();
      return client.keywords.add('site', { keywords: ['a'] }, { intent: ['a'], waitForOther });
    };
    await getRejection(add(refused));
    const added = json({ added: ['a'], skipped: [] }, 201);
    const one = scripted([added], { journal });
    vi.resetModules();
    const elsewhere = await import('../../test-support/servers/scripted.ts');
    /** The other call, which waits in its journal: `reached` resolves there, and `go` lets it continue. */
    const other = (method: 'remove' | 'get') => {
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (go = resolve));
      let reached: () => void = () => undefined;
      const there = new Promise<void>((resolve) => (reached = resolve));
      const slow: Journal['remove'] & Journal['get'] = async (key) => {
        const answer = method === 'get' ? await journal.get(key) : undefined;
        reached();
        await gate;
        return (method === 'get' ? answer : await journal.remove(key)) as never;
      };
      let first = true;
      const once = (key: Pick<JournalEntry, 'operationId' | 'target'>) => {
        if (!first) return journal[method](key) as never;
        first = false;
        return slow(key) as never;
      };
      return {
        ...elsewhere.scripted([added], { journal: { ...journal, [method]: once } }),
        reached: there,
        go: () => go(),
      };
    };
    return { one, other, add };
  }

  test('is sent only by the process that claimed it first', async () => {
    const { one, other, add } = await twins();
    const slow = other('remove');
    const answer = add(slow);
    await slow.reached;
    expect(await getRejection(add(one, false))).toMatchObject({ code: 'OPERATION_IN_FLIGHT' });
    slow.go();
    expect(await answer).toMatchObject({ added: ['a'] });
    expect([slow.sent.length, one.sent.length]).toEqual([1, 0]);
  });

  test('is not sent by a process that read it before the other applied it', async () => {
    const { one, other, add } = await twins();
    const slow = other('get');
    const answer = add(slow);
    await slow.reached;
    expect(await add(one)).toMatchObject({ added: ['a'] });
    slow.go();
    expect(await answer).toMatchObject({ added: ['a'] });
    expect([slow.sent.length, one.sent.length]).toEqual([0, 1]);
  });
});
