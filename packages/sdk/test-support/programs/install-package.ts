import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
const dependency = fileURLToPath(new URL('../../../../node_modules/openapi-fetch/', import.meta.url));

/** Installs the package as it is built, under each name, and a program in a new folder, and returns the program. */
export function installPackage(
  program: string,
  names: readonly string[] = ['@orgchat/sdk'],
): { readonly folder: string; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@orgchat'), { recursive: true });
  for (const name of names)
    for (const part of ['package.json', 'dist'])
      cpSync(join(packageFolder, part), join(modules, name, part), { recursive: true });
  cpSync(dependency, join(modules, 'openapi-fetch'), { recursive: true });
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  return { folder, file };
}
