import { expect, it } from 'vitest';
import type { PlainRequest } from '../http/message.ts';
import { isOversized } from './body.ts';

const request: PlainRequest = {
  ...{ method: 'POST', path: '/api/v1/chat/read', query: '', body: 'あい' },
  ...{ origin: () => 'http://mock.test', header: () => undefined, headers: [] },
};

it('a body is counted in bytes, and is too large if the adapter did not keep it', () => {
  expect(isOversized(request, 6)).toBe(false);
  expect(isOversized(request, 5)).toBe(true);
  expect(isOversized({ ...request, body: '', oversized: true }, 6)).toBe(true);
});
