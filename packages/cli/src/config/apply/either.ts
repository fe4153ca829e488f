import type { Context } from '../../context.ts';
import { usage } from '../../failure.ts';
import { readText } from '../../input.ts';
import { configOf } from '../file/read.ts';
import { planIn } from '../plan/document.ts';
import { checkSeal } from '../plan/seal.ts';
import { applyFile, type FileApplyOptions } from './from-file.ts';
import { applyPlan } from './from-plan.ts';

/** Applies what has this name: a plan or a configuration, whichever is in it. */
export async function applyEither(context: Context, options: FileApplyOptions, name: string): Promise<void> {
  const text = await readText(name);
  const saved = planIn(text, name);
  if (saved !== undefined) checkSeal(saved, name);
  if (saved === undefined) await applyFile(context, options, configOf(name, text));
  else if (options.prune || options.replan)
    throw usage(
      `--${options.prune ? 'prune' : 'replan'} is for a configuration, and ${name} is a plan.`,
      'Make another plan: orgchat config plan FILE -o PLAN, with --prune if it is to delete',
    );
  else await applyPlan(context, options, saved);
}
