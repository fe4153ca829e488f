import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryJournal, type OrgChatClient } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, lost, replayed, type Step, scripted } from '../../test-support/servers/scripted.ts';

/* Operations that never get an outcome: they are sent again less and less often, and hold up no others. */

const [second, minute, day] = [1_000, 60_000, 86_400_000];
const uncertain = failure(409, 'OPERATION_UNCERTAIN');
const server = { server: 1, codes: { uncertain: 'OPERATION_UNCERTAIN' } } as const;
const create = (client: OrgChatClient, name = 'VIP') => client.tags.create({ name, color: 'pink' });

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A client with an operation that the server calls uncertain, and what it answers next. */
async function createStuck(...next: Step[]) {
  const at = scripted([uncertain, ...next], { retry: false, server });
  const { operationId } = await getRejection(create(at.client));
  return { ...at, operationId: `${operationId}` };
}

describe('an operation without an outcome', () => {
  test('is sent again at once, and then after 1 s, twice as long each time', async () => {
    const { client, sent } = await createStuck(...Array<Step>(20).fill(uncertain));
    const sentAt: number[] = [];
    const start = Date.now();
    for (let n = 0; n <= 70; n++) {
      vi.setSystemTime(start + n * second);
      const before = sent.length;
      await client.operations.resumeAll();
      if (sent.length > before) sentAt.push(n);
    }
    expect(sentAt).toEqual([0, 1, 3, 7, 15, 31, 63]);
  });

  test('is reported in its state, with the time of its next attempt, until it is due', async () => {
    const { client, sent, operationId } = await createStuck(uncertain, replayed);
    const retryAt = new Date(Date.now() + second);
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'unknown', retryAt, error: {} }]);
    expect(await client.operations.resumeAll()).toEqual([
      { operationId, kind: 'change', state: 'unknown', retryAt },
    ]);
    expect(sent).toHaveLength(2);
    vi.setSystemTime(retryAt);
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
    expect((await client.operations.get(operationId))?.nextAttempt).toBeUndefined();
  });

  test.each<[string, (client: OrgChatClient, id: string) => Promise<unknown>]>([
    ['resumeAll({ now: true })', (client) => client.operations.resumeAll({ now: true })],
    ['resume(id)', (client, id) => client.operations.resume(id)],
    [
      'a call with its id',
      (client, operationId) => client.tags.create({ name: 'VIP', color: 'pink' }, { operationId }),
    ],
  ])('is sent at once by %s', async (_, ask) => {
    const { client, sent, operationId } = await createStuck(uncertain, replayed);
    await client.operations.resumeAll();
    await ask(client, operationId);
    expect(sent).toHaveLength(3);
    expect(await client.operations.list({ open: true })).toEqual([]);
  });

  test('is sent at once by error.resume()', async () => {
    const { client, sent } = scripted([lost, uncertain, replayed], { retry: false, server });
    const error = (await getRejection(create(client))) as { resume?(): Promise<unknown> };
    await client.operations.resumeAll();
    await error.resume?.();
    expect(sent).toHaveLength(3);
  });

  test('waits as before if nothing was sent', async () => {
    const { client, operationId } = await createStuck(uncertain);
    await client.operations.resumeAll();
    const before = (await client.operations.get(operationId))?.nextAttempt;
    const outcomes = await client.operations.resumeAll({ now: true, signal: AbortSignal.abort() });
    expect(outcomes).toMatchObject([{ state: 'unknown' }]);
    expect((await client.operations.get(operationId))?.nextAttempt).toEqual(before);
  });

  test('that another worker has just sent is not sent by a worker that looked before', async () => {
    const shared = memoryJournal();
    let isSeen: (() => void) | undefined;
    const seen = new Promise<void>((resolve) => {
      isSeen = resolve;
    });
    let isFree: (() => void) | undefined;
    const free = new Promise<void>((resolve) => {
      isFree = resolve;
    });
    const slow = {
      ...shared,
      async claim(...claim: Parameters<typeof shared.claim>) {
        isSeen?.();
        await free;
        return shared.claim(...claim);
      },
    };
    const first = scripted([uncertain, uncertain], { retry: false, server, journal: shared });
    await getRejection(create(first.client));
    const second = scripted([uncertain], { retry: false, server, journal: slow });
    const waiting = second.client.operations.resumeAll();
    await seen;
    await first.client.operations.resumeAll();
    isFree?.();
    expect(await waiting).toMatchObject([{ state: 'unknown', retryAt: expect.any(Date) }]);
    expect(second.sent).toHaveLength(0);
  });
});

test('20 workers send each of three stuck operations at most 150 times in 30 days, and finish the others', async () => {
  const journal = memoryJournal();
  const asked = new Map<string, number>();
  let inMinute = 0;
  const answer: Step = (request, body) => {
    const { operationId } = JSON.parse(body) as { readonly operationId: string };
    asked.set(operationId, (asked.get(operationId) ?? 0) + 1);
    inMinute++;
    return (body.includes('Stuck') ? uncertain : replayed)(request, body);
  };
  const workers = Array.from(
    { length: 20 },
    () => scripted([answer], { retry: false, server, journal }).client,
  );
  const [first] = workers as [OrgChatClient];
  for (const name of ['Stuck 1', 'Stuck 2', 'Stuck 3']) await getRejection(create(first, name));
  const stuck = [...asked.keys()].sort();
  const healthy = scripted([lost], { retry: false, journal });
  const start = Date.now();
  const perMinute: number[] = [];
  for (let at = 0; at < 30 * day; ) {
    inMinute = 0;
    // Once a day something else is left open.
    if (at % day === 0) await getRejection(create(healthy.client, 'Healthy'));
    // Each worker looks once per minute, each at its own second.
    for (const [n, worker] of workers.entries()) {
      vi.setSystemTime(start + at + n * 3 * second);
      await worker.operations.resumeAll();
    }
    perMinute.push(inMinute);
    const open = await first.operations.list({ open: true });
    expect(open.map(({ operationId }) => operationId).sort()).toEqual(stuck);
    // Nothing is sent in the minutes in between, because nothing is due.
    const next = Math.min(...open.map(({ nextAttempt }) => Date.parse(`${nextAttempt?.at}`))) - start;
    const nextDay = (Math.floor(at / day) + 1) * day;
    at = Math.min(Math.max(Math.floor(next / minute) * minute, at + minute), nextDay);
  }
  for (const id of stuck) expect(asked.get(id)).toBeLessThanOrEqual(150);
  expect(perMinute[0]).toBeLessThan(30);
  expect(Math.max(...perMinute.slice(1))).toBeLessThan(5);
});
