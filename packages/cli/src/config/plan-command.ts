import type { Context } from '../context.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable, writeAtomic } from '../output/write-file.ts';
import { printPlan } from './plan/print-plan.ts';
import { withDigest } from './plan/verify-plan.ts';
import { type DiffOptions, planAndWarn } from './plan-and-warn.ts';

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
