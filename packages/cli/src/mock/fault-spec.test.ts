import { expect, test } from 'vitest';
import { parseFault } from './fault-spec.ts';

test.each([
  [
    ['lose-response,action=create-tags,times=2'],
    { effect: 'lose-response', action: 'create-tags', times: 2 },
  ],
  [['respond', 'status=429', 'retryAfter=2'], { effect: 'respond', status: 429, retryAfter: '2' }],
  [
    ['uncertain,resolve=afterRequests:3,applied=true'],
    { effect: 'uncertain', resolve: { afterRequests: 3 }, applied: true },
  ],
  [['{"effect":"delay","delayMs":5}'], { effect: 'delay', delayMs: 5 }],
])('%j', (words, fault) => {
  expect(parseFault(words)).toEqual(fault);
});

test.each([
  ['nonsense'],
  ['delay,delayMs=soon'],
  ['delay,colour=red'],
  ['uncertain,resolve=later'],
  ['{"effect":'],
])('refuses %s', (spec) => {
  expect(() => parseFault([spec])).toThrow();
});
