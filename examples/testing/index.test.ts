import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('runs the code that its tests test', async () => {
  expect(await runExample('testing')).toBe('welcomed\n');
});
