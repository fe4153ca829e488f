import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drillFaults } from '../../packages/cli/src/mock/drill/drill-faults.ts';
import { listExpected, rightClients, wrongClients } from './drill/cases.ts';
import { DrillClients, findBad, listRows, nameRows, python, runDrill } from './drill/run-drill.ts';

/*
 * `mock drill` with clients in Python, Go and TypeScript. Each wrong client is wrong in one way, and is run with the faults
 * that show it. Some right ones are run with a few faults. `npm run soak -- drill` runs every client with every fault.
 */

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
let clients: DrillClients;
beforeAll(() => {
  clients = new DrillClients();
});
afterAll(() => clients.remove());

describe('a wrong client is caught by its rows', () => {
  test.each(wrongClients)('$language: $mode', async (client) => {
    const faults = drillFaults.filter((fault) => client.rows[fault] !== undefined);
    const { code, report } = await runDrill(clients.command(client.language, client.mode), faults);
    expect(nameRows(report)).toEqual(listRows(report, faults));
    expect([code, findBad(report)]).toEqual([5, listExpected(client, drillFaults)]);
  });
});

describe('a right client passes in every row', () => {
  test.each(rightClients.filter(({ faults }) => faults?.length !== 0))(
    '$language: $mode',
    async ({ language, mode, faults: selected = drillFaults }) => {
      const { code, report } = await runDrill(clients.command(language, mode), selected);
      expect([code, findBad(report)]).toEqual([0, []]);
      expect(report.rows.filter(({ hit }) => !hit)).toEqual([]);
      expect(nameRows(report)).toEqual(listRows(report, selected));
      expect(new Set(report.rows.map(({ fault }) => fault))).toEqual(new Set(selected));
      expect(report.writes).toBe(mode === 'own-pacing' || mode === 'reconciles' ? 1 : 2);
    },
  );
});

test('a report lists what a keyword write cannot meet', async () => {
  const { report } = await runDrill(clients.command('typescript', 'keywords'), ['uncertain-applied', 'kill']);
  expect(report.rows.map(({ fault }) => fault)).toEqual(['kill']);
  const byReason = report.notTried.filter(({ fault }) => fault === 'uncertain-applied' || fault === 'delay');
  expect(byReason).toEqual([
    { fault: 'delay', writes: [1], why: 'left out by --fault' },
    { fault: 'uncertain-applied', writes: [1], why: expect.stringContaining('no operationId') },
  ]);
});

describe('the examples', () => {
  test('in Python: the right one passes, the naive one does not', async () => {
    // What examples/python/index.services.test.ts leaves out.
    const right = await runDrill(
      [...python, join(examples, 'python/import_tags.py')],
      ['applied-late', 'rate-limited', 'not-applied'],
    );
    expect([right.code, findBad(right.report)]).toEqual([0, []]);
    const faults = ['status-500-applied', 'kill'];
    const naive = await runDrill([...python, join(examples, 'python/naive_import.py')], faults);
    expect([naive.code, findBad(naive.report)]).toEqual([
      5,
      [1, 2, 3].flatMap((write) => faults.map((fault) => `${write} ${fault} doubled`)),
    ]);
  });

  test('in Go passes', async () => {
    const { code, report } = await runDrill([clients.go(join(examples, 'go/main.go'))]);
    expect([code, findBad(report), report.writes]).toEqual([0, [], 2]);
  });

  test('in TypeScript, with the SDK, passes', async () => {
    const { code, report } = await runDrill([
      process.execPath,
      clients.typescript(join(examples, 'drill/client.ts')),
    ]);
    expect([code, findBad(report), report.writes]).toEqual([0, [], 2]);
  });
});
