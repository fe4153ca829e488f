import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { drillFaults } from './drill-faults.ts';
import { listWrites } from './drill-writes.ts';
import { listNotTried } from './not-tried.ts';
import { describeNotTried } from './print-report.ts';
import type { DrillRow } from './report.ts';

/** The log of a run with a read, a change and a keyword write. */
async function recordRun() {
  const mock = createMock({ rateLimit: 'off' });
  const post = (path: string, body: object) =>
    mock.fetch(`${mock.baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key' },
      body: JSON.stringify(body),
    });
  await post('/chat/read', { resource: 'tags' });
  const change = { action: 'create-tags', data: { name: 'A', color: 'pink' } };
  await post('/chat/changes', { operationId: crypto.randomUUID(), change });
  await post('/sites/demo-site/keywords', { keywords: ['spring'] });
  return mock.requests.list();
}

const row: DrillRow = {
  ...{ write: 1, action: 'create-tags', record: 'A', fault: 'delay', verdict: 'ok' },
  ...{ lost: [], doubled: [], hit: true, waited: false, exit: 0, durationMs: 1, output: '' },
};

test('what an endpoint cannot answer, what was left out, and requests that write nothing are not tried', async () => {
  const log = await recordRun();
  const writes = listWrites(log);
  expect(describeNotTried(listNotTried(log, writes, undefined, []))).toEqual([
    'Not tried at write 2: uncertain-applied, uncertain-unapplied: a keyword write has no operationId, so it is never answered 409.',
    'Not tried at write 2: status-502-applied, status-502-unapplied: addSeoKeywords does not declare the status 502.',
    'Not tried at write 2: runtime-unavailable: a keyword write does not need the runtime.',
    'Not tried at write 2: not-applied: the answer to a keyword write has no field "applied".',
    'Not tried: faults hit only writes that are applied, not the other requests of a run (here 1).',
  ]);
  const [first] = describeNotTried(listNotTried(log, writes, ['kill'], []));
  expect(first).toMatch(/^Not tried at writes 1, 2: drop-request, .*, rate-limited: left out by --fault\.$/);
});

test('a fault that hit nothing, and a delay that the client waited for, are not tried', async () => {
  const log = (await recordRun()).filter(({ operation }) => operation === 'changeChat');
  const rows: DrillRow[] = drillFaults.map((fault) => ({
    ...row,
    fault,
    hit: fault !== 'kill',
    waited: fault === 'delay',
    verdict: fault === 'cut-response' ? 'lost' : 'ok',
  }));
  expect(listNotTried(log, listWrites(log), undefined, rows).map(({ fault, why }) => [fault, why])).toEqual([
    ['delay', expect.stringContaining('longer than its timeout')],
    ['kill', expect.stringContaining('hit no request')],
  ]);
});
