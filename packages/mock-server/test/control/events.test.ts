import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMock, type Listening, type Mock } from '../../src/index.ts';
import type { ServedMock } from '../../src/served-mock.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import { EventReader, type ReceivedEvent } from '../../test-support/event-reader.ts';

const opened: Listening[] = [];
afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())));

interface Served {
  readonly mock: Mock;
  readonly server: Listening;
  readonly caller: Caller;
}

async function serve(mock: Mock = createMock({ rateLimit: 'off' })): Promise<Served> {
  const server = await mock.listen({ port: 0 });
  opened.push(server);
  return { mock, server, caller: new Caller({ baseUrl: server.baseUrl, fetch }) };
}

/** A field of the data of an event, whatever its name is. */
const field = ({ data: sent }: ReceivedEvent, name: string): unknown =>
  (sent as unknown as Record<string, unknown>)[name];

const createTag = { action: 'create-tags', data: data.tags };

describe.each(['HTTP', 'mock.fetch'])('the events of a mock through %s', (adapter) => {
  const open = async (mock: Mock, lastEventId?: string): Promise<EventReader> => {
    const options = lastEventId === undefined ? {} : { lastEventId };
    if (adapter === 'mock.fetch') return EventReader.open(mock.controlUrl, { ...options, fetch: mock.fetch });
    const [server] = opened;
    return EventReader.open(mock.addresses(server?.url ?? '').controlUrl, options);
  };

  it('have a request with its entry, a record and an operation', async () => {
    const { mock, caller } = await serve();
    const reader = await open(mock);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream');
    expect(reader.response.headers.get('cache-control')).toBe('no-store');
    expect(reader.response.headers.get('x-request-id')).toMatch(/^req-/);
    const { body } = await caller.apply(createTag);
    const [record, operation, request] = await reader.take(3);
    const { id, revision } = body.result as { id: string; revision: string };
    const [entry] = mock.requests.list();
    expect(record).toMatchObject({
      name: 'record',
      data: { resource: 'tags', id, action: 'created', revision, by: 'request', requestId: entry?.requestId },
    });
    expect(operation).toMatchObject({
      name: 'operation',
      data: { operationId: entry?.operationId, state: 'applied' },
    });
    expect(request).toMatchObject({ name: 'request', data: entry });
    await reader.close();
  });

  it('have what happens to a record, and who changed it', async () => {
    const { mock, caller } = await serve();
    const reader = await open(mock);
    const tag = (await caller.apply(createTag)).body.result;
    await reader.take(3);
    const edited = mock.edit({ resource: 'tags', id: tag.id, data: { name: 'Edited' } }) as {
      revision: string;
    };
    expect(await reader.next()).toMatchObject({
      data: { action: 'changed', by: 'control', requestId: null, revision: edited.revision },
    });
    const guard = { id: tag.id, expectedRevision: edited.revision, expectedLabel: 'Edited' };
    await caller.apply({ action: 'delete-configuration', resource: 'tags', ...guard });
    expect((await reader.take(3))[0]).toMatchObject({
      data: { action: 'deleted', id: tag.id, revision: null },
    });
    await reader.close();
  });

  it('have a fault, and the edit that it makes', async () => {
    const { mock, caller } = await serve();
    const reader = await open(mock);
    const tag = await caller.first('tags');
    await reader.take(1);
    mock.faults.arm({ effect: 'rival-edit', action: 'delete-configuration' });
    await caller.apply({
      action: 'delete-configuration',
      resource: 'tags',
      ...{ id: tag.id, expectedRevision: tag.revision, expectedLabel: tag.label },
    });
    const rival = await reader.take(4);
    expect(rival.map((event) => [event.name, field(event, 'action'), field(event, 'by')])).toEqual([
      ['fault', 'armed', undefined],
      ['fault', 'hit', undefined],
      ['record', 'changed', 'rival-edit'],
      ['request', 'delete-configuration', undefined],
    ]);
    mock.faults.disarm();
    expect(await reader.next()).toMatchObject({ name: 'fault', data: { action: 'disarmed', id: null } });
    await reader.close();
  });

  it('have a change of the clock, of an organization and of a key, without the key', async () => {
    const { mock } = await serve();
    const reader = await open(mock);
    mock.clock.move({ now: 0, frozen: true });
    mock.patchOrganization({ runtime: 'up' });
    mock.patchKey('demo-read-key', { revoked: false });
    const [clock, organization, key] = await reader.take(3);
    expect(clock).toMatchObject({ name: 'clock', data: { now: 0, frozen: true } });
    expect(organization).toMatchObject({
      name: 'record',
      data: { resource: 'organizations', by: 'control' },
    });
    expect(key).toMatchObject({ name: 'record', data: { resource: 'keys' } });
    expect(JSON.stringify(key)).not.toContain('demo-read-key');
    await reader.close();
  });

  it('have a replaced state, and continue after it', async () => {
    const { mock, caller } = await serve();
    const reader = await open(mock);
    mock.reset();
    mock.restore(mock.state());
    const [reset, replaced] = await reader.take(2);
    expect(reset).toMatchObject({ name: 'sandbox', data: { action: 'reset', id: null } });
    expect(replaced).toMatchObject({ name: 'sandbox', data: { action: 'replaced', id: null } });
    await caller.me();
    expect(await reader.next()).toMatchObject({ name: 'request', data: { operation: 'getAccount' } });
    await reader.close();
  });

  it('say how an uncertain operation ends, and which keywords were added', async () => {
    const { mock, caller } = await serve();
    const reader = await open(mock);
    mock.faults.arm({
      effect: 'uncertain',
      action: 'create-tags',
      applied: false,
      resolve: { afterRequests: 0 },
      answer: 500,
    });
    const operationId = '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10';
    await caller.change(operationId, createTag);
    expect(await reader.names(4)).toEqual(['fault', 'fault', 'operation', 'request']);
    await caller.change(operationId, createTag);
    const [free, , applied] = await reader.take(4);
    expect([free?.data, applied?.data]).toMatchObject([{ state: 'free' }, { state: 'applied', operationId }]);
    await caller.keywords('demo-site', { keywords: ['one', 'two'] });
    expect((await reader.take(3)).map((event) => field(event, 'id'))).toEqual([
      'demo-site/one',
      'demo-site/two',
      mock.requests.list().at(-1)?.id,
    ]);
    await reader.close();
  });

  it('continue after the last id, also after a reset, and begin with what comes next without one', async () => {
    const { mock, caller } = await serve();
    await caller.me();
    const first = await open(mock);
    // Nothing was received yet: the beginning has an id too.
    const { lastEventId } = first;
    await first.close();
    await caller.me();
    mock.reset();
    await caller.me();
    await caller.me();
    const second = await open(mock, lastEventId);
    const events = await second.take(4);
    expect(events.map(({ name }) => name)).toEqual(['request', 'sandbox', 'request', 'request']);
    await second.close();
    const third = await open(mock, events[1]?.id);
    expect(await third.take(2)).toEqual(events.slice(2));
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    await third.close();
  });

  it('have a gap with the number of lost events', async () => {
    const { mock } = await serve();
    const first = await open(mock);
    mock.clock.advance(1);
    const { id } = (await first.next()) ?? {};
    await first.close();
    for (let i = 0; i < 10_005; i++) mock.clock.advance(1);
    const second = await open(mock, id);
    const [gap, next] = await second.take(2);
    expect(gap).toMatchObject({ name: 'gap', data: { lost: 5 } });
    expect(next?.name).toBe('clock');
    await second.close();
    // The gap has an id too, so that it is not repeated.
    const third = await open(mock, gap?.id);
    expect(await third.next()).toEqual(next);
    await third.close();
  });

  it('have a gap of unknown size after the id of another mock', async () => {
    const { mock } = await serve();
    const other = await EventReader.open(createMock().controlUrl, { fetch: createMock().fetch });
    await other.close();
    mock.clock.advance(1);
    for (const foreign of [other.lastEventId, '00000000.1.1', other.lastEventId.replace(/\d+$/, '99999')]) {
      const reader = await open(mock, foreign);
      expect(await reader.take(2)).toMatchObject([{ data: { lost: null } }, { name: 'clock' }]);
      await reader.close();
    }
  });

  it('refuse what is not an id', async () => {
    const { mock } = await serve();
    for (const wrong of ['1', 'x.1.2', `${'0'.repeat(8)}.1`]) {
      const { response } = await open(mock, wrong);
      expect(response.status).toBe(400);
      expect(await mock.requests.list()).toEqual([]);
    }
  });

  it('are those of the sandbox alone, and end when it is dropped', async () => {
    const { mock, caller } = await serve();
    const root = await open(mock);
    const sandbox = mock.sandbox({ name: 'one' });
    const { id } = sandbox;
    const reader = await open(sandbox);
    await caller.me();
    sandbox.clock.advance(1);
    sandbox.drop();
    expect(await root.take(3)).toMatchObject([
      { name: 'sandbox', data: { action: 'created', id, name: 'one' } },
      { name: 'request' },
      { name: 'sandbox', data: { action: 'dropped', id, name: 'one' } },
    ]);
    expect(await reader.take(2)).toMatchObject([
      { name: 'clock' },
      { name: 'sandbox', data: { action: 'dropped', id } },
    ]);
    expect(await reader.next()).toBeUndefined();
    await root.close();
  });

  it('go to at most 100 streams; the next one gets 503, and a closed one makes room', async () => {
    const { mock } = await serve();
    const sandbox = mock.sandbox();
    const readers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => open(i % 2 === 0 ? mock : sandbox)),
    );
    expect(readers.map(({ response }) => response.status)).toEqual(Array.from({ length: 100 }, () => 200));
    const { response } = await open(mock);
    expect(response.status).toBe(503);
    const [first, ...rest] = readers;
    await first?.close();
    let again = await open(mock);
    // The server learns a little later that the client left.
    while (again.response.status === 503) again = await open(mock);
    await Promise.all([...rest, again].map((reader) => reader.close()));
  });

  it('are as the document says', async () => {
    const { mock, caller } = await serve();
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('date-time', true);
    const document = readFileSync(new URL('../../../../spec/control.openapi.yaml', import.meta.url), 'utf8');
    ajv.addSchema({ ...(parse(document) as object), $id: 'control' });
    const accepts = ajv.compile({ $ref: 'control#/components/schemas/MockEvent' });
    const reader = await open(mock);
    mock.faults.arm({ effect: 'delay', delayMs: 0, applied: true });
    await caller.apply(createTag);
    mock.clock.advance(1);
    mock.sandbox().drop();
    const events = await reader.take(8);
    expect(new Set(events.map(({ name }) => name))).toEqual(
      new Set(['fault', 'record', 'operation', 'request', 'clock', 'sandbox']),
    );
    for (const { id, name, data: sent } of events) {
      expect([accepts({ id, event: name, data: sent }), accepts.errors]).toEqual([true, null]);
    }
    expect(accepts({ id: '1', event: 'clock', data: {} })).toBe(false);
    await reader.close();
  });
});

