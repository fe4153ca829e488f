/* The SDK against the mock over HTTP. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createMock } from '@orgchat/mock-server';
import { createClient, OutcomeUnknownError, operationIdFrom, StaleRevisionError } from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import { fileJournal } from '@orgchat/sdk/node';

describe('the SDK over HTTP', () => {
  const mock = createMock({ rateLimit: 'off' });
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  let server;
  const connect = (options) =>
    createClient({
      apiKey: 'demo-write-key',
      baseUrl: server.baseUrl,
      pacing: false,
      retry: { baseDelayMs: 1 },
      journal: fileJournal(join(folder, 'journal')),
      ...options,
    });
  before(async () => {
    server = await mock.listen({ port: 0 });
  });
  beforeEach(() => mock.reset());
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('reads the account, lists and pages', async () => {
    const client = connect();
    assert.equal((await client.account()).organizationId, 'org_demo');
    assert.equal((await client.tags.list({ limit: 2 })).records.length, 2);
    const [project] = (await client.studio.projects({ query: 'website' })).projects;
    let documents = 0;
    for await (const document of client.studio.documents(project.id)) documents += document.title ? 1 : 0;
    assert.equal(documents, 60);
  });

  it('adds keywords', async () => {
    const { added } = await connect().keywords.add('demo-site', { keywords: ['a', 'b'] });
    assert.deepEqual(added, ['a', 'b']);
  });

  for (const effect of ['drop-request', 'lose-response', 'cut-response']) {
    it(`applies a change once through ${effect}`, async () => {
      mock.faults.arm({ effect, operation: 'changeChat' });
      const client = connect();
      const { operationId, result } = await client.tags.create({ name: 'Once', color: 'pink' });
      assert.equal((await client.tags.get(result.id)).name, 'Once');
      assert.equal(mock.operations().filter((one) => one.operationId === operationId).length, 1);
      assert.equal((await client.tags.list()).total, 4);
    });
  }

  it('refuses what is stale, edits what is fresh, and resumes what is open', async () => {
    const client = connect();
    const { result } = await client.tags.create({ name: 'A', color: 'pink' });
    mock.edit({ resource: 'tags', id: result.id, data: { color: 'blue' } });
    await assert.rejects(client.tags.update(result, { name: 'B', color: 'pink' }), StaleRevisionError);
    const edited = await client.tags.edit(result.id, (data) => ({ ...data, name: 'B' }));
    assert.deepEqual([edited.result.name, edited.result.color], ['B', 'blue']);
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    const once = connect({ retry: false });
    await assert.rejects(once.templates.create({ name: 'T', text: 'x' }), OutcomeUnknownError);
    const outcomes = await connect().operations.resumeAll();
    assert.deepEqual(
      outcomes.map(({ state }) => state),
      ['applied'],
    );
  });

  it('has identifiers and journals that are the same everywhere', async () => {
    assert.equal(await operationIdFrom('a', 1), await operationIdFrom('a', 1));
    let count = 0;
    const suite = journalConformance(() => fileJournal(join(folder, `conformance-${count++}`)));
    for (const { name, run } of suite) await assert.doesNotReject(run(), name);
    assert.ok(suite.length > 0);
  });
});
