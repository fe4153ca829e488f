/* Imports and requires the packed package, and calls it. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createClient, OutcomeUnknownError } from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import { fileJournal } from '@orgchat/sdk/node';

const at = '2026-05-04T10:00:00.000Z';
const named = { id: 'a', revision: 'r1', label: 'VIP', name: 'VIP' };
const result = { ...named, color: 'pink', createdAt: at, updatedAt: at };
const answer = { ok: true, applied: true, replayed: false, auditRecorded: true, result };
let sent = 0;
const fetch = async () => {
  if (sent++ === 0) throw new TypeError('fetch failed');
  return Response.json(answer);
};
const options = { apiKey: 'a-key-of-a-test', baseUrl: 'https://example.com/api/v1', fetch };
const client = createClient({ ...options, journal: fileJournal('./journal'), retry: { baseDelayMs: 1 } });
const { operationId, applied } = await client.tags.create({ name: 'VIP', color: 'pink' });
assert.equal(applied, true);
assert.equal(sent, 2);
assert.equal((await client.operations.list()).at(-1).operationId, operationId);
for (const { run } of journalConformance(() => fileJournal(mkdtempSync('./conformance-')))) await run();

const required = createRequire(import.meta.url)('@orgchat/sdk');
assert.equal(required.OutcomeUnknownError, OutcomeUnknownError);
console.log(`${process.version}: imported and required`);
