import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkPlace, writeWhole } from '../output/file.ts';
import { writeData } from '../streams.ts';
import { KeptPlan } from './apply/kept.ts';
import { noteUnfinished, unfinishedOf } from './apply/unfinished.ts';
import { readConfig } from './file/read.ts';
import { sealed } from './plan/seal.ts';
import { show, warn } from './plan/show.ts';
import { prepare } from './prepare.ts';

/** What `config diff` and `config plan` take. */
export interface PlanOptions {
  readonly prune?: true;
  readonly exitCode?: true;
  readonly output?: string;
  readonly showUnmanaged?: true;
}

/** Checks a file without the network. */
export async function validateConfig(context: Context, name: string): Promise<void> {
  const file = await readConfig(name);
  await context.output.one({
    file: name,
    valid: true,
    records: file.records.length,
    resources: file.resources,
  });
}

/** Plans, and says what stands beside the plan: what to look at, and an apply that is not finished. */
async function planned(context: Context, options: PlanOptions, name: string) {
  const file = await readConfig(name);
  const prepared = await prepare(context, file, options.prune === true);
  const earlier = await new KeptPlan(file, prepared.plan, options.prune === true).read();
  if (earlier !== undefined) noteUnfinished(context, earlier);
  warn(context, prepared.plan);
  if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  return { prepared, unfinished: earlier && unfinishedOf(earlier) };
}

/** Says what the file and the organization differ in. */
export async function showDifferences(context: Context, options: PlanOptions, name: string): Promise<void> {
  const { prepared, unfinished } = await planned(context, options, name);
  await show(context, prepared, unfinished, options);
}

/** Decides what apply will do; `--output` keeps it. */
export async function makePlan(context: Context, options: PlanOptions, name: string): Promise<void> {
  const { output } = options;
  if (output !== undefined && output !== '-') await checkPlace(output);
  const { prepared, unfinished } = await planned(context, options, name);
  const text = `${JSON.stringify(sealed(prepared.plan), null, 2)}\n`;
  if (output === '-') return writeData(text, 'json');
  if (output !== undefined) {
    await writeWhole(output, (write) => write(text));
    context.output.note(`The plan is in ${output}; apply it: orgchat config apply ${output}`);
  }
  await show(context, prepared, unfinished, options);
}
