import { afterEach, describe, expect, it, vi } from 'vitest';
import { data } from '../test-support/data.ts';
import type { AdapterAction, PlainRequest } from './http/message.ts';
import { createMock, type MockOptions } from './index.ts';
import { handle } from './pipeline.ts';
import type { ServedMock } from './served-mock.ts';

afterEach(() => void vi.restoreAllMocks());

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const change = { operationId, change: { action: 'create-tags', data: data.tags } };

/** A world, called through its pipeline without an adapter. */
function open(options: MockOptions = {}) {
  const mock = createMock(options) as ServedMock;
  const send = (path: string, body: unknown, key = 'demo-write-key'): AdapterAction => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    const request: PlainRequest = {
      method: body === undefined ? 'GET' : 'POST',
      path: `/api/v1${path}`,
      query: '',
      origin: () => mock.baseUrl,
      headers: [],
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

describe('outcomes of the pipeline', () => {
  it('answers if no fault interferes', () => {
    const { mock, apply } = open();
    expect(apply()).toMatchObject({ kind: 'answer', response: applied });
    expect(mock.requests.list()).toMatchObject([{ answered: true, status: 200, applied: true }]);
  });

  it('resets the connection before anything is applied', () => {
    const { mock, apply, tags } = open();
    mock.faults.arm({ effect: 'drop-request' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(tags()).toBe(0);
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: null, applied: false }]);
  });

  it('resets the connection after the change was applied', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'lose-response' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: 200, applied: true }]);
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('cuts the body off after the change was applied', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'cut-response' });
    expect(apply()).toMatchObject({ kind: 'cut', response: applied });
    expect(mock.requests.list()).toMatchObject([{ answered: false, status: 200, applied: true }]);
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('resets the connection and leaves the outcome unknown', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'uncertain' });
    expect(apply()).toEqual({ kind: 'reset' });
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
  });

  it.each([500, 502] as const)('answers %i, with the outcome unknown', (status) => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'uncertain', answer: status });
    expect(apply()).toMatchObject(refused(status, status === 500 ? 'INTERNAL_ERROR' : 'RUNTIME_UNAVAILABLE'));
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
  });

  it('answers as a fault says, and records whether the operation declares the status', () => {
    const { mock, apply } = open();
    mock.faults.arm({ effect: 'respond', status: 409, times: 1 });
    expect(apply()).toMatchObject({ kind: 'answer', response: { status: 409 }, undeclared: false });
    mock.faults.arm({ effect: 'respond', status: 418, times: 1, undeclared: true });
    expect(apply()).toMatchObject({ kind: 'answer', response: { status: 418 }, undeclared: true });
    expect(mock.requests.list()).toMatchObject([{ answered: true }, { answered: true }]);
  });
});

describe('a delayed request', () => {
  function waiting(): ReturnType<typeof open> & { resume: () => AdapterAction | Promise<AdapterAction> } {
    const opened = open();
    opened.mock.faults.arm({ effect: 'delay', delayMs: 70, times: 1 });
    const action = opened.apply();
    if (action.kind !== 'later') throw new Error(`it did not wait but: ${action.kind}`);
    expect(action.delayMs).toBe(70);
    return { ...opened, resume: action.resume };
  }

  it('is applied when the delay is over, with the time of that moment', async () => {
    const { mock, resume } = waiting();
    const before = mock.requests.list();
    expect(before).toMatchObject([{ answered: false, applied: false, faults: ['delay'] }]);
    mock.clock.advance(5_000);
    expect(await resume()).toMatchObject({ kind: 'answer', response: applied });
    const [entry] = mock.audit() as readonly { at: string }[];
    expect(Date.parse(`${entry?.at}`) - Date.parse(`${before[0]?.receivedAt}`)).toBeGreaterThanOrEqual(5_000);
  });

  it('[4.4.43] keeps its operationId in the meantime: the same request gets an unknown outcome', async () => {
    const { apply, resume } = waiting();
    expect(apply()).toMatchObject(refused(409, 'OPERATION_UNCERTAIN'));
    expect(await resume()).toMatchObject({ kind: 'answer', response: applied });
    expect(apply()).toMatchObject({ kind: 'answer', response: replayed });
  });

  it('[6.11] frees its operationId if it is refused in the end', async () => {
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

  it('is rejected only after the delay', async () => {
    const { mock, send } = open();
    mock.faults.arm({ effect: 'delay', delayMs: 70 });
    const action = send('/chat/changes', { ...change, more: 1 });
    expect(action).toMatchObject({ kind: 'later', delayMs: 70 });
    expect(mock.requests.list()).toMatchObject([{ answered: false, error: null }]);
    if (action.kind === 'later') expect(await action.resume()).toMatchObject(refused(400, 'INVALID_INPUT'));
  });
});

describe('an error in the mock itself', () => {
  it('is answered 500 and reported; an API error is not reported', () => {
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

describe('a request that is rejected before its body is parsed', () => {
  it('is shown in the log with its resource and action', () => {
    const { mock, send } = open();
    send('/chat/changes', change, 'nobody');
    expect(mock.requests.list()).toMatchObject([
      { operation: 'changeChat', action: 'create-tags', resource: 'tags', operationId, status: 401 },
    ]);
  });

  it('has no operation in the log if the path is unknown', () => {
    const { mock, send } = open();
    send('/chat/write', { resource: 'tags' });
    expect(mock.requests.list()).toMatchObject([
      { operation: null, action: null, resource: null, status: 404 },
    ]);
  });
});

describe('the request log', () => {
  it('names the resource of a read, and action, operation and resource of a change', () => {
    const { mock, apply, send } = open();
    apply();
    send('/chat/read', { resource: 'tags' });
    send('/studio/read', { resource: 'projects' });
    send('/me', undefined);
    expect(mock.requests.list()).toMatchObject([
      { operation: 'changeChat', action: 'create-tags', resource: 'tags', operationId },
      { operation: 'readChat', resource: 'tags', action: null },
      { operation: 'readStudio', resource: 'projects', action: null },
      { operation: 'getAccount', resource: null, action: null },
    ]);
  });
});
