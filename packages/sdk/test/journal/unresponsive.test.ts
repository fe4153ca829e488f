import { expect, test } from 'vitest';
import { DeadlineError } from '../../src/index.ts';
import type { Journal, JournalEntry } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, lost, scripted } from '../../test-support/scripted.ts';

/* A journal that does not answer holds a write no longer than its deadline. */

const vip = { name: 'VIP', color: 'pink' } as const;
const intent = ['vip'];

/** A journal with one method that does not answer before `answer` is called. */
function slow(method: 'add' | 'get' | 'claim') {
  const journal = memoryJournal();
  let answer = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const work = journal[method] as (...args: readonly unknown[]) => unknown;
  const wait = async (...args: readonly unknown[]): Promise<unknown> => {
    await isOver;
    return work(...args);
  };
  return { journal, answer, slowed: { ...journal, [method]: wait } as Journal };
}

const listAll = async (journal: Journal, { target }: Pick<JournalEntry, 'target'>) =>
  (await journal.list(target)).entries;

test.each(['add', 'get', 'claim'] as const)(
  'a write whose journal never answers %s() ends at its deadline, and sends nothing',
  async (method) => {
    const { journal, slowed } = slow(method);
    const { client, sent } = scripted([lost, applied], { journal, retry: false });
    await getRejection(client.tags.create(vip, { intent }));
    const count = sent.length;
    const other = scripted([applied], { journal: slowed });
    const options = method === 'add' ? { timeoutMs: 30 } : { intent, timeoutMs: 30 };
    const error = await getRejection(other.client.tags.create(vip, options));
    expect(error).toBeInstanceOf(DeadlineError);
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', outcome: 'abandoned' });
    expect(error.message).toContain('The journal did not answer before the deadline, so nothing was sent.');
    expect([count, other.sent.length]).toEqual([1, 0]);
  },
);

test('an entry that is added after the deadline is removed', async () => {
  const { journal, slowed, answer } = slow('add');
  const { client, sent } = scripted([applied], { journal: slowed });
  const entries: JournalEntry[] = [];
  const kept: Journal = {
    ...slowed,
    async add(entry) {
      entries.push(entry);
      return slowed.add(entry);
    },
  };
  const late = scripted([applied], { journal: kept });
  await getRejection(late.client.tags.create(vip, { timeoutMs: 30 }));
  answer();
  const [entry] = entries as [JournalEntry];
  await expect.poll(() => listAll(journal, entry)).toEqual([]);
  expect([sent, late.sent]).toEqual([[], []]);
  expect(await client.operations.list()).toEqual([]);
});

test('an operation that is claimed after the deadline is free again, and finished by the next call', async () => {
  const { journal, slowed, answer } = slow('claim');
  const first = scripted([lost], { journal, retry: false });
  await getRejection(first.client.tags.create(vip, { intent }));
  const second = scripted([], { journal: slowed });
  await getRejection(second.client.tags.create(vip, { intent, timeoutMs: 30 }));
  answer();
  const third = scripted([applied], { journal });
  const { operationId } = await third.client.tags.create(vip, { intent });
  expect(third.sent).toHaveLength(1);
  expect(await third.client.operations.list()).toMatchObject([{ operationId, state: 'applied' }]);
});
