import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applied, failure, lost, scripted } from '../../test-support/servers/scripted.ts';
import { type Journal, memoryJournal } from '../index.ts';
import { encryptedJournal, fileJournal } from '../node.ts';

const createFileJournal = (): Journal => fileJournal(join(mkdtempSync(join(tmpdir(), 'count-')), 'journal'));
const key = new Uint8Array(32);

test.each<[string, () => Journal]>([
  ['in memory', memoryJournal],
  ['in files', createFileJournal],
  ['encrypted', () => encryptedJournal(createFileJournal(), key)],
])('operations.stats() counts the operations of a journal %s', async (_where, open) => {
  const answers = [applied, applied, failure(400, 'INVALID_INPUT'), lost];
  const { client } = scripted(answers, { journal: open(), retry: false });
  const before = await client.operations.stats();
  expect(before).toMatchObject({ applied: 0, open: 0, oldestOpenAt: undefined, oldestOpenMs: undefined });
  for (const name of answers.keys())
    await client.tags.create({ name: `${name}`, color: 'pink' }).catch(() => undefined);
  const { oldestOpenAt, oldestOpenMs = -1, ...counts } = await client.operations.stats();
  expect(counts).toEqual({ pending: 0, unknown: 1, applied: 2, refused: 1, abandoned: 0, open: 1 });
  const [open_] = await client.operations.list({ open: true });
  expect(oldestOpenAt).toBe(open_?.createdAt);
  expect(oldestOpenMs).toBeGreaterThanOrEqual(0);
  expect(oldestOpenMs).toBeLessThan(60_000);
});

test('no more than a page is in memory, and only the target is counted', async () => {
  const journal = memoryJournal({ maxEntries: 2_000 });
  const limits: unknown[] = [];
  const watched: Journal = {
    ...journal,
    list(target, options) {
      limits.push(options?.limit);
      return journal.list(target, options);
    },
  };
  const { client } = scripted(
    Array.from({ length: 450 }, () => applied),
    { journal: watched },
  );
  for (let n = 0; n < 450; n++) await client.tags.create({ name: `${n}`, color: 'pink' });
  expect((await client.operations.stats()).applied).toBe(450);
  expect(limits).toEqual([200, 200, 200]);
  const { client: other } = scripted([], { journal: watched, apiKey: 'another-key' });
  expect((await other.operations.stats()).applied).toBe(0);
});
