import type { JournalEntry } from '../journal.ts';
import { assertEqual, claimEntry, createEntry, type JournalCase, target } from './assertions.ts';

/** What a journal keeps: whole entries, each once, apart from those of other targets. */
export const entryCases: readonly JournalCase[] = [
  [
    'keeps an entry as it was given, byte for byte',
    async (journal) => {
      const entry = createEntry({
        body: '{"a":"\\u0000 \\ud83d\\ude00 日本語 \\\\ \\"","b":1e2}',
        // What jsonb and some encodings lose: NUL, and half of a surrogate pair.
        fingerprint: 'tags create ✨ \u0000 \ud83d',
      });
      assertEqual(await journal.add(entry), true, 'add');
      assertEqual(await journal.get(entry), entry, 'get');
      assertEqual((await journal.list(target)).entries, [entry], 'list');
    },
  ],
  [
    'does not keep a second entry under a known key',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      assertEqual(await journal.add({ ...entry, body: '{}', token: 'another' }), false, 'second add');
      assertEqual(await journal.get(entry), entry, 'the first stays');
      const applied = { ...entry, state: 'applied' } as const;
      await journal.settle(applied);
      assertEqual(await journal.add({ ...entry, token: 'another' }), false, 'add of what is settled');
      assertEqual(await journal.get(entry), applied, 'what is settled stays');
    },
  ],
  [
    'lets one of many simultaneous additions succeed',
    async (journal) => {
      const entry = createEntry();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => journal.add({ ...entry, token: crypto.randomUUID() })),
      );
      assertEqual(answers.filter(Boolean).length, 1, 'additions that succeeded');
    },
  ],
  [
    'keeps targets apart',
    async (journal) => {
      const entry = createEntry();
      const elsewhere = {
        ...entry,
        target: 'https://other.example/api/v1#ffff',
        token: 'elsewhere',
      };
      assertEqual(await journal.add(entry), true, 'here');
      assertEqual(await journal.add(elsewhere), true, 'there, under the same id');
      assertEqual((await journal.list(target)).entries, [entry], 'list of here');
      assertEqual(await journal.remove(elsewhere), true, 'remove there');
      assertEqual(await journal.get(entry), entry, 'here stays');
    },
  ],
  [
    'knows nothing of what was never added or was removed',
    async (journal) => {
      const entry = createEntry();
      assertEqual(await journal.get(entry), undefined, 'get');
      assertEqual(await claimEntry(journal, entry), undefined, 'claim');
      assertEqual(await journal.remove(entry), false, 'remove');
      await journal.add(entry);
      assertEqual(await journal.remove(entry), true, 'remove after add');
      assertEqual(await journal.settle({ ...entry, state: 'applied' }), false, 'settle after remove');
      assertEqual(await journal.get(entry), undefined, 'a settled entry that was removed stays removed');
    },
  ],
  [
    'keeps why an operation failed and what a keyword write answered',
    async (journal) => {
      const entry = createEntry({
        kind: 'keywords',
        path: '/sites/s/keywords',
        body: '{"keywords":["a"]}',
      });
      await journal.add(entry);
      const settled: JournalEntry = {
        ...entry,
        state: 'applied',
        result: { added: ['a'], skipped: [] },
        error: { code: 'X', meaning: 'uncertain', reason: 'HTTP_500', status: 500, requestId: 'r' },
      };
      await journal.settle(settled);
      assertEqual((await journal.get(entry))?.result, settled.result, 'result');
      assertEqual((await journal.get(entry))?.error, settled.error, 'error');
    },
  ],
];
