import type { Context } from '../context.ts';
import { printPlan } from './plan/print-plan.ts';
import { type DiffOptions, planAndWarn } from './plan-and-warn.ts';

/** Prints the differences between file and organization. */
export async function showDifferences(context: Context, options: DiffOptions, name: string): Promise<void> {
  const { prepared, unfinished } = await planAndWarn(context, options, name);
  await printPlan(context, prepared, unfinished, options);
}
