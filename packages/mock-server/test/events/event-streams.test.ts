import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { EventReader } from '../../test-support/event-reader.ts';
import { useEvents } from '../../test-support/served-events.ts';

const { serve, openBy } = useEvents();

describe.each(['HTTP', 'mock.fetch'] as const)('the events of a mock through %s', (adapter) => {
  const open = openBy(adapter);

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
