import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { createJson, readJson, writeJson } from '../../settings/files.ts';
import { stateDirectory } from '../../settings/paths.ts';
import type { ConfigFile } from '../file/read.ts';
import { type Plan, planShape } from '../plan/document.ts';
import { isOvertaken } from './agreement.ts';

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

  /** Keeps the plan of an apply that begins; of two that begin at once, the second is ended. */
  async begin(plan: Plan): Promise<void> {
    if (!createJson(this.path, this.document(plan, false))) throw underWay();
    // The other one may have begun and ended since this plan looked.
    if (!(await isOvertaken(plan))) return;
    await this.remove();
    throw underWay();
  }

  /** Keeps it for another run; `over` where only what is open is left of it. */
  keep(plan: Plan, { over }: { over: boolean }): Promise<void> {
    return writeJson(this.path, this.document(plan, over));
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }

  private document(plan: Plan, over: boolean): z.input<typeof shape> {
    const { digest, prune } = this;
    return { format: 'orgchat-apply', digest, prune, over, plan };
  }
}

function underWay(): Failure {
  return new Failure(
    'Another apply or export of this file came in between; nothing was applied by this one.',
    {
      code: 'APPLY_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: 'Wait for it, then run this again: it does what is left.',
    },
  );
}

function unreadable(path: string): Failure {
  return new Failure(`${path} should be the plan of an unfinished apply, and is something else.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `See what is open with orgchat ops list --unsettled, then move it away: mv ${path} ${path}.old`,
  });
}
