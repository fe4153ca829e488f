import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createMock } from '@orgchat/mock-server';
import { createClient, type FleetEvent } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../packages/fleet/src/postgres.ts';
import {
  type PostgresServer,
  startPostgres,
} from '../../packages/fleet/test-support/engines/postgres-server.ts';
import { createMetrics } from './metrics.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const { groups } = parse(readFileSync(new URL('alerts.yml', import.meta.url), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** The alerts that metrics raise. Every expression compares one metric, or its increase, with a number. */
function findAlerts(metrics: string): string[] {
  const values = metrics
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [series: string, value: string]);
  return rules
    .filter(({ expr }) => {
      const [, given = '', name = '', labels = '', operator, limit] =
        /^((?:increase\()?)(\w+)(\{[^}]*\})?(?:\[15m\]\))? ([<>]) ([\d.]+)$/.exec(expr) ?? [];
      if (operator === undefined) throw new Error(`${given}${expr} is not understood`);
      const wanted = labels.slice(1, -1);
      const found = values.filter(([series]) => series.split('{')[0] === name && series.includes(wanted));
      return found.some(([, value]) => (operator === '>' ? +value > Number(limit) : +value < Number(limit)));
    })
    .map(({ alert }) => alert)
    .sort();
}

test('each alert is silent while all is well, and raised by what it is for', async () => {
  const pool = server.pool();
  await migrate(pool);
  const mock = createMock({ rateLimit: 'off' });
  const pacing = postgresPacing(pool);
  const { baseUrl, fetch } = mock;
  const options = { apiKey: 'demo-write-key', baseUrl, fetch, retry: false } as const;
  const client = createClient({ ...options, journal: postgresJournal(pool), pacing: { shared: pacing } });
  const box = outbox(pool, { organization: 'org_demo', onRefused: () => undefined });
  const measure = createMetrics({ client, box, pacing });
  await client.tags.create({ name: 'Fine', color: 'pink' });
  expect(findAlerts(await measure())).toEqual([]);

  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  await client.tags.create({ name: 'Lost', color: 'pink' }).catch(() => undefined);
  await pool.query(`UPDATE orgchat.journal SET created_at = '2026-01-01T00:00:00.000Z' WHERE is_open`);
  await pool.query(
    `INSERT INTO orgchat.outbox (organization, name, operation_id, change, state, created_at)
     SELECT 'org_demo', 'default', state, '{}', state, now() - interval '1 hour'
     FROM unnest(ARRAY['open', 'refused', 'unknown']) AS state`,
  );
  for (let n = 0; n < 200; n++)
    await pacing.reserve({
      line: 'long',
      place: `${n}`,
      perMinute: 60,
      holdMs: 20_000,
      maxWaitMs: undefined,
    });
  const event: FleetEvent = { type: 'fleet', event: 'lock-lost', store: 'postgres' };
  channel('orgchat').publish(event);
  const alerts = findAlerts(await measure());
  expect(alerts).toEqual([
    ...['OrgchatChangeRefused', 'OrgchatChangeUnknown', 'OrgchatLineLong', 'OrgchatLockLost'],
    ...['OrgchatOperationOpen', 'OrgchatOutboxOpen'],
  ]);

  const poor = createMock({ rateLimit: 'off', monthlyLimit: 40 });
  const last = createClient({
    ...options,
    baseUrl: poor.baseUrl,
    fetch: poor.fetch,
    journal: postgresJournal(pool),
  });
  for (let n = 0; n < 39; n++) await last.accounts.list();
  await pool.end();
  expect(findAlerts(await createMetrics({ client: last })())).toEqual([
    'OrgchatQuotaLow',
    'OrgchatStoreDown',
  ]);
});
