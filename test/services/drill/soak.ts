import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { drillFaults } from '../../../packages/cli/src/mock/drill/drill-faults.ts';
import { listExpected, rightClients, wrongClients } from './cases.ts';
import { DrillClients, findBad, runDrill } from './run-drill.ts';

/** Drills every client with every fault: a wrong one is caught by exactly its rows, and a right one passes in all. */
export async function soakDrill(): Promise<Readonly<Record<string, number>>> {
  const clients = new DrillClients();
  const problems: string[] = [];
  let rows = 0;
  try {
    const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
    const all = [
      ...wrongClients.map((client) => ({ ...client, expected: listExpected(client, drillFaults) })),
      ...rightClients.map((client) => ({ ...client, expected: [] as string[] })),
    ];
    const python = await runDrill(['python3', join(examples, 'python/import_tags.py')]);
    if (python.code !== 0) problems.push(`examples/python: ${JSON.stringify(findBad(python.report))}`);
    for (const { language, mode, expected } of all) {
      const { report } = await runDrill(clients.command(language, mode));
      const found = findBad(report);
      rows += report.rows.length;
      if (!isDeepStrictEqual(found, expected))
        problems.push(`${language} ${mode}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return { clients: all.length, rows };
  } finally {
    clients.remove();
  }
}
