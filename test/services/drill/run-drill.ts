import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { builtCommand } from '../../../packages/cli/test-support/build.ts';

export interface DrillRow {
  readonly write: number;
  readonly fault: string;
  readonly verdict: 'ok' | 'lost' | 'doubled';
  readonly hit: boolean;
}

export interface DrillReport {
  readonly writes: number;
  readonly rows: readonly DrillRow[];
  readonly notTried: readonly {
    readonly fault: string | null;
    readonly writes: readonly number[];
    readonly why: string;
  }[];
}

export type Language = 'python' | 'go' | 'typescript';

/** Python that writes nothing beside its sources, without what this machine adds to it, which takes as long as the rest of a start. */
export const python = ['python3', '-B', '-E', '-S'] as const;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = fileURLToPath(new URL('./', import.meta.url));

/** How long the clients wait for an answer, in seconds, and how late one is: later than they wait. */
const attemptTimeout = '0.8';
const delay = '1500ms';

/** Programs of other languages, compiled when they are first used. */
export class DrillClients {
  readonly #folder = mkdtempSync(join(tmpdir(), 'drill-clients-'));
  readonly #built = new Map<string, string>();

  /** The command that runs a client of `test/services/drill`. */
  command(language: Language, mode: string): readonly string[] {
    switch (language) {
      case 'python':
        return [...python, join(folder, 'client.py'), mode];
      case 'go':
        return [this.go(join(folder, 'client.go')), mode];
      case 'typescript':
        return [process.execPath, this.typescript(join(folder, 'client.ts')), mode];
    }
  }

  /** Compiles a program in Go. */
  go(source: string): string {
    return this.#build(source, 'program', (program) =>
      execFileSync('go', ['build', '-o', program, source], { env: { ...process.env, GO111MODULE: 'off' } }),
    );
  }

  /** Bundles a program in TypeScript. */
  typescript(source: string): string {
    return this.#build(source, 'mjs', (outfile) =>
      buildSync({
        ...{ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node' },
        conditions: ['orgchat-source'],
      }),
    );
  }

  #build(source: string, extension: string, build: (output: string) => unknown): string {
    const known = this.#built.get(source);
    if (known !== undefined) return known;
    const output = join(this.#folder, `client-${this.#built.size}.${extension}`);
    build(output);
    this.#built.set(source, output);
    return output;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Drills a client, with all faults or some. */
export async function runDrill(
  words: readonly string[],
  faults: readonly string[] = [],
): Promise<{ readonly code: number; readonly report: DrillReport }> {
  const args = ['mock', 'drill', '--json', '--jobs', '4', '--delay', delay];
  const selected = faults.flatMap((fault) => ['--fault', fault]);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ATTEMPT_TIMEOUT: attemptTimeout };
  const { stdout, code } = await promisify(execFile)(
    process.execPath,
    [builtCommand().entry, ...args, ...selected, '--', ...words],
    { cwd: root, env },
  ).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  return { code, report: JSON.parse(stdout) as DrillReport };
}

/** The rows that are not ok, such as `1 kill doubled`. */
export const findBad = ({ rows }: DrillReport): string[] =>
  rows
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ write, fault, verdict }) => `${write} ${fault} ${verdict}`);

/** The rows that a report has to have: each write with each fault, but for those that it lists as not tried. */
export const listRows = ({ writes, notTried }: DrillReport, faults: readonly string[]): string[] =>
  Array.from({ length: writes }, (_, at) => at + 1).flatMap((write) =>
    faults
      .filter((fault) => !notTried.some((one) => one.fault === fault && one.writes.includes(write)))
      .map((fault) => `${write} ${fault}`),
  );

export const nameRows = ({ rows }: DrillReport): string[] =>
  rows.map(({ write, fault }) => `${write} ${fault}`);
