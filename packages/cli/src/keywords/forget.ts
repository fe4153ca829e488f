import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../settings/files.ts';
import { importsDirectory } from '../settings/paths.ts';
import { type ImportRecord, recordIn } from './record.ts';
import { asSole } from './sole.ts';

/** Takes a request out of every record: what it held counts as never sent. Ends where an import uses the record. */
export async function forgetRequest(operationId: string): Promise<void> {
  const has = ({ requests }: ImportRecord): boolean =>
    requests.some((one) => one.operationId === operationId);
  const names = await readdir(importsDirectory()).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const path = join(importsDirectory(), name);
    const found = recordIn(await readJson(path));
    if (found === undefined || !has(found)) continue;
    await asSole({ path, place: found, afterwards: 'run this again' }, async (write) => {
      const record = recordIn(await readJson(path));
      if (record === undefined || !has(record)) return;
      await write({ ...record, requests: record.requests.filter((one) => one.operationId !== operationId) });
    });
  }
}
