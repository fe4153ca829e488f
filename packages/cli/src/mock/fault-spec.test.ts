import { expect, test } from 'vitest';
import { describeFaults, effectNames, parseFault } from './fault-spec.ts';

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
  [
    ['delay,delayMs=100..500,applied=true,times=always,probability=0.1'],
    {
      effect: 'delay',
      delayMs: { min: 100, max: 500 },
      applied: true,
      times: 'always',
      probability: 0.1,
    },
  ],
  [['delay,delayMs=20'], { effect: 'delay', delayMs: 20 }],
  [['{"effect":"delay","delayMs":5}'], { effect: 'delay', delayMs: 5 }],
])('%j', (words, fault) => {
  expect(parseFault(words)).toEqual(fault);
});

test.each([
  ['nonsense'],
  ['delay,delayMs=soon'],
  ['delay,delayMs=100..'],
  ['delay,delayMs=1,times=often'],
  ['delay,delayMs=1,probability=-1'],
  ['delay,colour=red'],
  ['uncertain,resolve=later'],
  ['{"effect":'],
  ['{"effect":"delay","delayMs":5,"delayMs":6}'],
  ['delay,delayMs=5,delayMs=6'],
])('refuses %s', (spec) => {
  expect(() => parseFault([spec])).toThrow();
});

test('the help says what each effect does, and which fields only it has', () => {
  const help = describeFaults();
  for (const name of effectNames) expect(help).toMatch(new RegExp(`^  ${name} +[A-Z].*\\.$`, 'm'));
  expect(help).toContain('  delay          The response is late. Fields: delayMs, applied.');
  expect(help).toMatch(/^Fields of all faults: operation, action, .*probability$/m);
});
