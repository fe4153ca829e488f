/* The door of msw, with msw 3. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createMock } from '@orgchat/mock-server';
import { handlers } from '@orgchat/mock-server/msw';
import { createClient, NotFoundError, OutcomeUnknownError } from '@orgchat/sdk';
import { setupServer } from 'msw/node';

const { version } = JSON.parse(readFileSync(new URL('./node_modules/msw/package.json', import.meta.url)));

describe(`the door of msw ${version}`, () => {
  const mock = createMock({ rateLimit: 'off' });
  const baseUrl = 'https://api.orgchat.example/service/api/v1';
  const server = setupServer(...handlers(mock, baseUrl));
  const client = createClient({
    apiKey: 'demo-write-key',
    baseUrl,
    pacing: false,
    retry: { baseDelayMs: 1 },
  });
  before(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => mock.reset());
  after(() => server.close());

  it('is msw 3', () => assert.match(version, /^3\./));

  it('answers what is sent to an address that is not there', async () => {
    assert.equal((await client.account()).organizationId, 'org_demo');
    assert.equal((await client.tags.list()).total, 3);
    const nobody = '00000000-0000-4000-8000-00000000dead';
    await assert.rejects(client.tags.get(nobody), NotFoundError);
    await assert.rejects(client.keywords.add('a/b', { keywords: ['x'] }), NotFoundError);
  });

  for (const effect of ['drop-request', 'lose-response', 'cut-response']) {
    it(`rejects what ${effect} breaks, and the change is applied once`, async () => {
      mock.faults.arm({ effect, operation: 'changeChat' });
      await assert.rejects(
        client.tags.create({ name: 'Once', color: 'pink' }, { retry: false }).then(() => {
          throw new Error('It should have been rejected');
        }),
        OutcomeUnknownError,
      );
      await client.operations.resumeAll();
      assert.equal((await client.tags.list()).total, 4);
    });
  }

  it('leaves its headers and its bodies as the mock wrote them', async () => {
    const headers = { authorization: 'Bearer demo-read-key', 'accept-language': 'ja' };
    const init = { method: 'POST', headers, body: '{"resource":"tags","limit":0}' };
    const response = await fetch(`${baseUrl}/chat/read`, init);
    assert.equal(response.status, 400);
    assert.ok(response.headers.get('x-request-id'));
    assert.match((await response.json()).message, /limit/);
  });
});
