import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable, writeAtomic } from '../output/write-file.ts';
import { openApply, reportUnfinishedApply, toUnfinishedDocument } from './apply/unfinished-apply.ts';
import { type ConfigFile, readConfig } from './file/read-config.ts';
import { readOrganization, readOrganizationId } from './organization.ts';
import { createPlan, withCreateIds } from './plan/create-plan.ts';
import { collectNames, type PlanWithNames } from './plan/format-plan.ts';
import { formatMarkdownPlan } from './plan/markdown-plan.ts';
import { printPlan, printPlanWarnings } from './plan/print-plan.ts';
import { withDigest } from './plan/verify-plan.ts';
import { parseOnly } from './selection.ts';
import { findHistoryPath, readBase } from './sync-base.ts';

/** Options of `config diff`. */
export interface DiffOptions {
  readonly prune?: true;
  readonly only?: readonly string[];
  readonly exitCode?: true;
  readonly showUnmanaged?: true;
}

/** Options of `config plan`. */
export interface PlanOptions extends DiffOptions {
  readonly output?: string;
  readonly markdown?: true;
}

/** `config diff`: prints the differences between file and organization. */
export async function showDifferences(context: Context, options: DiffOptions, name: string): Promise<void> {
  const { prepared, unfinished } = await planAndWarn(context, options, name);
  await printPlan(context, prepared, unfinished, options);
}

/** `config plan`: makes a plan and prints it; `--output` saves it. */
export async function writePlan(context: Context, options: PlanOptions, name: string): Promise<void> {
  const { output, markdown } = options;
  if (markdown || output === '-') requireOneOutput(context, options);
  if (output !== undefined && output !== '-') await checkWritable(output);
  const { prepared, unfinished } = await planAndWarn(context, options, name);
  const text = `${JSON.stringify(withDigest(prepared.plan), null, 2)}\n`;
  if (output === '-') return writeData(text, 'json');
  if (output !== undefined) {
    await writeAtomic(output, (write) => write(text));
    context.output.note(`Plan saved to ${output}. Apply it: orgchat config apply ${toShellWord(output)}`);
  }
  if (markdown) return writeData(formatMarkdownPlan(prepared, options), 'text');
  await printPlan(context, prepared, unfinished, options);
}

/** Throws if stdout would get several things: the plan to save, Markdown, or fields. */
function requireOneOutput({ output: { fields } }: Context, { markdown, output }: PlanOptions): void {
  const requested = [
    ...(markdown ? ['--markdown'] : []),
    ...(output === '-' ? ['-o -'] : []),
    ...(fields === undefined ? [] : ['--fields']),
  ];
  if (requested.length > 1)
    throw usageError(
      `${requested.join(' and ')} all say what standard output gets.`,
      'Pass only one of them. A plan can be saved to a file as well: -o plan.json',
    );
}

/** Makes a plan and reports its warnings and an unfinished apply. */
async function planAndWarn(context: Context, options: DiffOptions, name: string) {
  const file = await readConfig(name);
  const prepared = await readAndPlan(context, file, options);
  const { earlier } = await openApply(file, prepared.plan, options);
  if (earlier !== undefined) reportUnfinishedApply(context, earlier);
  printPlanWarnings(context, prepared.plan);
  if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  return { prepared, unfinished: earlier && toUnfinishedDocument(earlier) };
}

/** Reads the organization and makes a plan from a file. */
export async function readAndPlan(
  context: Context,
  file: ConfigFile,
  { prune = false, only }: { readonly prune?: boolean; readonly only?: readonly string[] },
): Promise<PlanWithNames> {
  if (only !== undefined) parseOnly(only);
  const { baseUrl } = (await context.connect()).target;
  const createdAt = new Date().toISOString();
  const organizationId = await readOrganizationId(context);
  const path = await findHistoryPath(file.name);
  // Read first: the base must not be newer than the organization.
  const base = path === null ? undefined : await readBase({ file: path, baseUrl, organizationId });
  const organization = await readOrganization(context, organizationId);
  const plan = await withCreateIds(
    createPlan(file, organization, { baseUrl, createdAt, path, prune, base, only }),
  );
  return { plan, findName: collectNames(plan, organization) };
}
