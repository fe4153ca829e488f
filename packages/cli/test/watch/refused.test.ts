import { expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

test.each([
  ['--on-error without --exec', ['messages', '--on-error', 'skip']],
  ['an interval of 0', ['messages', '--every', '0']],
  ['an unknown beginning', ['messages', '--since', 'yesterday']],
  ['an empty line', ['messages', '--exec', '']],
  ['a cursor with a path', ['messages', '--cursor', '../inbox']],
  ['no form', ['submissions']],
  ['no link', ['clicks']],
])('%s is refused, and nothing is sent', async (_name, args) => {
  expect((await cli.run(['watch', ...args, '--json'])).code).toBe(3);
  expect(await cli.received('readChat')).toEqual([]);
});
