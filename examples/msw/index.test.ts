import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('answers through msw', async () => {
  expect(await runExample('msw')).toBe('created From msw, replayed: true\n');
});
