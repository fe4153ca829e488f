import { expect, test } from 'vitest';
import { describeFault } from './describe-fault.ts';

const armed = { id: 'fault-1', seen: 0, remaining: 1, hits: [], after: 0, times: 1, probability: 1 };

test('a fault says what was chosen, and no defaults', () => {
  const fault = { ...armed, effect: 'lose-response', operation: 'changeChat' } as const;
  expect(describeFault({ ...fault, hits: [] })).toEqual([['operation', 'changeChat']]);
  expect(describeFault({ ...fault, hits: [], after: 2, times: 'always', probability: 0.1 })).toEqual([
    ['after', '2'],
    ['times', 'always'],
    ['probability', '0.1'],
    ['operation', 'changeChat'],
  ]);
});

test('values of several parts are words, and never JSON', () => {
  const delay = { ...armed, effect: 'delay' } as const;
  const range = { min: 200, max: 1500 };
  expect(describeFault({ ...delay, applied: false, delayMs: range })).toEqual([['delayMs', '200 to 1500']]);
  expect(describeFault({ ...delay, applied: true, delayMs: 5 })).toEqual([
    ['applied', 'true'],
    ['delayMs', '5'],
  ]);
  const resolve = { afterRequests: 2 };
  expect(describeFault({ ...armed, effect: 'uncertain', applied: true, resolve })).toEqual([
    ['applied', 'true'],
    ['resolve', 'afterRequests 2'],
  ]);
});
