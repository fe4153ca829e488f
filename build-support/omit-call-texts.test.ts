import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { controlCalls } from '../packages/mock-server/src/control/calls.ts';
import { omitCallTexts } from './omit-call-texts.ts';

const texts = ['tag', 'summary', 'description', 'parameters', 'errors', 'example', 'answer'];

/** What each call has, sorted. */
const listFields = (calls: Readonly<Record<string, object>>, omitted: readonly string[] = []) =>
  Object.entries(calls).map(([name, call]) => [
    name,
    Object.keys(call)
      .filter((field) => !omitted.includes(field))
      .sort(),
  ]);

it('a build has all of each control call but its texts and the schema of its answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'calls.mjs');
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../packages/mock-server/src/control/calls.ts', import.meta.url))],
    bundle: true,
    treeShaking: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    external: ['@orgchat/inspector', 'libsql'],
    plugins: [omitCallTexts],
    outfile,
  });
  const built = (await import(pathToFileURL(outfile).href)) as { readonly controlCalls: typeof controlCalls };
  expect(listFields(built.controlCalls)).toEqual(listFields(controlCalls, texts));
  expect(listFields(controlCalls)).not.toEqual(listFields(built.controlCalls));
  // The schemas of the log's answers are the largest; what is left of their file is its calls.
  const requests = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {}).find(([path]) =>
    path.endsWith('control/calls/requests.ts'),
  );
  expect(requests?.[1].bytesInOutput).toBeLessThan(2_000);
});