/** A connection that asks for events, and does not read them before `resume()`. */
async function connectWithoutReading(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  socket.write('GET /_mock/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await once(socket, 'data');
  return socket.pause();
}

const eventsPerTurn = 1_000;
/** More events than the buffers of a socket and the mock hold together: 13 MB, and 10,000 events. */
const turns = 100;

/** Makes more happen than a reader can be behind. A reader that reads gets all of it. */
async function overrun(mock: Mock, fast: EventReader): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    for (let i = 0; i < eventsPerTurn; i++) mock.clock.advance(1);
    const events = await fast.take(eventsPerTurn);
    expect(events.every(({ name }) => name === 'clock')).toBe(true);
  }
}

describe('the events of a mock over HTTP', () => {
  it('end at once when the server closes, also for a reader that does not read', async () => {
    const { mock, server } = await serve();
    const fast = await EventReader.open(server.controlUrl);
    const slow = await connectWithoutReading(server.port);
    await overrun(mock, fast);
    await server.close();
    // A reset would be an error.
    expect(await fast.next()).toBeUndefined();
    slow.destroy();
  });

  it('skip what a slow reader did not read, and say how much', async () => {
    const { mock, server } = await serve();
    const fast = await EventReader.open(server.controlUrl);
    const slow = await connectWithoutReading(server.port);
    await overrun(mock, fast);
    const parts: string[] = [];
    const last = `.${turns * eventsPerTurn}\nevent: clock`;
    await new Promise<void>((resolve) => {
      slow.on('data', (part: string) => {
        parts.push(part);
        if (parts.slice(-2).join('').includes(last)) resolve();
      });
      slow.resume();
    });
    slow.destroy();
    const text = parts.join('');
    const lost = Array.from(text.matchAll(/"lost":(\d+)/g), ([, n]) => Number(n));
    const received = text.match(/^event: clock$/gm) ?? [];
    expect(lost.length).toBeGreaterThan(0);
    // Nothing else is missing: what was lost and what came is everything.
    expect(lost.reduce((sum, n) => sum + n, received.length)).toBe(turns * eventsPerTurn);
    await fast.close();
  });

  it('leave nothing behind when readers vanish', async () => {
    const { mock, server, caller } = await serve();
    for (let round = 0; round < 5; round++) {
      const controllers = Array.from({ length: 50 }, () => new AbortController());
      const readers = await Promise.all(
        controllers.map(({ signal }) => EventReader.open(server.controlUrl, { signal })),
      );
      const isOpen = readers.filter(({ response }) => response.status === 200).length;
      for (const controller of controllers) controller.abort();
      await Promise.all(readers.map((reader) => reader.next().catch(() => undefined)));
      expect(isOpen).toBeGreaterThan(0);
      await caller.me();
    }
    // All places are free again: 100 streams open.
    const readers: EventReader[] = [];
    while (readers.length < 100) {
      const reader = await EventReader.open(server.controlUrl);
      if (reader.response.status === 200) readers.push(reader);
    }
    mock.clock.advance(1);
    expect(
      (await Promise.all(readers.map((reader) => reader.next()))).every((event) => event?.name === 'clock'),
    ).toBe(true);
    await Promise.all(readers.map((reader) => reader.close()));
  });

  it('require the token', async () => {
    const { server } = await serve(createMock({ controlToken: 'secret' }));
    expect((await fetch(`${server.controlUrl}/events`)).status).toBe(401);
  });
});

