import { describe, expect, it } from 'vitest';
import { createMock, type FaultInput } from '../../src/index.ts';
import { Tree } from '../../src/records/tree.ts';
import { Trace } from '../../src/request-log/trace.ts';
import { show } from '../../src/why/words.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

/* The words and the step with which the log says why a request ended. */

/** The last entry of a mock after `run`, in which a connection may break. */
async function getLastEntry(run: (caller: Caller) => Promise<unknown>, faults: readonly FaultInput[] = []) {
  const mock = createMock();
  for (const fault of faults) mock.faults.arm(fault);
  await run(new Caller(mock)).catch(() => undefined);
  const entry = mock.requests.list().at(-1);
  if (!entry) throw new Error('a request is in the log');
  return entry;
}

const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`field${number}`, 1]));

describe('a body that does not match', () => {
  it.each<[object, string]>([
    [{ resource: 'tags', limit: 'x' }, 'limit must be of type number. A valid value of limit: 1.'],
    [{ resource: 'messages' }, 'accountId is required. A valid value of accountId: '],
    [
      { resource: 'tags', more: 1 },
      'The body has unknown fields: more. Omit the unknown fields of the body.',
    ],
    [{ resource: 'tags', ...unknown }, 'field8, field9. Omit the unknown fields of the body.'],
  ])('%j is explained', async (input, says) => {
    const { decidedBy, path } = await getLastEntry((caller) => caller.read(input));
    expect(decidedBy.step).toBe('parseCommand');
    expect(decidedBy.because).toContain(says);
    expect(path).toBe('/chat/read');
  });
});

const create = (caller: Caller) => caller.apply({ action: 'create-tags', data: data.tags });

describe('a change that a fault makes uncertain', () => {
  const uncertain: FaultInput = { effect: 'uncertain', action: 'create-tags', applied: false };

  it.each<[FaultInput, string]>([
    [uncertain, 'The uncertain fault (fault-1) reset the connection, and the change was not applied.'],
    [
      { ...uncertain, answer: 500 },
      'The uncertain fault (fault-1) answered 500, and the change was not applied.',
    ],
    [
      { ...uncertain, answer: 502, applied: true },
      'The uncertain fault (fault-1) answered 502, and the change was applied.',
    ],
  ])('%j is decided before its write', async (fault, says) => {
    const { decidedBy } = await getLastEntry(create, [fault]);
    expect(decidedBy.step).toBe('beforeWrite');
    expect(decidedBy.because).toContain(says);
  });
});

it.each<[FaultInput]>([[{ effect: 'respond', status: 503, undeclared: true }], [{ effect: 'drop-request' }]])(
  'a change that %j ends is decided on arrival',
  async (fault) => {
    const { decidedBy, applied } = await getLastEntry(create, [fault]);
    expect([decidedBy.step, applied]).toEqual(['onArrival', false]);
    expect(decidedBy.because).toContain(fault.effect);
  },
);

it('an error in an explanation leaves the entry readable', () => {
  const trace = new Trace(1, 'req-1', 0, { method: 'GET', query: '', body: '' }, [], '/me');
  trace.status = 401;
  const world = {
    organizations: new Map(),
    plans: new Map(),
    audit: Tree.ofNumbers<never>(),
    rivalDeletions: new Map(),
    listKeys: () => {
      throw new Error('planted');
    },
  };
  trace.rare.decision = { step: 'authenticate', cause: { reason: 'unknown-key' }, world };
  expect(trace.toEntry().decidedBy).toEqual({
    step: 'authenticate',
    clause: '7.2.10',
    because: 'The mock cannot say why, because of an error in it: Error: planted.',
  });
});

const long = 'x'.repeat(300);

it.each<[unknown, RegExp]>([
  [long, /^"x+…"$/],
  [{ name: 'a', text: long }, /^\{"name":"a","text":"x+…"$/],
  ['"'.repeat(300), /^"(?:\\")+\\?…"$/],
  ['\\'.repeat(300), /^"(?:\\\\)+\\?…"$/],
  [Array(300).fill(1), /^\[(?:1,?)+…$/],
  ['short', /^"short"$/],
])('a long value is cut, and its quotes are closed: %j', (value, shown) => {
  const text = show(value);
  expect(text.length).toBeLessThanOrEqual(202);
  expect(text).toMatch(shown);
});
