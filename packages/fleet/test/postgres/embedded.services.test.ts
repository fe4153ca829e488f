import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { beforeAll, expect, test } from 'vitest';
import { bundleText } from '../../../../test/test-support/bundle-program.ts';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';

/* Two processes with one PGlite directory overwrite what the other one writes: the second one is refused. */

/** A database, as a directory and as a file. Making one takes ten times as long as opening it, so it is made once. */
let template: { readonly directory: string; readonly file: Blob };
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pglite-'));
  const db = await PGlite.create(directory);
  const file = await db.dumpDataDir('none');
  await db.close();
  template = { directory, file };
});

/** A new directory with a database. */
function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pglite-'));
  cpSync(template.directory, directory, { recursive: true });
  return directory;
}

/** Opens a directory in a process of its own, and adds an entry. Returns the code of its error. */
async function addElsewhere(directory: string): Promise<string> {
  const program = `
    import { PGlite } from '@electric-sql/pglite';
    import { postgresJournal } from './packages/fleet/src/postgres.ts';
    import { createEntry } from './packages/fleet/test-support/engines/bad-engine.ts';
    const db = await PGlite.create(process.argv[2]);
    await Promise.resolve(postgresJournal(db).add(createEntry('elsewhere'))).then(
      () => console.log('added'),
      (error) => console.log(error.code, error.message),
    );
    process.exit();`;
  const args = [bundleText(program), directory];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  return stdout.trim();
}

test('a second process on a PGlite directory is refused while the first has it open', async () => {
  const directory = createDirectory();
  const first = await PGlite.create(directory);
  await migrate(first);
  const journal = postgresJournal(first);
  await journal.add(createEntry('first'));
  expect(await addElsewhere(directory)).toMatch(/^STORE_UNAVAILABLE .*is open in another process/);
  expect(await journal.get({ operationId: 'first', target: 'bad-engine' })).toBeDefined();
  await first.close();
  // A killed process leaves nothing that has to be cleaned up.
  expect(await addElsewhere(directory)).toBe('added');
});

test('a second database on the directory in the same process is refused, and databases in memory are not', async () => {
  const directory = createDirectory();
  const [first, second] = [await PGlite.create(directory), await PGlite.create(`file://${directory}`)];
  await migrate(first);
  await postgresJournal(first).add(createEntry('first'));
  expect(await getError(postgresJournal(second).add(createEntry('second')))).toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  for (const memory of [
    await PGlite.create({ loadDataDir: template.file }),
    await PGlite.create({ loadDataDir: template.file }),
  ]) {
    await migrate(memory);
    expect(await postgresJournal(memory).add(createEntry('memory'))).toBe(true);
  }
});
