import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { importsDirectory } from '../settings/directories.ts';
import { readJson } from '../settings/private-files.ts';
import { withImportLock } from './import-lock.ts';
import { type ImportRecord, parseImportRecord } from './import-record.ts';

/**
 * Removes a request from every import record. Its keywords then count as never sent. Throws if an import uses the
 * record.
 */
export async function forgetRequest(operationId: string): Promise<void> {
  const has = ({ requests }: ImportRecord): boolean =>
    requests.some((one) => one.operationId === operationId);
  const names = await readdir(importsDirectory()).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const path = join(importsDirectory(), name);
    const found = parseImportRecord(await readJson(path));
    if (found === undefined || !has(found)) continue;
    await withImportLock({ path, destination: found, afterwards: 'run this again' }, async (write) => {
      const record = parseImportRecord(await readJson(path));
      if (record === undefined || !has(record)) return;
      await write({ ...record, requests: record.requests.filter((one) => one.operationId !== operationId) });
    });
  }
}
