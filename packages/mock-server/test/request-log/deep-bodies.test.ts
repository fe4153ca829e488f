import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { EventReader } from '../../test-support/event-reader.ts';

const { caller, control, server } = useServer();

/** More levels than `JSON.stringify` can write, and a body that the log keeps whole. */
const levels = 20_000;
const deep = '['.repeat(levels) + ']'.repeat(levels);
const wrongField = `{"resource":"tags","id":${deep}}`;

const verify = (expected: object) => control('POST', '/requests/verify', expected);

describe('a body with too many levels to be written as JSON', () => {
  beforeEach(async () => {
    const send = (path: string, raw: string) => caller.send(path, undefined, { raw });
    expect((await send('/chat/read', wrongField)).status).toBe(400);
    expect((await send('/chat/read', deep)).status).toBe(400);
    const keywords = `{"keywords":["deep"],"note":${deep}}`;
    expect((await send('/sites/demo-site/keywords', keywords)).status).toBe(201);
  });

  it.each([
    '/requests',
    '/requests?last=2',
    '/requests?search=tags',
    '/requests/1',
    '/requests/2',
    '/requests/3',
    '/requests.har',
    '/requests.txt',
  ])('leaves GET %s readable', async (path) => {
    const response = await fetch(`${server.controlUrl}${path}`);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('is shown by its start, and as it came', async () => {
    const { body } = await control('GET', '/requests/1');
    const start = `${'['.repeat(80)}…`;
    expect(body).toMatchObject({
      decidedBy: { clause: '4.3.28', problems: [{ path: 'id', sent: start }] },
      request: { body: wrongField, bodyKept: 'complete' },
    });
    const whole = (await control('GET', '/requests/2')).body;
    expect(whole.decidedBy).toMatchObject({ because: expect.stringContaining(`${'['.repeat(200)}… is not`) });
  });

  it('can be verified, and a difference of it is shown by its start', async () => {
    expect((await verify({ operation: 'readChat', status: 400, times: 2 })).status).toBe(200);
    expect((await verify({ body: { keywords: ['deep'] }, times: 1 })).status).toBe(200);
    const { status, body } = await verify({ body: { keywords: ['deep'], note: [] }, times: 1 });
    expect(status).toBe(409);
    expect(body.nearMisses).toMatchObject([
      { differences: [{ field: 'body.note', expected: [], found: `${'['.repeat(200)}…` }] },
      {},
      {},
    ]);
    const expected = `{"body":{"note":${deep}},"times":0}`;
    const response = await fetch(`${server.controlUrl}/requests/verify`, { method: 'POST', body: expected });
    expect(response.status).toBe(400);
    const mock = createMock();
    expect(() => mock.requests.verify({ body: { note: JSON.parse(deep) }, times: 0 })).toThrow(
      'body must have at most 100 levels',
    );
  });
});

it('a sandbox that got such a body is listed, and the events go on', async () => {
  const created = (await control('POST', '/sandboxes', {})).body as { baseUrl: string; controlUrl: string };
  const events = await EventReader.open(created.controlUrl);
  const sandbox = new Caller({ baseUrl: created.baseUrl, fetch });
  await sandbox.send('/chat/read', undefined, { raw: wrongField });
  await sandbox.me();
  expect(await events.take(2)).toMatchObject([{ data: { status: 400 } }, { data: { status: 200 } }]);
  await events.close();
  const { sandboxes } = (await control('GET', '/sandboxes')).body;
  expect(sandboxes).toMatchObject([{ refused: 1, lastRefusal: { problem: { path: 'id' } } }]);
});

it('the most levels that are shown as JSON are 100', async () => {
  const nested = (count: number): string =>
    `{"resource":"tags","id":${'['.repeat(count)}${']'.repeat(count)}}`;
  for (const count of [99, 100]) await caller.send('/chat/read', undefined, { raw: nested(count) });
  const bodies = [1, 2].map(async (id) => (await control('GET', `/requests/${id}`)).body.request);
  expect(await Promise.all(bodies)).toMatchObject([{ body: JSON.parse(nested(99)) }, { body: nested(100) }]);
});
