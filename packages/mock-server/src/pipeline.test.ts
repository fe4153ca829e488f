import { afterEach, describe, expect, it, vi } from 'vitest';
import { data } from '../test/data.ts';
import { createMock, type MockOptions } from './index.ts';
import type { Outcome, PlainRequest } from './message.ts';
import type { MockServer } from './mock-server.ts';
import { handle } from './pipeline.ts';

afterEach(() => void vi.restoreAllMocks());

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const change = { operationId, change: { action: 'create-tags', data: data.tags } };

/** A world and a way into its pipeline that no door is before. */
function open(options: MockOptions = {}) {
  const mock = createMock(options) as MockServer;
  const send = (path: string, body: unknown, key = 'demo-write-key'): Outcome => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    const request: PlainRequest = {
      method: body === undefined ? 'GET' : 'POST',
      path: `/api/v1${path}`,
      query: '',
      origin: () => mock.baseUrl,
      header: (name) => headers[name],
      body: body === undefined ? '' : new TextEncoder().encode(JSON.stringify(body)),
    };
    return handle(mock.world, request, path);
  };
  const tags = (): number => mock.operations().length;
  return { mock, send, tags, apply: () => send('/chat/changes', change) };
}

const applied = { status: 200, body: expect.stringMatching(/^\{"ok":true,"applied":true,"replayed":false,/) };
const replayed = { status: 200, body: expect.stringContaining('"replayed":true') };
const refused = (status: number, error: string) => ({
  kind: 'answer',
  response: { status, body: expect.stringContaining(`"error":"${error}"`) },
});

describe('what a door is told to do', () => {
  it('answer, where nothing is in the way', () => {
    const { mock, apply } = open();
    expect(apply()).toMatchObject({ kind: 'answer', response: applied });
    expect(mock.requests.list()).toMatchObject([{ answered: true, status: 200, applied: true }]);
  });

  it('reset, before anything is done', () => {
    const { mock, apply, tags } = open();
    mock.faults.arm({ effect: 'drop-request' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(tags()).toBe(0);
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: null, applied: false }]);
  });

  it('reset, after it was done', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'lose-response' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: 200, applied: true }]);
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('break the body off, after it was done', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'cut-response' });
    expect(apply()).toMatchObject({ kind: 'cut', response: applied });
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: 200, applied: true }]);
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('reset, with the outcome unknown', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'uncertain' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
  });

  it.each([500, 502] as const)('answer %i, with the outcome unknown', (status) => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'uncertain', answer: status });
    expect(apply()).toMatchObject(refused(status, status === 500 ? 'INTERNAL_ERROR' : 'RUNTIME_UNAVAILABLE'));
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
  });

  it('answer as a fault says, and whether the operation declares that', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'respond', status: 409, times: 1 });
    expect(apply()).toMatchObject({ kind: 'answer', response: { status: 409 }, undeclared: false });
    mock.faults.arm({ effect: 'respond', status: 418, times: 1, undeclared: true });
    expect(apply()).toMatchObject({ kind: 'answer', response: { status: 418 }, undeclared: true });
    expect(mock.requests.list()).toMatchObject([{ answered: true }, { answered: true }]);
  });
});

describe('a request that has to wait', () => {
  function waiting(): ReturnType<typeof open> & { resume: () => Outcome | Promise<Outcome> } {
    const opened = open();
    opened.mock.faults.arm({ effect: 'delay', delayMs: 70, times: 1 });
    const outcome = opened.apply();
    if (outcome.kind !== 'later') throw new Error(`it did not wait but: ${outcome.kind}`);
    expect(outcome.delayMs).toBe(70);
    return { ...opened, resume: outcome.resume };
  }

  it('is applied when its time has come, at the moment of that', async () => {
    const { mock, resume } = waiting();
    const before = mock.requests.list();
    expect(before).toMatchObject([{ answered: false, applied: false, faults: ['delay'] }]);
    mock.clock.advance(5_000);
    expect(await resume()).toMatchObject({ kind: 'answer', response: applied });
    const [entry] = mock.audit() as readonly { at: string }[];
    expect(Date.parse(`${entry?.at}`) - Date.parse(`${before[0]?.receivedAt}`)).toBeGreaterThanOrEqual(5_000);
  });

  it('[4.4.43] holds its operationId meanwhile: its twin is told that the outcome is not known', async () => {
    const { apply, resume } = waiting();
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
    expect(await resume()).toMatchObject({ kind: 'answer', response: applied });
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('[6.11] leaves its operationId free where it is refused at last', async () => {
    const { mock, send } = open();
    const [tag] = (
      mock.state() as { organizations: { tags: { id: string; name: string }[] }[] }
    ).organizations.flatMap(({ tags }) => tags);
    const read = send('/chat/read', { resource: 'tags', id: tag?.id });
    if (read.kind !== 'answer') throw new Error('the tag cannot be read');
    const { revision, label } = JSON.parse(read.response.body).record;
    mock.faults.arm({ effect: 'delay', delayMs: 70, times: 1 });
    const update = { action: 'update-tags', id: tag?.id, data: data.tags };
    const late = send('/chat/changes', {
      operationId,
      change: { ...update, expectedRevision: revision, expectedLabel: label },
    });
    if (late.kind !== 'later') throw new Error('it did not wait');
    mock.edit({ resource: 'tags', id: `${tag?.id}`, data: { color: 'brown' } });
    expect(await late.resume()).toMatchObject(refused(409, 'STALE_REVISION'));
    expect(send('/chat/changes', change)).toMatchObject({ kind: 'answer', response: applied });
  });

  it('is refused when it would have been answered, where it is to be refused', async () => {
    const { mock, send } = open();
    mock.faults.arm({ effect: 'delay', delayMs: 70 });
    const outcome = send('/chat/changes', { ...change, more: 1 });
    expect(outcome).toMatchObject({ kind: 'later', delayMs: 70 });
    expect(mock.requests.list()).toMatchObject([{ answered: false, error: null }]);
    if (outcome.kind === 'later') expect(await outcome.resume()).toMatchObject(refused(400, 'INVALID_INPUT'));
  });
});

describe('an error in the mock itself', () => {
  it('is answered 500 and told; a refusal is none', () => {
    const onError = vi.fn();
    const { mock, send } = open({ onError });
    expect(send('/me', undefined, 'nobody')).toMatchObject(refused(401, 'UNAUTHORIZED'));
    expect(onError).not.toHaveBeenCalled();
    const broken = new Error('broken');
    vi.spyOn(mock.world.plans, 'get').mockImplementation(() => {
      throw broken;
    });
    expect(send('/me', undefined)).toMatchObject(refused(500, 'INTERNAL_ERROR'));
    expect(onError.mock.calls).toEqual([[broken]]);
  });
});

describe('a request that is refused before its body is looked at', () => {
  it('is shown for what it was', () => {
    const { mock, send } = open();
    send('/chat/changes', change, 'nobody');
    expect(mock.requests.list()).toMatchObject([
      { operation: 'changeChat', action: 'create-tags', resource: 'tags', operationId, status: 401 },
    ]);
  });

  it('is nothing where its path is none', () => {
    const { mock, send } = open();
    send('/chat/write', { resource: 'tags' });
    expect(mock.requests.list()).toMatchObject([
      { operation: null, action: null, resource: null, status: 404 },
    ]);
  });
});
