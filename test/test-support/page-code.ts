import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A piece of code that a page shows. */
export interface Piece {
  readonly page: string;
  readonly code: string;
  /** For the title of a test: number, page and first statement. */
  readonly title: string;
}

/** The TypeScript of pages, in order. */
export const listPieces = (pages: ReadonlyMap<string, string>): Piece[] =>
  Array.from(pages)
    .flatMap(([page, text]) =>
      Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = '']) => ({ page, code })),
    )
    .map(({ page, code }, n) => {
      const first = code.split('\n').find((line) => /^\w/.test(line) && !line.startsWith('import'));
      return { page, code, title: `${n + 1} of ${page}: ${first}` };
    });

/** Compiles files of a folder as strictly as a user may, with more flags of the compiler. Returns what the compiler says. */
export async function compileFiles(
  folder: string,
  files: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', ...flags];
  const target = ['--target', 'es2022', '--module', 'nodenext'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const args = [tsc, ...options, ...target, ...types, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (failed: { stdout: string }) => {
      // The compiler did not run.
      if (failed.stdout === '') throw failed;
      return failed;
    },
  );
  return stdout;
}

/** Writes programs into a folder, and compiles them as `compileFiles` does. */
export async function compilePrograms(
  folder: string,
  programs: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  const files = programs.map((_, n) => `compiled-${n}.ts`);
  await Promise.all(files.map((file, n) => writeFile(join(folder, file), programs[n] ?? '')));
  return compileFiles(folder, files, flags);
}
