import { afterEach, describe, expect, test } from 'vitest';
import { createClient, type OrgChatClient } from '../../src/index.ts';
import { encryptedJournal } from '../../src/journal/encrypted/encrypted-journal.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { type ByteServer, openByteServer } from '../../test-support/servers/byte-server.ts';

/* A write is in the journal before its first byte leaves: a raw server counts what arrives. */

const answers = {
  change: { ok: true, applied: true, replayed: false, auditRecorded: true },
  keywords: { added: ['x'], skipped: [] },
};
type Kind = keyof typeof answers;
const writes: Readonly<Record<Kind, (client: OrgChatClient, intent?: string[]) => Promise<unknown>>> = {
  change: (client, intent) => client.tags.create({ name: 'VIP', color: 'pink' }, { intent }),
  keywords: (client, intent) => client.keywords.add('demo-site', { keywords: ['x'] }, { intent }),
};
const intents = { 'with an intent': ['x'], 'without an intent': undefined };
const folder = journalFolder();
let server: ByteServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(kind: Kind, journal: Journal, onFirstByte?: () => void) {
  const opened = await openByteServer(answers[kind], onFirstByte);
  server = opened;
  const client = createClient({ apiKey: 'k', baseUrl: opened.baseUrl, pacing: false, retry: false, journal });
  return { client, server: opened };
}

describe.each(['change', 'keywords'] as const)('a %s', (kind) => {
  describe.each(Object.entries(intents))('%s', (_name, intent) => {
    test('sends no byte while add is in progress', async () => {
      const journal = memoryJournal();
      let bytesAtEnd: number | undefined;
      const { client, server } = await open(kind, {
        ...journal,
        async add(entry) {
          for (let n = 0; n < 5; n++) await server.roundTrip();
          bytesAtEnd = server.bytes();
          return journal.add(entry);
        },
      });
      await writes[kind](client, intent);
      expect(bytesAtEnd).toBe(0);
      expect(server.bytes()).toBeGreaterThan(100);
    });

    test.each<[string, () => Promise<never>]>([
      ['rejects', () => Promise.reject(new Error('the disk is full'))],
      [
        'throws',
        () => {
          throw new Error('the disk is full');
        },
      ],
    ])('sends no byte if add %s', async (_how, add) => {
      const { client, server } = await open(kind, { ...memoryJournal(), add });
      const error = await getRejection(writes[kind](client, intent));
      expect(error).toMatchObject({ code: 'JOURNAL_FAILED', cause: { message: 'the disk is full' } });
      for (let n = 0; n < 5; n++) await server.roundTrip();
      expect(server.bytes()).toBe(0);
    });

    test.each<[string, () => Journal]>([
      ['file', () => fileJournal(folder.dir)],
      ['durable file', () => fileJournal(folder.dir, { durable: true })],
      ['encrypted file', () => encryptedJournal(fileJournal(folder.dir), 'ab'.repeat(32))],
    ])('has its %s in place when the first byte arrives', async (_journal, create) => {
      let stored: unknown;
      const { client } = await open(kind, create(), () => {
        stored = folder.stored().entry;
      });
      await writes[kind](client, intent);
      expect(stored).toMatchObject({ state: 'pending', kind, attempts: 0 });
    });
  });
});

test('a journal that answers before the entry is in place would be noticed', async () => {
  const journal = fileJournal(folder.dir);
  let filesAtFirstByte: readonly string[] | undefined;
  const { client } = await open('change', { ...journal, add: () => true, settle: () => true }, () => {
    filesAtFirstByte = folder.files();
  });
  await writes.change(client);
  expect(filesAtFirstByte).toEqual([]);
});
