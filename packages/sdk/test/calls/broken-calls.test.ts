import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientEvent, OrgChatError, OutcomeUnknownError, type WriteOptions } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  account,
  applied,
  json,
  lost,
  record,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

/* What breaks in this process during a call: a part of a `fetch` of the caller, or a bug. */

afterEach(() => void vi.restoreAllMocks());

const vip = { name: 'VIP', color: 'pink' } as const;
const words = { keywords: ['summer'] };
const bug = new TypeError('a bug');
const throwBug = (): never => {
  throw bug;
};

/** An answer of a `fetch` that is not quite one: reading the named part of it throws. */
const brittle =
  (part: string, step: Step = applied): Step =>
  async (request, body) =>
    Object.defineProperty(await step(request, body), part, { get: throwBug });

describe('whatever breaks after an attempt began', () => {
  test.each(['ok', 'status', 'headers'])('%s of the answer: a change is unknown', async (part) => {
    const events: ClientEvent[] = [];
    const { client, sent } = scripted([brittle(part), applied], { onEvent: (event) => events.push(event) });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1, operationId: expect.any(String) });
    expect(events.at(-1)).toMatchObject({ type: 'outcome', outcome: 'unknown' });
    const { operationId = '' } = error;
    expect(await client.operations.get(operationId)).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(await (error as OutcomeUnknownError).resume?.()).toMatchObject({ result: record });
    expect(sent).toHaveLength(2);
  });

  test('is the cause of the error', async () => {
    const error = await getRejection(scripted([brittle('headers')]).client.tags.create(vip));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'UNEXPECTED_FAILURE' });
    expect(error.cause).toBe(bug);
  });

  test('a keyword write is unknown, and not sent again', async () => {
    const { client, sent } = scripted([brittle('headers', json({ added: ['summer'], skipped: [] }, 201))]);
    const error = await getRejection(client.keywords.add('s', words, { intent: ['words'] }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBe(bug);
    await getRejection(client.keywords.add('s', words, { intent: ['words'] }));
    expect(sent).toHaveLength(1);
  });

  test('a read rejects with an error of this package', async () => {
    const { client } = scripted([brittle('headers', json(account)), json(account)]);
    const error = await getRejection(client.account());
    expect(error).toBeInstanceOf(OrgChatError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_FAILURE', attempts: 1, cause: bug });
    expect(error.outcome).toBeUndefined();
    expect(await client.account()).toEqual(account);
  });

  test('between two attempts', async () => {
    const { client, sent } = scripted([lost, applied]);
    const random = vi.spyOn(Math, 'random').mockImplementation(throwBug);
    const error = await getRejection(client.tags.create(vip));
    random.mockRestore();
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBe(bug);
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
    expect(sent).toHaveLength(2);
  });

  test('while the outcome is recorded', async () => {
    const { client } = scripted([applied]);
    const assign = Object.assign;
    let isBroken = false;
    vi.spyOn(performance, 'now').mockImplementation(() => (isBroken ? throwBug() : 0));
    vi.spyOn(Object, 'assign').mockImplementation((target: object, ...more: object[]) => {
      // The settled entry: the first that has an outcome.
      isBroken = more.some((one) => 'state' in one && one.state === 'applied');
      return assign(target, ...more);
    });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBe(bug);
  });

  test('while the result of an applied change is read: it is left out', async () => {
    const { client } = scripted([applied]);
    vi.spyOn(WeakSet.prototype, 'has').mockImplementation(throwBug);
    const outcome = await client.tags.create(vip);
    expect(outcome).toMatchObject({ applied: true });
    expect(outcome.result).toBeUndefined();
  });
});

describe('what breaks before the first attempt', () => {
  /** A signal that breaks when it is asked for the second time, which is before the first attempt. */
  function brittleSignal(): AbortSignal {
    let asked = 0;
    const { signal } = new AbortController();
    return Object.defineProperty(signal, 'aborted', { get: () => ++asked === 2 && throwBug() });
  }

  test.each<[string, WriteOptions]>([
    ['a change', {}],
    ['a change with an intent', { intent: ['vip'] }],
  ])('%s is abandoned, and never sent later', async (_name, options) => {
    const { client, sent } = scripted([applied]);
    const error = await getRejection(client.tags.create(vip, { ...options, signal: brittleSignal() }));
    expect(error).toMatchObject({
      code: 'UNEXPECTED_FAILURE',
      outcome: 'abandoned',
      attempts: 0,
      cause: bug,
    });
    expect(await client.operations.resumeAll()).toEqual([]);
    expect(sent).toHaveLength(0);
  });

  test('a change that was unknown before stays unknown', async () => {
    const { client } = scripted([lost, lost, lost, lost, applied]);
    const intent = ['vip'];
    await getRejection(client.tags.create(vip, { intent }));
    const error = await getRejection(client.tags.create(vip, { intent, signal: brittleSignal() }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBe(bug);
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
  });
});
