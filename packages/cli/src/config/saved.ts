import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { readJson, writeJson } from '../settings/files.ts';
import { stateDirectory } from '../settings/paths.ts';
import type { ConfigFile } from './file.ts';
import { type Plan, planShape } from './plan.ts';

/*
 * `apply FILE` keeps its plan until it is through. Killed and run again it goes on with the same plan, and so with
 * the same operation ids: no step is applied twice.
 */

const shape = z.object({ digest: z.string(), prune: z.boolean(), plan: planShape });

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export class SavedPlan {
  private readonly path: string;
  private readonly digest: string;

  constructor(
    file: ConfigFile,
    baseUrl: string,
    private readonly prune: boolean,
  ) {
    const name = digestOf(JSON.stringify([resolve(file.name), baseUrl])).slice(0, 32);
    this.path = join(stateDirectory(), 'applies', `${name}.json`);
    this.digest = digestOf(file.text);
  }

  /** The plan an earlier run did not finish, and whether it is for the file as it is now. */
  async read(): Promise<{ plan: Plan; current: boolean } | undefined> {
    const found = shape.safeParse(await readJson(this.path));
    if (!found.success) return undefined;
    const { plan, digest, prune } = found.data;
    return { plan, current: digest === this.digest && prune === this.prune };
  }

  write(plan: Plan): Promise<void> {
    return writeJson(this.path, { digest: this.digest, prune: this.prune, plan });
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}
