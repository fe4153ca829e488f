import type { Context } from '../define-command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable, writeAtomic } from '../output/write-file.ts';
import { ApplyState, reportUnfinishedApply, toUnfinishedDocument } from './apply/unfinished-apply.ts';
import { readConfig } from './file/read-config.ts';
import { printPlan, printPlanWarnings } from './plan/print-plan.ts';
import { withDigest } from './plan/verify-plan.ts';
import { readAndPlan } from './plan-from-file.ts';

/** What `config diff` and `config plan` take. */
export interface DiffOptions {
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

/** Makes a plan and reports its warnings and an unfinished apply. */
async function planAndWarn(context: Context, options: DiffOptions, name: string) {
  const file = await readConfig(name);
  const prepared = await readAndPlan(context, file, options.prune === true);
  const earlier = await new ApplyState(file, prepared.plan, options.prune === true).read();
  if (earlier !== undefined) reportUnfinishedApply(context, earlier);
  printPlanWarnings(context, prepared.plan);
  if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  return { prepared, unfinished: earlier && toUnfinishedDocument(earlier) };
}

/** Says what the file and the organization differ in. */
export async function showDifferences(context: Context, options: DiffOptions, name: string): Promise<void> {
  const { prepared, unfinished } = await planAndWarn(context, options, name);
  await printPlan(context, prepared, unfinished, options);
}

/** Makes a plan and prints it; `--output` saves it. */
export async function writePlan(context: Context, options: DiffOptions, name: string): Promise<void> {
  const { output } = options;
  if (output !== undefined && output !== '-') await checkWritable(output);
  const { prepared, unfinished } = await planAndWarn(context, options, name);
  const text = `${JSON.stringify(withDigest(prepared.plan), null, 2)}\n`;
  if (output === '-') return writeData(text, 'json');
  if (output !== undefined) {
    await writeAtomic(output, (write) => write(text));
    context.output.note(`Plan saved to ${output}. Apply it: orgchat config apply ${output}`);
  }
  await printPlan(context, prepared, unfinished, options);
}
