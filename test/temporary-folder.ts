import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the tests, and every process of it, a folder for temporary files that goes when it is over. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-tests-'));
  // The one for Linux and macOS, and those for Windows.
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
