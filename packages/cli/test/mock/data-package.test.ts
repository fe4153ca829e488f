import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtCommand } from '../../test-support/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'data-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a package that only notes that it was loaded. Returns the note. */
function plant(place: string): string {
  const own = join(folder, place, 'node_modules/libsql');
  mkdirSync(own, { recursive: true });
  const note = join(own, 'loaded');
  const text = `require('node:fs').writeFileSync(${JSON.stringify(note)}, ''); throw new Error('planted');`;
  writeFileSync(join(own, 'index.js'), text);
  return note;
}

test('mock start --data loads libsql from beside the command, and from no folder above it', () => {
  const { entry } = builtCommand();
  const installed = join(folder, 'a/b/node_modules/@orgchat/cli');
  cpSync(dirname(dirname(entry)), installed, { recursive: true, dereference: true });
  const run = () =>
    spawnSync(
      process.execPath,
      [
        join(installed, 'bin/orgchat.cjs'),
        ...['mock', 'start', '--port', '0', '--data', join(folder, 'data.db')],
      ],
      { cwd: folder, encoding: 'utf8', timeout: 60_000 },
    );
  const above = plant('a');
  const refused = run();
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('libsql, which is not installed beside this command');
  const beside = plant('a/b');
  expect(run().status).toBe(1);
  expect([above, beside].map((note) => existsSync(note))).toEqual([false, true]);
});
