import type { OrgChatClient } from '@orgchat/sdk';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { remember } from '../config/apply/agreement.ts';
import { approve } from '../config/apply/approve.ts';
import { type Earlier, KeptPlan } from '../config/apply/kept.ts';
import { type Ending, endingOf } from '../config/apply/outcome.ts';
import { report } from '../config/apply/report.ts';
import { run } from '../config/apply/run.ts';
import { settle } from '../config/apply/settle.ts';
import { takenFailure, takenLabels } from '../config/apply/taken.ts';
import { noteUnfinished, unfinishedOf } from '../config/apply/unfinished.ts';
import { type ConfigFile, configOf } from '../config/file/read.ts';
import { type Plan, planIn } from '../config/plan/document.ts';
import { namesIn } from '../config/plan/print.ts';
import { show, warn } from '../config/plan/show.ts';
import { type Prepared, prepare } from '../config/prepare.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { readText } from '../input.ts';

interface ApplyOptions {
  readonly prune?: true;
  readonly dryRun?: true;
  readonly forceConflicts?: true;
  readonly replan?: true;
}

export function configureApply(command: Command): void {
  const applied = command
    .command('apply')
    .description(
      'make the organization what the plan or the file says; killed and run again, no step is applied twice',
    )
    .argument('<plan|file|->', 'a plan, or a configuration')
    .option('--prune', 'delete what is not in the file')
    .option('--force-conflicts', 'overwrite what was changed both in the file and in the organization')
    .option('--replan', 'drop the plan that an earlier run did not finish, and plan anew')
    .option('--dry-run', 'show what would be done, and do nothing');
  action<ApplyOptions>(applied, async (context, options, name) => {
    const text = await readText(name);
    const saved = planIn(text, name);
    if (saved === undefined) await applyFile(context, options, configOf(name, text));
    else if (options.prune || options.replan)
      throw usage(
        `--${options.prune ? 'prune' : 'replan'} is for a configuration, and ${name} is a plan.`,
        'Make another plan: orgchat config plan FILE -o PLAN, with --prune if it is to delete',
      );
    else await applySaved(context, options, saved);
  });
  examples(
    applied,
    ['orgchat config apply plan.json', 'what was planned; a record changed since is a conflict (exit 5)'],
    ['orgchat config apply orgchat.yaml', 'plan, show, ask and apply'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'the same in a script, and delete what is left over'],
  );
}

async function applySaved(context: Context, options: ApplyOptions, plan: Plan): Promise<void> {
  const { client, target } = await context.connect();
  const { organizationId } = await client.account({ signal: context.interrupt.signal });
  if (organizationId !== plan.organizationId || target.baseUrl !== plan.baseUrl) {
    throw new Failure(
      `The plan is for the organization ${plan.organizationId} at ${plan.baseUrl}, not for ${organizationId} at ${target.baseUrl}.`,
      {
        code: 'PLAN_OF_ANOTHER_ORGANIZATION',
        exit: exitCodes.conflict,
        hint: 'Make a plan for this one: orgchat config plan FILE -o PLAN',
      },
    );
  }
  const prepared = { plan, nameOf: namesIn(plan) };
  if (options.dryRun) return show(context, prepared);
  await approve(context, prepared, { forceConflicts: options.forceConflicts === true, askAlways: false });
  const taken = await takenLabels(context, client, plan);
  if (taken.length > 0) throw takenFailure(taken);
  await carryOut(context, client, plan, async () => {});
}

async function applyFile(context: Context, options: ApplyOptions, file: ConfigFile): Promise<void> {
  const prune = options.prune === true;
  const { client, target } = await context.connect();
  const { organizationId } = await client.account({ signal: context.interrupt.signal });
  const kept = new KeptPlan(file, { baseUrl: target.baseUrl, organizationId }, prune);
  const earlier = await earlierOf(kept, options);
  if (options.dryRun) return preview(context, file, prune, earlier);
  const going = earlier && (await resumed(context, client, options, kept, earlier));
  const plan = going ?? (await approved(context, client, options, await prepare(context, file, prune)));
  if (plan.steps.length > 0 && going === undefined) await kept.begin(plan);
  await carryOut(context, client, plan, async (ending) => {
    if (ending.plan === 'over') await kept.remove();
    else await kept.keep(plan, { over: ending.plan === 'open' });
  });
}

async function earlierOf(kept: KeptPlan, { replan }: ApplyOptions): Promise<Earlier | undefined> {
  const earlier = await kept.read();
  return earlier && { ...earlier, goesOn: earlier.goesOn && !replan };
}

/** What apply would do: go on with an unfinished plan, or make a new one. */
async function preview(
  context: Context,
  file: ConfigFile,
  prune: boolean,
  earlier: Earlier | undefined,
): Promise<void> {
  if (earlier !== undefined) noteUnfinished(context, earlier);
  const prepared = earlier?.goesOn
    ? { plan: earlier.plan, nameOf: namesIn(earlier.plan) }
    : await prepare(context, file, prune);
  warn(context, prepared.plan);
  await show(context, prepared, earlier && unfinishedOf(earlier));
}

/** The plan of an earlier run where it can be gone on with; else that run is settled, and there is none. */
async function resumed(
  context: Context,
  client: OrgChatClient,
  { replan }: ApplyOptions,
  kept: KeptPlan,
  earlier: Earlier,
): Promise<Plan | undefined> {
  const { plan } = earlier;
  noteUnfinished(context, earlier);
  const isCurrent = earlier.goesOn && (await takenLabels(context, client, plan)).length === 0;
  if (isCurrent) return plan;
  if (earlier.goesOn) context.output.note('Its records were made by somebody else meanwhile; planning anew.');
  await remember(plan, await settle(context, client, plan, replan === true), false);
  await kept.remove();
  return undefined;
}

async function approved(
  context: Context,
  client: OrgChatClient,
  { forceConflicts }: ApplyOptions,
  prepared: Prepared,
): Promise<Plan> {
  const { plan } = prepared;
  warn(context, plan);
  const asked = await approve(context, prepared, {
    forceConflicts: forceConflicts === true,
    askAlways: true,
  });
  // Somebody may have thought about it for long.
  const taken = asked ? await takenLabels(context, client, plan) : [];
  if (taken.length > 0) throw takenFailure(taken);
  return plan;
}

/** Applies a plan, remembers what is now the same on both sides, and says what came of it. */
async function carryOut(
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
