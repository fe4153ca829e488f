import { describe, expect, test } from 'vitest';
import { type JournalEntry, memoryJournal } from '../../src/index.ts';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  failure,
  hang,
  json,
  lost,
  refusedConnection,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

/* What reconcile answers from the journal, and when it reads records. */

const vip = { name: 'VIP of a kind', color: 'pink' } as const;

describe('a settled operation needs no read', () => {
  test.each([
    ['applied', json({ ok: true, applied: true, replayed: true, auditRecorded: true }), 'applied'],
    ['refused', failure(404, 'NOT_FOUND'), 'not-applied'],
    ['abandoned', refusedConnection, 'not-applied'],
  ] as const)('%s', async (state, step, verdict) => {
    const { client, sent } = scripted([step], { retry: false });
    await Promise.resolve(client.tags.create(vip)).catch(() => undefined);
    const [entry] = await client.operations.list({ state });
    const before = sent.length;
    const { operationId = '' } = entry ?? {};
    expect(await client.operations.reconcile(operationId)).toMatchObject({ verdict, evidence: 'settled' });
    expect(sent).toHaveLength(before);
  });
});

describe('an operation that may be in progress', () => {
  /** A client whose process died during a change. The call ends at `deadline`, in milliseconds since the epoch. */
  async function crashed(deadline: number) {
    const journal = memoryJournal();
    let begun: JournalEntry | undefined;
    const recording = {
      ...journal,
      add(entry: JournalEntry) {
        begun = { ...entry, deadline: new Date(deadline).toISOString() };
        return journal.add(begun);
      },
    };
    const never = { ...recording, settle: async () => true };
    const given = scripted([lost, json({ records: [], total: 0, limited: false })], {
      journal: never,
      retry: false,
    });
    await getRejection(given.client.tags.create(vip));
    return { ...given, operationId: begun?.operationId ?? '' };
  }

  test('is not read before its deadline', async () => {
    const { client, sent, operationId } = await crashed(Date.now() + 60_000);
    const found = await client.operations.reconcile(operationId);
    expect(found).toMatchObject({ verdict: 'inconclusive', evidence: 'in-progress', records: [] });
    expect(sent).toHaveLength(1);
  });

  test('is not read while a call without a deadline is in progress', async () => {
    let arrived = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const silent: Step = (request, body) => {
      arrived();
      return hang(request, body);
    };
    const { client, sent } = scripted([silent], { timeoutMs: Infinity });
    const controller = new AbortController();
    const call = getRejection(client.tags.create(vip, { signal: controller.signal }));
    await asked;
    const [entry] = await client.operations.list();
    expect(await client.operations.reconcile(entry ?? '')).toMatchObject({ evidence: 'in-progress' });
    expect(sent).toHaveLength(1);
    controller.abort();
    await call;
  });

  test('is read after its deadline', async () => {
    const { client, sent, operationId } = await crashed(Date.now() - 1);
    expect(await client.operations.reconcile(operationId)).toMatchObject({ evidence: 'differs' });
    expect(sent).toHaveLength(2);
  });

  test('on the server may be applied later: the verdict has the time of its check', async () => {
    const { mock, client } = mocked();
    const { result: tag } = await client.tags.create({ name: 'Old', color: 'green' });
    mock.faults.arm({ effect: 'drop-request', operation: 'changeChat', times: 4 });
    const error = await getRejection(client.tags.update(tag, vip));
    const found = await client.operations.reconcile(error);
    expect(found).toMatchObject({ verdict: 'not-applied', evidence: 'unchanged-so-far', records: [tag] });
    await client.operations.resumeAll();
    expect(await client.operations.reconcile(error)).toMatchObject({
      verdict: 'applied',
      evidence: 'settled',
    });
  });
});

test('keywords cannot be read', async () => {
  const { mock, client } = mocked();
  mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
  const error = await getRejection(client.keywords.add('demo-site', { keywords: ['x'] }));
  const found = await client.operations.reconcile(error.operationId ?? '');
  expect(found).toMatchObject({ verdict: 'inconclusive', evidence: 'not-readable' });
});

test('an operation that is not in the journal is UNKNOWN_OPERATION', async () => {
  const { client } = mocked();
  const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
  const message = expect.stringMatching(
    `^Operation ${operationId} is not in the journal .*Nothing was sent. operations.list()`,
  );
  expect(await getRejection(client.operations.reconcile({ operationId }))).toMatchObject({
    code: 'UNKNOWN_OPERATION',
    message,
  });
  expect(await getRejection(client.operations.reconcile({}))).toMatchObject({ code: 'INVALID_INPUT' });
});
