import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Harness, type HarnessOptions, type Result, type RunOptions } from './harness.ts';

/** Replaces texts in the file. */
type Edit = readonly [from: string, to: string];

/** A mock, and the configuration of its organization in `orgchat.yaml`, created for each test of a file. */
export class ConfigFile {
  readonly cli: Harness;
  private exported: string | undefined;

  constructor(options?: HarnessOptions) {
    this.cli = new Harness(options);
  }

  get path(): string {
    return join(this.cli.folder, 'orgchat.yaml');
  }

  async reset(): Promise<void> {
    await this.cli.control('POST', '/reset');
    rmSync(this.cli.folder, { recursive: true, force: true });
    // After a reset the organization is the same to the byte, and so is what its first export left.
    if (this.exported !== undefined) return cpSync(this.exported, this.cli.folder, { recursive: true });
    mkdirSync(this.cli.folder);
    const { code, stdout } = await this.cli.run(['config', 'export', '-o', 'orgchat.yaml', '--json']);
    if (code !== 0) throw new Error(stdout);
    this.exported = `${this.cli.folder}-exported`;
    cpSync(this.cli.folder, this.exported, { recursive: true });
  }

  async end(): Promise<void> {
    await this.cli.end();
    if (this.exported !== undefined) rmSync(this.exported, { recursive: true });
  }

  read(): string {
    return readFileSync(this.path, 'utf8');
  }

  write(text: string): void {
    writeFileSync(this.path, text);
  }

  edit(...edits: readonly Edit[]): void {
    this.write(edits.reduce((text, [from, to]) => text.replace(from, to), this.read()));
  }

  /** `orgchat config …`, with its result as JSON. */
  run(args: readonly string[], options?: RunOptions): Promise<Result> {
    return this.cli.run(['config', ...args, '--pacing', 'off', '--json'], options);
  }

  /** A change that somebody else makes in the meantime. */
  async rival(...args: string[]): Promise<Result> {
    const result = await this.cli.run([...args, '--json', '--pacing', 'off', '--yes']);
    if (result.code !== 0) throw new Error(result.stdout);
    return result;
  }

  /** The next change of this action is applied, and its answer lost. */
  async loseAnswerTo(action: string): Promise<void> {
    await this.cli.control('POST', '/faults', { effect: 'lose-response', action });
  }
}

export const freshTag: Edit = ['\ntags:\n', '\ntags:\n  - name: Fresh\n    color: blue\n'];
export const greenVip: Edit = ['color: pink', 'color: green'];

export function useConfigFile(options?: HarnessOptions): ConfigFile {
  const file = new ConfigFile(options);
  beforeAll(() => file.cli.start(), 60_000);
  afterAll(() => file.end());
  beforeEach(() => file.reset());
  return file;
}
