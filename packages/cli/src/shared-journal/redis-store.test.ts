import { expect, test } from 'vitest';
import { formatStoreWarning } from './redis-store.ts';

const name = 'redis://127.0.0.1:6379';
const reasons = ['it has no append-only file', 'it has replicas'];

test('a warning names the journal, the reasons and an option of this command', () => {
  const message = 'redisJournal() may lose entries. Use postgresJournal() where the journal must survive.';
  const text = formatStoreWarning({ code: 'NOT_DURABLE', message, reasons }, name);
  expect(text).toMatch(
    /^The journal redis:\/\/127\.0\.0\.1:6379 may lose entries: it has no append-only file; it has replicas\. /,
  );
  expect(text).toMatch(/ use Postgres: --journal postgres:\/\/USER@HOST\/DATABASE$/);
  expect(text).not.toContain('Journal()');
});

test('a warning of an older package has no reasons', () => {
  const text = formatStoreWarning({ code: 'NOT_DURABLE', message: 'x' }, name);
  expect(text).toMatch(/may lose entries\. A change/);
});

test('a setting that could not be read names no function of the library', () => {
  const message = 'redisJournal() could not read maxmemory-policy from INFO. It must be noeviction.';
  const warning = { code: 'NOT_CHECKED', message, reasons: ['INFO does not show maxmemory-policy'] } as const;
  expect(formatStoreWarning(warning, name)).toBe(
    `The journal ${name} could not be checked: INFO does not show maxmemory-policy. Its maxmemory-policy must be noeviction.`,
  );
});

test('any other warning is shown as it is', () => {
  expect(formatStoreWarning({ code: 'LEASE_ONLY', message: 'as it is', reasons }, name)).toBe('as it is');
});
