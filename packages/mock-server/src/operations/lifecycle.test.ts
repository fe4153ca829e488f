import { changeChatInput } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForkableMap } from '../primitives/forkable-map.ts';
import { operationItem } from '../saved-state/items.ts';
import { type Event, lifecycle, type Operation, type Resolution, type State } from './lifecycle.ts';
import { canonicalInput, type NewOperation, Operations } from './operations.ts';

const states: readonly State[] = ['free', 'running', 'applied', 'uncertain', 'refused'];
const events: readonly Event[] = [
  'request',
  'other-input',
  'apply',
  'refuse',
  'remember-refusal',
  'lose',
  'find-applied',
  'find-unapplied',
];

describe('the table of the lifecycle', () => {
  it('has a transition for every state and event; an impossible event changes nothing', () => {
    for (const state of states) {
      for (const event of events) {
        const { next, verdict } = lifecycle[state][event];
        expect(states).toContain(next);
        if (verdict === 'impossible') expect(next).toBe(state);
      }
    }
  });

  it('defines which events are possible for running and uncertain operations', () => {
    const possible: Readonly<Record<State, readonly Event[]>> = {
      free: [],
      running: ['apply', 'refuse', 'remember-refusal', 'lose'],
      applied: [],
      uncertain: ['find-applied', 'find-unapplied'],
      refused: [],
    };
    for (const state of states) {
      for (const event of events.slice(2)) {
        const verdict = possible[state].includes(event) ? 'silent' : 'impossible';
        expect({ state, event, verdict: lifecycle[state][event].verdict }).toEqual({ state, event, verdict });
      }
    }
    expect(lifecycle.free.request).toEqual({ next: 'running', verdict: 'proceed' });
  });

  it('[L4] a different input conflicts in every state except free', () => {
    for (const state of states) {
      const { next, verdict } = lifecycle[state]['other-input'];
      if (state === 'free') expect(verdict).toBe('proceed');
      else expect({ next, verdict }).toEqual({ next: state, verdict: 'conflict' });
    }
  });

  it('[6.6] no event leaves the state applied', () => {
    for (const event of events) expect(lifecycle.applied[event].next).toBe('applied');
  });
});

/** What happens to one operationId: requests, and how those that proceed end. */
type Step =
  | { readonly input: string; readonly end: 'apply' | 'refuse' | 'remember-refusal' | 'wait' }
  | {
      readonly input: string;
      readonly end: 'lose';
      readonly applied: boolean;
      readonly resolution: Resolution;
    }
  | { readonly end: 'resume' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    input: fc.constantFrom('a', 'b'),
    end: fc.constantFrom('apply' as const, 'refuse' as const, 'remember-refusal' as const),
  }),
  fc.record({
    input: fc.constantFrom('a', 'b'),
    end: fc.constant('lose' as const),
    applied: fc.boolean(),
    resolution: fc.oneof<fc.Arbitrary<Resolution>[]>(
      fc.constant<Resolution>('never'),
      fc.record({ afterRequests: fc.nat(3) }),
      fc.record({ at: fc.nat(40) }),
    ),
  }),
  // A change that waits: others come in between, and it ends later.
  fc.record({ input: fc.constantFrom('a', 'b'), end: fc.constant('wait' as const) }),
  fc.record({ end: fc.constant('resume' as const) }),
);

