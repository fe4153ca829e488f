import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { readJson, writeJson } from '../../settings/files.ts';
import { stateDirectory } from '../../settings/paths.ts';
import type { ConfigFile } from '../file/read.ts';
import { type Plan, planShape } from '../plan/document.ts';

/*
 * `apply FILE` keeps its plan until it is through. Killed and run again it goes on with the same plan, and so with
 * the same operation ids: no step is applied twice.
 */

const shape = z.object({
  format: z.literal('orgchat-apply'),
  digest: z.string(),
  prune: z.boolean(),
  /** Refused for good: nothing more of it is begun, and only what is open still has to be settled. */
  over: z.boolean(),
  plan: planShape,
});

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The plan an earlier run did not finish. */
export interface Earlier {
  readonly plan: Plan;
  readonly goesOn: boolean;
}

/** The plan that is kept for a file, an organization and where that is. */
export class KeptPlan {
  private readonly path: string;
  private readonly digest: string;

  constructor(
    { name, text }: ConfigFile,
    { baseUrl, organizationId }: Pick<Plan, 'baseUrl' | 'organizationId'>,
    private readonly prune: boolean,
  ) {
    const key = digestOf(JSON.stringify([resolve(name), baseUrl, organizationId])).slice(0, 32);
    this.path = join(stateDirectory(), 'applies', `${key}.json`);
    this.digest = digestOf(text);
  }

  async read(): Promise<Earlier | undefined> {
    const document = await readJson(this.path);
    if (document === undefined) return undefined;
    const found = shape.safeParse(document);
    if (!found.success) throw unreadable(this.path);
    const { plan, digest, prune, over } = found.data;
    return { plan, goesOn: !over && digest === this.digest && prune === this.prune };
  }

  write(plan: Plan, { over }: { over: boolean }): Promise<void> {
    const { digest, prune } = this;
    return writeJson(this.path, { format: 'orgchat-apply', digest, prune, over, plan });
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

function unreadable(path: string): Failure {
  return new Failure(`${path} should be the plan of an unfinished apply, and is something else.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `See what is open with orgchat ops list --unsettled, then move it away: mv ${path} ${path}.old`,
  });
}
