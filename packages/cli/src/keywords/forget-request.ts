import type { OperationEntry } from '@orgchat/sdk';
import { isObject } from '@orgchat/spec/is-object';
import type { Context } from '../context.ts';
import { withImportLock } from './import-lock.ts';
import type { Destination, ImportRecord } from './import-record.ts';
import { type ImportStore, listImportFiles, openImportStore } from './import-store.ts';

/**
 * Removes a request from every import record. Its keywords then count as never sent. Throws if an import uses the
 * record.
 */
export async function forgetRequest(context: Context, entry: OperationEntry): Promise<void> {
  const { operationId } = entry;
  const has = ({ requests }: ImportRecord): boolean =>
    requests.some((one) => one.operationId === operationId);
  for (const store of await findStores(context, entry)) {
    const found = await store.read();
    if (found === undefined || !has(found)) continue;
    await withImportLock({ store, destination: found, afterwards: 'run this again' }, async (write) => {
      const record = await store.read();
      if (record === undefined || !has(record)) return;
      await write({ ...record, requests: record.requests.filter((one) => one.operationId !== operationId) });
    });
  }
}

/** The records that may have a request: in a shared journal, that of its site and group. */
async function findStores(context: Context, { path, body }: OperationEntry): Promise<ImportStore[]> {
  const { sharedJournal, target } = await context.connect();
  if (sharedJournal === undefined) return listImportFiles();
  const sent: unknown = JSON.parse(body);
  const group = isObject(sent) && typeof sent.group === 'string' ? sent.group.trim() || undefined : undefined;
  const destination: Destination = { baseUrl: target.baseUrl, site: findSite(path), group };
  return [openImportStore(destination, sharedJournal)];
}

/** The site in the path of a keyword write. */
const findSite = (path: string): string => decodeURIComponent(path.split('/').at(-2) ?? '');
