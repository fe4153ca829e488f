import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  elsewhere,
  failure,
  json,
  lost,
  refusedConnection,
  replayed,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import { type Journal, memoryJournal, type OrgChatError } from '../index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

/** A client with a write of each kind behind it, oldest first. */
async function withHistory(...next: Step[]) {
  const steps = [applied, failure(403, 'FORBIDDEN'), lost, refusedConnection, lost, ...next];
  const { client, sent } = scripted(steps, { retry: false });
  const ignore = (): undefined => undefined;
  // Writes of one millisecond are listed in the order of their ids, so each is of the next one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 });
  for (let n = 0; n < 4; n++) {
    await client.tags.create(vip).catch(ignore);
    vi.advanceTimersByTime(1);
  }
  await client.keywords.add('demo-site', { keywords: ['summer'] }).catch(ignore);
  vi.useRealTimers();
  return { client, sent };
}

describe('what the journal knows', () => {
  test('is listed with its state, oldest first', async () => {
    const { client } = await withHistory();
    const entries = await client.operations.list();
    const states = ['applied', 'refused', 'unknown', 'abandoned', 'unknown'];
    expect(entries.map(({ state }) => state)).toEqual(states);
    for (const { operationId, createdAt, kind, change } of entries) {
      expect(operationId).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Date(createdAt).toISOString()).toBe(createdAt);
      expect(change).toEqual(kind === 'change' ? { action: 'create-tags', data: vip } : undefined);
    }
    expect(await client.operations.list({ state: 'unknown' })).toEqual([entries[2], entries[4]]);
    expect(await client.operations.list({ state: 'pending' })).toEqual([]);
  });

  test('is listed in pages, of one state as well', async () => {
    const { client } = await withHistory();
    const { list } = client.operations;
    const entries = await list();
    const [first, second] = entries;
    expect(await list({ limit: 2 })).toEqual([first, second]);
    expect(await list({ limit: 2, after: second })).toEqual(entries.slice(2, 4));
    expect(await list({ limit: 2, after: entries[3] })).toEqual(entries.slice(4));
    expect(await list({ state: 'unknown', limit: 1 })).toEqual([entries[2]]);
    expect(await list({ state: 'unknown', limit: 1, after: entries[2] })).toEqual([entries[4]]);
    expect(await list({ open: true, limit: 1, after: entries[2] })).toEqual([entries[4]]);
    await client.operations.forget(second?.operationId ?? '');
    expect(await list({ after: second })).toEqual(entries.slice(2));
  });

  test('is listed only as an option can say', async () => {
    const { client } = scripted([]);
    for (const [options, message] of [
      [{ limit: 0 }, /limit must be a whole number, 1 or greater; got 0/],
      [{ limit: '5' }, /limit must be a whole number, 1 or greater; got string/],
      [{ after: 'c0ffee' }, /after must be the last operation of the page before.*got string/],
      [{ offset: 5 }, /"offset" is not an option of operations.list\(\)/],
    ] as const) {
      const failed = client.operations.list(options as never);
      await expect(failed).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
        message: expect.stringMatching(message),
      });
    }
  });

  test('and is open is resumed once; keyword writes are only reported', async () => {
    const { client, sent } = await withHistory(replayed);
    const [, , change, , keywords] = await client.operations.list();
    expect(await client.operations.resumeAll()).toEqual([
      expect.objectContaining({ operationId: change?.operationId, state: 'applied', replayed: true }),
      {
        operationId: keywords?.operationId,
        kind: 'keywords',
        state: 'unknown',
        error: expect.objectContaining({ code: 'NOT_RESUMABLE' }),
      },
    ]);
    expect(sent.slice(5).map(({ body }) => body)).toEqual([change?.body]);
    expect(await client.operations.resumeAll()).toHaveLength(1);
  });

  test.each(['OPERATION_IN_FLIGHT', 'NOT_RESUMABLE'])(
    'is as the journal has it if the server answers with the code %s',
    async (code) => {
      const codes = { notFound: code, uncertain: 'OPERATION_IN_FLIGHT' };
      const steps = [lost, failure(409, 'OPERATION_IN_FLIGHT'), failure(404, code)];
      const { client } = scripted(steps, { retry: false, server: { server: 1, codes } });
      await getRejection(client.tags.create(vip));
      expect(await client.operations.resumeAll()).toMatchObject([{ state: 'unknown' }]);
      expect(await client.operations.resumeAll({ now: true })).toMatchObject([{ state: 'refused' }]);
    },
  );

  test('one refusal does not prevent the others from being resumed', async () => {
    const steps = [lost, lost, failure(404, 'NOT_FOUND'), replayed];
    const { client } = scripted(steps, { retry: false });
    for (let n = 0; n < 2; n++) await client.tags.create(vip).catch((error: OrgChatError) => error);
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'refused', error: { code: 'NOT_FOUND' } },
      { state: 'applied' },
    ]);
  });

  test('an entry that the journal cannot claim does not prevent the others from being resumed', async () => {
    const journal = memoryJournal();
    let stuck = '';
    const locked = Object.assign(new Error('row locked'), { code: 'SQLITE_BUSY' });
    const claim: Journal['claim'] = (key, hold) => {
      if (key.operationId === stuck) throw locked;
      return journal.claim(key, hold);
    };
    const steps = [lost, lost, lost, replayed];
    const { client } = scripted(steps, { retry: false, journal: { ...journal, claim } });
    for (let n = 0; n < 3; n++) await getRejection(client.tags.create(vip));
    const [, second] = await client.operations.list();
    stuck = second?.operationId ?? '';
    expect(await client.operations.resumeAll()).toEqual([
      expect.objectContaining({ state: 'applied' }),
      { operationId: stuck, kind: 'change', state: 'unknown', error: locked },
      expect.objectContaining({ state: 'applied' }),
    ]);
  });

  test('is not sent if the journal fails at a later page, so that no outcome is lost', async () => {
    const journal = memoryJournal();
    const count = 201;
    const before = scripted(Array(count).fill(lost), { retry: false, journal });
    for (let n = 0; n < count; n++) await getRejection(before.client.tags.create(vip));
    let fails = true;
    const list: Journal['list'] = (target, options) => {
      if (fails && options?.after) throw new Error('no answer');
      return journal.list(target, options);
    };
    const { client, sent } = scripted(Array(count).fill(replayed), { journal: { ...journal, list } });
    await expect(client.operations.resumeAll()).rejects.toThrow('no answer');
    expect(sent).toEqual([]);
    fails = false;
    const outcomes = await client.operations.resumeAll();
    expect(outcomes.filter(({ state }) => state === 'applied')).toHaveLength(count);
  });

  test.each([
    ['refused', failure(400, 'INVALID_INPUT'), 'INVALID_INPUT'],
    ['abandoned', refusedConnection, 'CONNECTION_FAILED'],
  ])('and is %s stays so if it is resumed with the same outcome', async (state, step, code) => {
    const { client } = scripted([step], { retry: false });
    const error = (await client.tags.create(vip).catch((error: OrgChatError) => error)) as OrgChatError;
    const again = client.operations.resume(`${error.operationId}`).catch((error: OrgChatError) => error);
    expect(await again).toMatchObject({ code });
    expect(await client.operations.list()).toMatchObject([{ state }]);
    expect(await client.operations.resumeAll()).toEqual([]);
  });

  test.each([
    ['refused', failure(403, 'FORBIDDEN')],
    ['abandoned', refusedConnection],
  ])('and is %s keeps its intent if it is resumed: a later delivery is a replay', async (state, step) => {
    const ref = { accountId: 'a', userId: 'U' };
    const shown = { ...ref, status: 'unread', notes: null, label: 'Mia' };
    const read = json({ record: { ...shown, tagIds: ['x'], revision: 'r1' } });
    // Somebody else changed the tags in the meantime.
    const readLater = json({ record: { ...shown, tagIds: ['y', 'z'], revision: 'r2' } });
    const steps = [read, step, applied, readLater, replayed];
    const { client, sent } = scripted(steps, { retry: false });
    const add = () => client.friends.addTags(ref, ['z'], { intent: ['order', 1] });
    const { operationId } = (await getRejection(add())) as OrgChatError;
    const [entry] = await client.operations.list();
    expect(entry).toMatchObject({ state, fingerprint: expect.any(String) });
    expect(await client.operations.resume(`${operationId}`)).toMatchObject({ applied: true });
    const fingerprint = entry?.fingerprint;
    expect(await client.operations.list()).toMatchObject([{ state: 'applied', fingerprint }]);
    expect(await add()).toMatchObject({ operationId, replayed: true });
    expect(sent.at(-1)?.body).toBe(entry?.body);
  });

  test('and is refused is pending again while it is resumed', async () => {
    let state: unknown;
    const look: Step = async (request, body) => {
      state = (await client.operations.list())[0]?.state;
      return applied(request, body);
    };
    const { client } = scripted([failure(403, 'FORBIDDEN'), look], { retry: false });
    const { operationId } = (await client.tags
      .create(vip)
      .catch((error: OrgChatError) => error)) as OrgChatError;
    expect(await client.operations.resume(`${operationId}`)).toMatchObject({ applied: true, operationId });
    expect(state).toBe('pending');
  });

  test('and is applied stays applied when it is resumed', async () => {
    const { client } = scripted([applied, failure(403, 'FORBIDDEN')], { retry: false });
    const { operationId } = await client.tags.create(vip);
    const again = client.operations.resume(operationId).catch((error: OrgChatError) => error);
    expect(await again).toMatchObject({ name: 'PermissionError', outcome: 'applied' });
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('and held by another call are left alone and reported as pending', async () => {
    const journal = memoryJournal();
    const { client, sent } = scripted([lost], { retry: false, journal });
    await client.tags.create(vip).catch((error: OrgChatError) => error);
    const [entry] = await client.operations.list({ state: 'unknown' });
    const deadline = new Date(Date.now() + 60_000);
    await journal.claim(entry!, { token: 'theirs', deadline: deadline.toISOString() });
    const retryAt = new Date(deadline.getTime() + 5_000);
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'pending', retryAt, error: { code: 'OPERATION_IN_FLIGHT' } },
    ]);
    expect(sent).toHaveLength(1);
  });

  test('are finished even if a slot of the rate limit takes a minute', async () => {
    const pacing = { perMinute: 1 };
    const { client } = scripted([lost, lost, replayed], { ...elsewhere(), retry: false, pacing });
    // What takes time of its own, a digest of the key, is done before the clock is the test's.
    await client.operations.list();
    vi.useFakeTimers({ toFake: [...clock.toFake] });
    onTestFinished(() => void vi.useRealTimers());
    const run = async () => {
      for (let n = 0; n < 2; n++) {
        await client.tags.create(vip, { timeoutMs: 5 * 60_000 }).catch((error: OrgChatError) => error);
      }
      return client.operations.resumeAll();
    };
    let told: unknown;
    const over = run().then((outcomes) => {
      told = outcomes;
    });
    while (told === undefined) await vi.advanceTimersByTimeAsync(1_000);
    await over;
    expect(told).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
  });
});
