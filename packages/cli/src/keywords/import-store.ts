import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { type LockStore, lockInFile, lockInJournal } from '../locks/with-lock.ts';
import { importsDirectory } from '../settings/directories.ts';
import { moveAway, readJson, writeJson } from '../settings/private-files.ts';
import { removeTrailingSlashes } from '../settings/trailing-slashes.ts';
import type { SharedJournal } from '../shared-journal/shared-journal.ts';
import { type Destination, type ImportRecord, parseImportRecord } from './import-record.ts';

/** Where the record of a site and group is. All lists share it, so that a changed list does not resend keywords. */
export interface ImportStore {
  readonly lock: LockStore;
  /** Whether a journal with every outcome is beside the record, so that the record may miss the last one. */
  readonly hasSharedJournal: boolean;
  read(): Promise<ImportRecord | undefined>;
  write(record: ImportRecord): Promise<void>;
}

/** The record in the shared journal if there is one, otherwise in the state directory. */
export function openImportStore(
  destination: Destination,
  sharedJournal: SharedJournal | undefined,
): ImportStore {
  return sharedJournal === undefined
    ? openFile(getRecordPath(destination))
    : openShared(destination, sharedJournal);
}

/** All records of the state directory. A file that is not a record reads as undefined. */
export async function listImportFiles(): Promise<ImportStore[]> {
  const names = await readdir(importsDirectory()).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => join(importsDirectory(), name));
  return paths.map((path) => ({
    ...openFile(path),
    read: async () => parseImportRecord(await readJson(path)),
  }));
}

function getRecordPath(destination: Destination): string {
  const text = JSON.stringify(toParts(destination));
  return join(importsDirectory(), `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`);
}

const toParts = ({ baseUrl, site, group }: Destination) => [
  removeTrailingSlashes(baseUrl),
  site,
  group ?? null,
];

function openFile(path: string): ImportStore {
  return {
    lock: lockInFile(`${path}.lock`),
    hasSharedJournal: false,
    async read() {
      const found = await readJson(path);
      return found === undefined ? undefined : requireRecord(found, path, `Move it away: ${moveAway(path)}`);
    },
    write: (record) => writeJson(path, record),
  };
}

function openShared(destination: Destination, sharedJournal: SharedJournal): ImportStore {
  const about = ['import', ...toParts(destination)];
  return {
    lock: lockInJournal(sharedJournal, about),
    hasSharedJournal: true,
    async read() {
      const text = await sharedJournal.readText(about);
      const hint = 'Update this command. The record was written by another version.';
      return text === undefined
        ? undefined
        : requireRecord(JSON.parse(text), `The import record of ${destination.site}`, hint);
    },
    write: (record) => sharedJournal.writeText(about, JSON.stringify(record)),
  };
}

function requireRecord(document: unknown, name: string, hint: string): ImportRecord {
  const record = parseImportRecord(document);
  if (record !== undefined) return record;
  throw new CliError(`${name} is not a keyword import record.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint,
  });
}