describe('the events of a mock in its process', () => {
  it('are iterated, and end when closed, or when the sandbox is dropped', async () => {
    const mock = createMock({ now: () => 0 });
    const events = mock.events();
    mock.clock.advance(1);
    for await (const { name, data: reading } of events) {
      expect(name).toBe('clock');
      expect(reading).toEqual(mock.clock.read());
      break;
    }
    for await (const _ of events) throw new Error('It was closed.');
    const sandbox = mock.sandbox();
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name } of sandbox.events()) names.push(name);
    })();
    sandbox.reset();
    sandbox.drop();
    await reading;
    expect(names).toEqual(['sandbox', 'sandbox']);
    const waiting = mock.events();
    const ended = waiting[Symbol.asyncIterator]().next();
    waiting.close();
    expect(await ended).toEqual({ done: true, value: undefined });
  });

  it('keep no bodies of requests that the log no longer has', async () => {
    const mock = createMock() as ServedMock;
    const caller = new Caller(mock);
    for (const forget of [() => mock.requests.clear(), () => mock.reset()]) {
      await caller.apply(createTag);
      const [trace] = mock.world.requestLog.list();
      expect([trace?.requestBody, trace?.responseBody]).not.toContain(undefined);
      forget();
      expect([trace?.requestBody, trace?.responseBody]).toEqual([undefined, undefined]);
    }
  });

  it('refuse unknown options, and more than 100 streams', () => {
    const mock = createMock();
    expect(() => mock.events({ after: 1 } as object)).toThrow(/after/);
    expect(() => mock.events({ lastEventId: 'x' })).toThrow('lastEventId must be the id of an event');
    const streams = Array.from({ length: 100 }, () => mock.events());
    expect(() => mock.sandbox().events()).toThrow('100 event streams are open');
    for (const stream of streams) {
      stream.close();
      stream.close();
    }
    expect(() => mock.events().close()).not.toThrow();
  });

  it('reject with the reason if the request is aborted', async () => {
    const mock = createMock();
    const controller = new AbortController();
    const reader = await EventReader.open(mock.controlUrl, { fetch: mock.fetch, signal: controller.signal });
    const next = reader.next();
    controller.abort(new Error('Stop.'));
    await expect(next).rejects.toThrow('Stop.');
  });
});