describe('an operationId', () => {
  it('[L2] is applied at most once under any sequence; [L3] always returns the same answer', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const kept = new ForkableMap<Operation>();
        const operations = new Operations(kept, (id, operation) => {
          if (operation === undefined) kept.delete(id);
          else kept.set(id, operation);
        });
        let applied = 0;
        let answer: string | undefined;
        let waiting: NewOperation | undefined;
        const apply = (begun: NewOperation): void => {
          applied++;
          answer = `answer ${applied}`;
          operations.complete(begun, { auditRecorded: true, result: answer });
        };
        steps.forEach((now, n) => {
          if (now.end === 'resume') {
            if (waiting !== undefined) apply(waiting);
            waiting = undefined;
            return;
          }
          const { verdict, operation } = operations.judgeRequest('id', now.input, n);
          if (operation !== undefined && operation.input !== now.input) expect(verdict).toBe('conflict');
          if (verdict === 'replay') expect(operation?.answer?.result).toBe(answer);
          if (applied > 0) expect(verdict).not.toBe('proceed');
          if (verdict !== 'proceed') return;
          const begun = {
            operationId: 'id',
            input: now.input,
            action: 'x',
            requestId: `${n}`,
            createdAt: '',
          };
          if (now.end === 'lose') {
            if (now.applied) answer = `answer ${++applied}`;
            const stored = now.applied ? { auditRecorded: true, result: answer ?? '' } : undefined;
            operations.markUncertain(begun, stored, now.resolution);
          } else if (now.end === 'apply') apply(begun);
          else if (now.end === 'refuse') operations.release('id');
          else if (now.end === 'remember-refusal') operations.rememberRefusal(begun);
          else {
            operations.start(begun);
            waiting = begun;
          }
        });
        expect(applied).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  function lost(resolution: Resolution): Operations {
    const kept = new ForkableMap<Operation>();
    const operations = new Operations(kept, (id, operation) => {
      if (operation === undefined) kept.delete(id);
      else kept.set(id, operation);
    });
    const begun = { operationId: 'id', input: 'a', action: 'x', requestId: '1', createdAt: '' };
    operations.markUncertain(begun, undefined, resolution);
    return operations;
  }

  it('is free again once it turns out not to be applied', () => {
    const operations = lost({ at: 10 });
    expect(operations.judgeRequest('id', 'a', 9)).toMatchObject({ verdict: 'uncertain' });
    expect(operations.judgeRequest('id', 'a', 10)).toEqual({ verdict: 'proceed', operation: undefined });
    expect(operations.judgeRequest('id', 'b', 10)).toEqual({ verdict: 'proceed', operation: undefined });
  });

  it('is not resolved sooner by requests with a different input', () => {
    const operations = lost({ afterRequests: 1 });
    for (let n = 0; n < 5; n++)
      expect(operations.judgeRequest('id', 'b', 0)).toMatchObject({ verdict: 'conflict' });
    expect(operations.judgeRequest('id', 'a', 0)).toMatchObject({ verdict: 'uncertain' });
    expect(operations.judgeRequest('id', 'a', 0)).toMatchObject({ verdict: 'proceed' });
  });

  it('[L9] a running operation is not saved', () => {
    const begun = { operationId: 'id', input: 'a', action: 'x', requestId: '1', createdAt: '' };
    expect(operationItem({ ...begun, state: 'running' })).toBeUndefined();
    expect(operationItem({ ...begun, state: 'uncertain' })).toMatchObject({ state: 'uncertain' });
  });
});

/** The same JSON with the fields of every object in another order. */
function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, shuffled(inner, random)] as const);
  return Object.fromEntries(
    entries
      .map((entry) => ({ entry, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  );
}

describe('[L10] one input has one canonical form', () => {
  const input = (change: unknown): string =>
    canonicalInput(
      changeChatInput.parse({ operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', change }).change,
    );
  const scenario = {
    action: 'create-scenarios',
    data: {
      name: 'Series',
      accountId: null,
      trigger: 'tag',
      triggerTagId: '0B9D7C52-4A0F-4A4E-9D77-3F6C2B1A8E10',
      active: true,
      steps: [
        {
          delayValue: 1,
          delayUnit: 'days',
          sendTime: null,
          text: 'x',
          content: [
            {
              type: 'card',
              altText: 'x',
              color: null,
              cards: [{ imageId: null, title: 'x', text: '', buttons: [] }],
            },
          ],
          condition: { type: 'metadata_equals', key: 'k', value: '' },
        },
      ],
    },
  };

  it('stores a long input as its digest', () => {
    const [short, long] = ['x'.repeat(198), 'x'.repeat(199)];
    expect(canonicalInput(short)).toBe(JSON.stringify(short));
    expect(canonicalInput(long)).toMatch(/^[0-9a-f]{64}$/);
    expect(canonicalInput(long)).not.toBe(canonicalInput(`${long}x`));
  });

  it('ignores the order of fields', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (stream) => {
        const iterator = stream[Symbol.iterator]();
        expect(input(shuffled(scenario, () => iterator.next().value ?? 0))).toBe(input(scenario));
      }),
    );
  });

  it('ignores trimmed white space and the letter case of UUIDs', () => {
    const { data } = scenario;
    const triggerTagId = data.triggerTagId.toLowerCase();
    expect(input({ ...scenario, data: { ...data, name: ' Series\u3000', triggerTagId } })).toBe(
      input(scenario),
    );
    expect(input({ ...scenario, data: { ...data, active: false } })).not.toBe(input(scenario));
    const tag = (name: string) => ({ action: 'create-tags', data: { name, color: 'blue' } });
    expect(input(tag('x'))).not.toBe(input(tag('X')));
  });

  it('an absent field is not a null field', () => {
    const menu = {
      action: 'create-rich-menus',
      data: {
        accountId: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
        name: 'm',
        chatBarText: 'm',
        size: 'large',
        template: 't',
        areas: [{ x: 0, y: 0, width: 1, height: 1, action: { type: 'uri', uri: 'tel:1', label: 'x' } }],
      },
    };
    expect(input({ ...menu, data: { ...menu.data, design: null } })).not.toBe(input(menu));
  });
});
