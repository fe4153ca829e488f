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
import { withEvents } from '../../packages/fleet/test-support/own-events.ts';
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

/**
 * The alerts that metrics raise. Every expression compares one metric, or its increase, with a number. Events that other
 * tests of the process have caused do not count.
 */
function findAlerts(metrics: string, events: readonly FleetEvent[]): string[] {
  const values = metrics
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [series: string, value: string])
    .filter(
      ([series]) =>
        !series.startsWith('orgchat_fleet_events_total') ||
        events.some(({ event, store }) => series.endsWith(`{event="${event}",store="${store}"}`)),
    );
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

const options = { apiKey: 'demo-write-key', retry: false } as const;

test(
  'each alert is silent while all is well, and raised by what it is for',
  withEvents(async (events) => {
    const pool = server.pool();
    await migrate(pool);
    const mock = createMock({ rateLimit: 'off' });
    const pacing = postgresPacing(pool);
    const { baseUrl, fetch } = mock;
    const client = createClient({
      ...options,
      baseUrl,
      fetch,
      journal: postgresJournal(pool),
      pacing: { shared: pacing },
    });
    const box = outbox(pool, { organization: 'org_demo', onRefused: () => undefined });
    const measure = createMetrics({ client, box, pacing });
    await client.tags.create({ name: 'Fine', color: 'pink' });
    expect(findAlerts(await measure(), events)).toEqual([]);

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
    expect(findAlerts(await measure(), events)).toEqual([
      ...['OrgchatChangeRefused', 'OrgchatChangeUnknown', 'OrgchatLineLong', 'OrgchatLockLost'],
      ...['OrgchatOperationOpen', 'OrgchatOutboxOpen'],
    ]);
  }),
);

test(
  'the alerts of a low quota and of a store that is down are raised without those of others',
  withEvents(async (events) => {
    const pool = server.pool();
    const { baseUrl, fetch } = createMock({ rateLimit: 'off', monthlyLimit: 40 });
    const client = createClient({ ...options, baseUrl, fetch, journal: postgresJournal(pool) });
    for (let n = 0; n < 39; n++) await client.accounts.list();
    await pool.end();
    expect(findAlerts(await createMetrics({ client })(), events)).toEqual([
      'OrgchatQuotaLow',
      'OrgchatStoreDown',
    ]);
  }),
);

test('while the API is down, only the quota is missing, and it is there at the next scrape', async () => {
  const { baseUrl, fetch, faults } = createMock({ rateLimit: 'off' });
  const measure = createMetrics({ client: createClient({ ...options, baseUrl, fetch }) });
  faults.arm({ operation: 'getAccount', effect: 'respond', status: 500 });
  const [down, up] = [await measure(), await measure()];
  expect([down, up].map((metrics) => metrics.includes('orgchat_up 1'))).toEqual([true, true]);
  expect([down, up].map((metrics) => metrics.includes('quota_left_ratio'))).toEqual([false, true]);
});
