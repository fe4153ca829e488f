import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('creates a span for each call, each attempt and each event of a store', async () => {
  expect(await runExample('opentelemetry')).toBe(
    [
      '  attempt 1: unreadable',
      '  attempt 2: ok',
      'orgchat changeChat: applied',
      '  attempt 1: 404 notFound',
      'orgchat readChat: refused NOT_FOUND',
      'orgchat fleet store-down: postgresJournal',
      '',
    ].join('\n'),
  );
});
