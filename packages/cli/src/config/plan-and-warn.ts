import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import {
  reportUnfinishedApply,
  toUnfinishedDocument,
  UnfinishedApplyFile,
} from './apply/unfinished-apply.ts';
import { readConfig } from './file/read-config.ts';
import { printPlanWarnings } from './plan/print-plan.ts';
import { readAndPlan } from './read-and-plan.ts';

/** Options of `config diff` and `config plan`. */
export interface DiffOptions {
  readonly prune?: true;
  readonly exitCode?: true;
  readonly output?: string;
  readonly showUnmanaged?: true;
}

/** Makes a plan and reports its warnings and an unfinished apply. */
export async function planAndWarn(context: Context, options: DiffOptions, name: string) {
  const file = await readConfig(name);
  const prepared = await readAndPlan(context, file, options.prune === true);
  const earlier = await new UnfinishedApplyFile(file, prepared.plan, options.prune === true).read();
  if (earlier !== undefined) reportUnfinishedApply(context, earlier);
  printPlanWarnings(context, prepared.plan);
  if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  return { prepared, unfinished: earlier && toUnfinishedDocument(earlier) };
}
