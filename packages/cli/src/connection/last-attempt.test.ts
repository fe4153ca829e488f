import type { ClientEvent } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { createAttemptMeter } from './last-attempt.ts';

const facts = {
  callId: 1,
  operation: 'getAccount',
  method: 'GET',
  path: '/me',
  operationId: undefined,
} as const;
const attempt = (number: number, status: number, durationMs: number): ClientEvent => ({
  ...facts,
  ...{ type: 'attempt', attempt: number, answer: 'ok', status, requestId: undefined, durationMs },
});

test('only the last attempt counts, without the wait before it', () => {
  let now = 1_000_000;
  const meter = createAttemptMeter(() => now);
  expect(meter.last()).toBeUndefined();
  meter.onEvent(attempt(1, 429, 30));
  meter.onEvent({ ...facts, type: 'wait', reason: 'retry', ms: 58_000 });
  now += 58_040;
  meter.onEvent(attempt(2, 200, 40));
  expect(meter.last()).toEqual({ attempt: 2, durationMs: 40, middle: 1_058_020 });
});
