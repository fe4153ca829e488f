import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type DecidedBy, type FaultInput, type Mock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { data, nobody, vip } from '../../test-support/data.ts';
import { decide, decidedRequests } from '../../test-support/decided-requests.ts';
import { clauses, decidedClauses, decisions } from '../../test-support/documents.ts';

/** The steps that pipeline.ts lists. */
const steps = [
  ...['matchRoute', 'onArrival', 'authenticate', 'checkPlan', 'enforceLimits', 'authorize', 'parseCommand'],
  ...['claimOperation', 'beforeApply', 'applyCommand', 'beforeWrite', 'writePlannedChange', 'createResponse'],
  ...['beforeAnswer', 'endWithAnswer'],
  // Not requests of the API.
  ...['rewind', 'changeFromOutside'],
];

function expectGrounds({ step, clause, decision, because }: DecidedBy): void {
  expect(steps).toContain(step);
  expect(clause ?? decision).toBeDefined();
  if (clause !== undefined) expect(clauses).toContain(clause);
  if (decision !== undefined) expect(decisions).toContain(decision);
  expect(because).toMatch(/^\S.*\.$/s);
  expect(because).not.toMatch(/undefined|\[object|null,/);
}

const everyReason = Object.entries(decidedRequests);

describe('why a request ended as it did', () => {
  it.each(everyReason)('has a step, and a clause or decision that exists: %s', async (reason, given) => {
    const trace = await decide(given);
    if (trace.decision !== undefined) expect(trace.decision.cause.reason).toBe(reason);
    const { decidedBy } = trace.toEntry();
    expectGrounds(decidedBy);
    // The page of the clause then leads to the decision. A fault is not a decision about a clause.
    const { clause, decision } = decidedBy;
    if (clause !== undefined && decision !== undefined && trace.faultHits === undefined)
      expect(decidedClauses.get(decision)).toContain(clause);
  });

  it('is said in different words for each cause of one error code', async () => {
    const words = new Map<string, Map<string, string>>();
    for (const [reason, given] of everyReason) {
      const { error, decidedBy } = (await decide(given)).toEntry();
      if (error === null || reason === 'fault-answer') continue;
      const ofCode = words.get(error) ?? new Map<string, string>();
      words.set(error, ofCode);
      const plain = toWords(decidedBy.because);
      expect([reason, ofCode.get(plain)]).toEqual([reason, undefined]);
      ofCode.set(plain, reason);
    }
    expect(words.get('NOT_FOUND')?.size).toBe(11);
    expect(words.get('INVALID_INPUT')?.size).toBe(9);
    expect(words.get('UNAUTHORIZED')?.size).toBe(5);
  });

  it('holds for every operation, key, body and fault together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        fc.constantFrom('demo-write-key', 'demo-read-key', 'demo-viewer-key', 'demo-suspended-key', 'x', ''),
        fc.array(fc.constantFrom(...faults), { maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        async (call, key, armed, times) => {
          const mock = createMock({ rateLimit: 2, sleep: () => Promise.resolve() });
          for (const fault of armed) mock.faults.arm(fault);
          const caller = new Caller(mock, key);
          for (let n = 0; n < times; n++) await call(caller).catch(() => undefined);
          const entries = mock.requests.list();
          expect(entries).toHaveLength(times);
          for (const { decidedBy } of entries) expectGrounds(decidedBy);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The words of a sentence, without what differs between two requests. */
const toWords = (because: string): string =>
  because
    .replace(/"[^"]*"/g, '…')
    .replace(/\b(?=\S*\d)\S+/g, '…')
    .replace(/\{[^}]*\}/g, '…');

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

const calls: readonly ((caller: Caller) => Promise<unknown>)[] = [
  (caller) => caller.me(),
  (caller) => caller.send('/nowhere', {}),
  (caller) => caller.keywords('demo-site', { keywords: ['one'] }),
  (caller) => caller.keywords('demo-site', { keywords: [] }),
  (caller) => caller.read({ resource: 'friends' }),
  (caller) => caller.read({ resource: 'tags', id: nobody }),
  (caller) => caller.read({ resource: 'tags' }, { raw: 'x' }),
  (caller) => caller.studio({ resource: 'projects' }),
  (caller) => caller.change(operationId, { action: 'create-tags', data: data.tags }),
  (caller) => caller.apply({ action: 'create-forms', data: data.forms, more: 1 }),
  (caller) =>
    caller.apply({
      action: 'update-tags',
      id: vip,
      expectedRevision: '0'.repeat(64),
      expectedLabel: 'VIP',
      data: data.tags,
    }),
];

const faults: readonly FaultInput[] = [
  { effect: 'drop-request' },
  { effect: 'lose-response' },
  { effect: 'cut-response' },
  { effect: 'delay', delayMs: 1 },
  { effect: 'delay', delayMs: 1, applied: true },
  { effect: 'respond', status: 418, undeclared: true },
  { effect: 'respond', status: 500 },
  { effect: 'uncertain' },
  { effect: 'uncertain', applied: false, answer: 502, resolve: { afterRequests: 1 } },
  { effect: 'fail-response', status: 500 },
  { effect: 'fail-response', status: 418, undeclared: true },
  { effect: 'not-applied' },
  { effect: 'skip-audit' },
  { effect: 'rival-edit' },
];

describe('the answers to questions about the log', () => {
  it('have it: pages, single requests, archives and near misses', async () => {
    const mock: Mock = createMock();
    await new Caller(mock).me({ key: 'nobody-has-this-key' });
    const [entry] = mock.requests.list();
    expect(entry?.decidedBy).toEqual({
      step: 'authenticate',
      clause: '3.11',
      because: expect.stringContaining('does not have the key that was sent: nobo***ey (19 characters).'),
    });
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
    expect(mock.requests.get(1).decidedBy).toEqual(entry?.decidedBy);
    expect(mock.requests.har()).toMatchObject({
      log: { entries: [{ comment: entry?.decidedBy.because, _entry: { decidedBy: entry?.decidedBy } }] },
    });
    expect(() => mock.requests.verify({ status: 200, times: 1 })).toThrow(
      expect.objectContaining({
        extra: expect.objectContaining({
          nearMisses: [
            expect.objectContaining({ request: expect.objectContaining({ decidedBy: entry?.decidedBy }) }),
          ],
        }),
      }),
    );
  });
});
