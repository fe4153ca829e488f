import { randomUUID } from 'node:crypto';
import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import type { DrillFault } from './drill-faults.ts';
import { type DrillWrite, getAllowance } from './drill-writes.ts';
import { Judge, type Judgment } from './judge.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

const mock = createMock({ rateLimit: 'off' });
const initial = mock.state();

type Send = (path: string, body: object) => Promise<Record<string, never>>;
type Client = (send: Send) => Promise<unknown>;

/** What a client leaves in a sandbox of its own. */
async function run(client: Client): Promise<Snapshot> {
  const sandbox: Mock = mock.sandbox();
  const from = Date.now();
  await client(async (path, body) => {
    const response = await sandbox.fetch(`${sandbox.baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, never>;
  });
  const keywordRequests = sandbox.requests.list().filter(({ operation }) => operation === 'addSeoKeywords');
  return takeSnapshot(initial, sandbox.state(), { from, to: Date.now() }, keywordRequests);
}

const change = (send: Send, action: string, more: object, operationId: string = randomUUID()) =>
  send('/chat/changes', { operationId, change: { action, ...more } });
const createTag = (send: Send, name: string, operationId?: string) =>
  change(send, 'create-tags', { data: { name, color: 'pink' } }, operationId);
const keywords = (send: Send) => send('/sites/demo-site/keywords', { keywords: ['a', 'b'] });

async function judge(
  clean: Client,
  faulty: Client,
  exit: number | null = 0,
  write: Pick<DrillWrite, 'operation'> & { readonly fault?: DrillFault } = { operation: 'changeChat' },
): Promise<Judgment> {
  const judged = new Judge(await run(clean), await run(clean));
  return judged.judge(await run(faulty), { exit }, getAllowance(write.fault ?? 'lose-response', write));
}

const two: Client = async (send) => {
  await createTag(send, 'A');
  await createTag(send, 'B');
};

describe('fixed names', () => {
  test.each([
    ['the same', two, 'ok'],
    ['another order', async (send) => [await createTag(send, 'B'), await createTag(send, 'A')], 'ok'],
    ['one less', (send) => createTag(send, 'A'), 'lost'],
    ['one again', async (send) => [await two(send), await createTag(send, 'A')], 'doubled'],
    [
      'one instead of another',
      async (send) => [await createTag(send, 'A'), await createTag(send, 'A')],
      'lost',
    ],
    [
      'a replay',
      async (send) => {
        const id = randomUUID();
        await createTag(send, 'A', id);
        await createTag(send, 'A', id);
        await createTag(send, 'B');
      },
      'ok',
    ],
  ] satisfies [string, Client, string][])('%s', async (_what, faulty, verdict) => {
    expect((await judge(two, faulty)).verdict).toBe(verdict);
  });

  test('says what differs', async () => {
    expect(await judge(two, (send) => createTag(send, 'A'))).toEqual({
      verdict: 'lost',
      lost: ['tags "B": missing'],
      doubled: [],
    });
    const again = await judge(two, async (send) => [await two(send), await createTag(send, 'A')]);
    expect(again.doubled).toEqual(['write create-tags "A": applied again', 'tags "A": too many']);
  });
});

describe('names that differ from run to run', () => {
  const random: Client = async (send) => {
    for (const kind of ['spring', 'summer']) await createTag(send, `${randomUUID().slice(0, 8)} ${kind}`);
  };

  test('are judged by their number and by the words that do not differ', async () => {
    expect((await judge(random, random)).verdict).toBe('ok');
    const spring = (send: Send) => createTag(send, `${randomUUID().slice(0, 8)} spring`);
    expect((await judge(random, spring)).verdict).toBe('lost');
    expect((await judge(random, async (send) => [await random(send), await spring(send)])).verdict).toBe(
      'doubled',
    );
    expect((await judge(random, async (send) => [await spring(send), await spring(send)])).verdict).toBe(
      'lost',
    );
  });
});

test('a reference to a record that the run created is compared by its name', async () => {
  const reply =
    (name: string): Client =>
    async (send) => {
      const ids = new Map<string, string>();
      for (const each of ['A', 'B'])
        ids.set(each, ((await createTag(send, each)) as unknown as { result: { id: string } }).result.id);
      const { records } = (await send('/chat/read', { resource: 'friends', limit: 1 })) as unknown as {
        records: readonly Record<string, string>[];
      };
      const [friend] = records;
      await change(send, 'set-friend-tags', {
        accountId: friend?.accountId,
        userId: friend?.userId,
        expectedRevision: friend?.revision,
        expectedLabel: friend?.label,
        tagIds: [ids.get(name)],
      });
    };
  expect((await judge(reply('A'), reply('A'))).verdict).toBe('ok');
  expect((await judge(reply('A'), reply('B'))).verdict).toBe('lost');
});

describe('an update', () => {
  const update = async (send: Send, color: string): Promise<void> => {
    const { records } = (await send('/chat/read', { resource: 'tags', limit: 1 })) as unknown as {
      records: readonly Record<string, string>[];
    };
    const [tag] = records;
    await change(send, 'update-tags', {
      id: tag?.id,
      expectedRevision: tag?.revision,
      expectedLabel: tag?.label,
      data: { name: tag?.name, color },
    });
  };
  const once: Client = (send) => update(send, 'purple');

  test('that is applied twice is doubled, although the record is the same', async () => {
    const twice = await judge(once, async (send) => [await once(send), await once(send)]);
    expect(twice.verdict).toBe('doubled');
  });

  test('that an older one overwrote is lost', async () => {
    const clean: Client = async (send) => [await update(send, 'blue'), await update(send, 'purple')];
    expect((await judge(clean, clean)).verdict).toBe('ok');
    const reversed: Client = async (send) => [await update(send, 'purple'), await update(send, 'blue')];
    expect((await judge(clean, reversed)).verdict).toBe('lost');
  });

  test('of another kind does not matter if the record is the same in the end', async () => {
    const upsert: Client = async (send) => [await once(send), await update(send, 'blue'), await once(send)];
    const clean: Client = (send) => update(send, 'purple');
    expect((await judge(clean, upsert)).verdict).toBe('doubled');
    const through: Client = async (send) => [await update(send, 'blue'), await once(send)];
    expect((await judge(clean, through)).verdict).toBe('ok');
  });
});

describe('a keyword write', () => {
  const write = { operation: 'addSeoKeywords' } as const;

  test('that is sent again is doubled, although the server skips its keywords', async () => {
    const again = await judge(
      keywords,
      async (send) => [await keywords(send), await keywords(send)],
      0,
      write,
    );
    expect(again).toMatchObject({ verdict: 'doubled', doubled: [expect.stringContaining('clause 4.2.7')] });
  });

  test('that is missing is right if the client reports it, and lost if it does not', async () => {
    const nothing = async () => {};
    expect((await judge(keywords, nothing, 0, write)).verdict).toBe('lost');
    expect(await judge(keywords, nothing, 7, write)).toMatchObject({
      verdict: 'ok',
      note: expect.any(String),
    });
    expect((await judge(keywords, nothing, 7)).verdict).toBe('lost');
    const resent: Client = async (send) => [await keywords(send), await keywords(send)];
    expect(await judge(keywords, resent, 7, write)).toMatchObject({ verdict: 'doubled', lost: [] });
  });

  test('that was refused with 429 can be sent again, and is lost if the client gives up', async () => {
    const limited = { ...write, fault: 'rate-limited' } as const;
    expect((await judge(keywords, keywords, 0, limited)).verdict).toBe('ok');
    expect((await judge(keywords, async () => {}, 7, limited)).verdict).toBe('lost');
  });

  test('is lost if the client runs out of time, since that is no report', async () => {
    expect(await judge(keywords, keywords, null, write)).toMatchObject({ verdict: 'lost' });
  });
});

test('a change that was not applied may be reported or sent again, and is lost without either', async () => {
  const write = { operation: 'changeChat', fault: 'not-applied' } as const;
  const nothing: Client = async () => {};
  expect(await judge(two, nothing, 1, write)).toMatchObject({ verdict: 'ok', note: expect.any(String) });
  expect((await judge(two, two, 0, write)).verdict).toBe('ok');
  expect((await judge(two, nothing, 0, write)).verdict).toBe('lost');
});

test('a client that fails although its change can be settled has lost it', async () => {
  expect(await judge(two, two, 1)).toMatchObject({ verdict: 'lost', lost: ['the command exited with 1'] });
  expect(await judge(two, two, null)).toMatchObject({
    verdict: 'lost',
    lost: ['the command ran out of time'],
  });
});
