import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Plan } from '../plan/document.ts';
import { remember } from './agreement.ts';
import { type Ending, endingOf } from './outcome.ts';
import { report } from './report.ts';
import { run } from './run.ts';

/** Applies a plan, remembers what is now the same on both sides, and says what came of it. */
export async function carryOut(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
  keep: (ending: Ending) => Promise<void>,
): Promise<void> {
  const result = await run(context, client, plan.steps);
  const ending = endingOf(result);
  await remember(plan, result, ending.exit === exitCodes.done);
  await keep(ending);
  await report(context, plan, result, ending);
}
