import type { ClientEvent } from '@orgchat/sdk';
import { beforeEach, expect, test } from 'vitest';
import { reportWaits } from './wait-notices.ts';

let time = 0;
let lines: string[] = [];
beforeEach(() => {
  time = 0;
  lines = [];
});

const watch = (perMinute: number) =>
  reportWaits(
    (line) => void lines.push(line),
    perMinute,
    () => time,
  );
const facts = {
  callId: 1,
  operation: 'readChat',
  method: 'POST',
  path: '/chat/read',
  operationId: undefined,
} as const;
const attempt = (status: number): ClientEvent => ({
  ...facts,
  ...{ type: 'attempt', attempt: 1, answer: 'ok', status, requestId: undefined, durationMs: 0 },
});
const wait = (reason: 'pacing' | 'retry', ms: number): ClientEvent => ({
  ...facts,
  type: 'wait',
  reason,
  ms,
});

test('a wait for the rate limit says how long it is', () => {
  const tell = watch(2);
  tell(wait('pacing', 41_100));
  expect(lines).toEqual([
    'Waiting 42 s for the rate limit (2 requests per minute; change it with --pacing N).',
  ]);
});

test('calls that wait together are reported once, and the next wait again', () => {
  const tell = watch(1);
  tell(wait('pacing', 60_250));
  tell(wait('pacing', 120_500));
  expect(lines).toHaveLength(1);
  time = 61_500;
  tell(wait('pacing', 59_000));
  expect(lines).toHaveLength(2);
});

test.each([
  [429, 30_000, ['Waiting 30 s because the server reported a rate limit.']],
  [503, 8_000, ['Waiting 8 s before the next attempt.']],
  [503, 400, []],
])('after %i and for %i ms: %j', (status, ms, told) => {
  const tell = watch(60);
  tell(attempt(status));
  tell(wait('retry', ms));
  expect(lines).toEqual(told);
});
