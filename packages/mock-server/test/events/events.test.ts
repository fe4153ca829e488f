import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMock } from '../../src/index.ts';
import type { ServedMock } from '../../src/served-mock.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import { EventReader, type ReceivedEvent } from '../../test-support/event-reader.ts';
import { useEvents } from '../../test-support/served-events.ts';

const { serve, openBy } = useEvents();

/** A field of the data of an event, whatever its name is. */
const field = ({ data: sent }: ReceivedEvent, name: string): unknown =>
  (sent as unknown as Record<string, unknown>)[name];

const createTag = { action: 'create-tags', data: data.tags };

describe.each(['HTTP', 'mock.fetch'] as const)('the events of a mock through %s', (adapter) => {
  const open = openBy(adapter);

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
