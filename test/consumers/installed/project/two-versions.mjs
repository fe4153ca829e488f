/* Two installs of the SDK in one process, as two dependencies may bring them, with one folder of journal entries. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createMock } from '@orgchat/mock-server';
import * as one from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import * as other from 'orgchat-sdk-again';
import { fileJournal as otherFileJournal } from 'orgchat-sdk-again/node';

assert.notEqual(one.OrgChatError, other.OrgChatError);
const folder = mkdtempSync('./shared-');
const mock = createMock();
const options = { apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch };
const clients = [
  one.createClient({ ...options, journal: fileJournal(folder) }),
  other.createClient({ ...options, journal: otherFileJournal(folder) }),
];
const outcomes = await Promise.all(
  clients.flatMap((client) =>
    [1, 2, 3].map((n) =>
      client.tags.create({ name: `Tag ${n}`, color: 'pink' }, { intent: ['tag', n] }).catch((e) => e.code),
    ),
  ),
);
// One intent is one change, whichever install sends it: the other replays it or finds it in progress.
assert.equal(outcomes.filter((outcome) => outcome.replayed === false).length, 3);
assert.equal(mock.operations().length, 3);
for (const client of clients) assert.equal((await client.operations.list()).length, 3);
await assert.rejects(clients[0].tags.get('00000000-0000-4000-8000-000000000000'), one.NotFoundError);
await assert.rejects(clients[1].tags.get('00000000-0000-4000-8000-000000000000'), other.NotFoundError);
console.log(`${process.version}: two versions`);
