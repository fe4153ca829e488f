import { expect, test } from 'vitest';
import { redisJournal, redisPacing } from '../../src/redis.ts';

const client = {
  status: 'ready',
  on: () => undefined,
  call: () => Promise.reject(new Error('not expected')),
};

test.each<[object, RegExp]>([
  [{ prefix: 'a b' }, /^prefix must be 1 to 64 letters, digits, .* got "a b"\.$/],
  [{ prefix: '{x}' }, /^prefix must be /],
  [{ prefix: 7 }, /^prefix must be .* got 7\.$/],
  [{ timeoutMs: 0 }, /^timeoutMs must be a number greater than 0; got 0\.$/],
  [{ keepSettledDays: 'x' }, /^keepSettledDays must be a number greater than 0; got x\.$/],
  [{ onWarning: 1 }, /^onWarning must be a function; got number\.$/],
  [{ schema: 'x' }, /^"schema" is not an option of redisJournal\(\)\. Options: prefix, timeoutMs, /],
])('redisJournal() refuses the options %j at once', (options, says) => {
  expect(() => redisJournal(client, options as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringMatching(says) }),
  );
});

test.each([undefined, null, {}, 'redis://localhost', { query: () => undefined }])(
  '%j is not a client',
  (value) => {
    expect(() => redisJournal(value as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTIONS',
        message: 'The Redis journal requires an ioredis or node-redis client.',
      }),
    );
  },
);

test.each([{ prefx: 'x' }, { prefix: 'A b' }, { timeoutMs: 5 }, 'x'])(
  'redisPacing() refuses the options %j',
  (options) => {
    expect(() => redisPacing(client, options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    );
  },
);
