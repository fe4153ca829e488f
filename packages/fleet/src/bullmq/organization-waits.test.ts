import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOrganizationWaits } from './organization-waits.ts';

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(String(text)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const reason = (code: string) => ({ code, message: code });

test('why an organization waits is reported once, although jobs are done that were sent before', () => {
  const waits = createOrganizationWaits(undefined);
  const sentAt = performance.now();
  vi.advanceTimersByTime(10);
  waits.begin('a', 1_000, reason('KEY_REFUSED'));
  waits.succeed('a', sentAt);
  vi.advanceTimersByTime(1_000);
  expect(waits.countRefusal('a')).toBe(1);
  waits.begin('a', 2_000, reason('KEY_REFUSED'));
  expect(warnings).toEqual(['KEY_REFUSED']);
  vi.advanceTimersByTime(2_000);
  waits.succeed('a', performance.now());
  vi.advanceTimersByTime(10);
  waits.begin('a', 1_000, reason('KEY_REFUSED'));
  expect(warnings).toEqual(['KEY_REFUSED', 'KEY_REFUSED']);
});

test('each of two reasons that take turns is reported once', () => {
  const waits = createOrganizationWaits(undefined);
  for (const code of ['KEY_REFUSED', 'RATE_LIMITED', 'KEY_REFUSED', 'RATE_LIMITED'])
    waits.begin('a', 1_000, reason(code));
  waits.report('b', reason('KEY_REFUSED'));
  expect(warnings).toEqual(['KEY_REFUSED', 'RATE_LIMITED', 'KEY_REFUSED']);
});
