import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { Caller } from './caller.ts';

/** A mock that always answers alike, and who calls it. */
export function openDecided(options: MockOptions = {}) {
  const mock = createMock({ rateLimit: 'off', now: () => Date.UTC(2026, 3, 10), ...options });
  return { mock, caller: new Caller(mock) };
}

/** Why the last request was decided as it was. */
export const lastBecause = (mock: Mock): string => mock.requests.list().at(-1)?.decidedBy.because ?? '';
