import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { applyPlan, exitOf } from '../config/apply.ts';
import { writeBase } from '../config/base.ts';
import { readConfig } from '../config/file.ts';
import { creationOrder } from '../config/order.ts';
import { readOrganization } from '../config/organization.ts';
import { asPlan, type Plan } from '../config/plan.ts';
import { prepare, show } from '../config/prepare.ts';
import { reportApplied } from '../config/report.ts';
import { SavedPlan } from '../config/saved.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { parseDocument, readText } from '../input.ts';
import { confirm, requireYes } from '../prompt.ts';

interface ApplyOptions {
  readonly prune?: true;
  readonly dryRun?: true;
}

export function configureApply(command: Command): void {
  const applied = command
    .command('apply')
    .description(
      'make the organization what the plan or the file says; killed and run again, no step is applied twice',
    )
    .argument('<plan|file>', 'a plan, or a configuration')
    .option('--prune', 'delete what is not in the file')
    .option('--dry-run', 'show what would be done, and do nothing');
  action<ApplyOptions>(applied, async (context, options, name) => {
    const saved = asPlan(await parseDocument(await readText(name), name), name);
    if (saved === undefined) await applyFile(context, options, name);
    else if (options.prune)
      throw usage('--prune belongs to the plan.', 'Make it with: orgchat config plan --prune');
    else await applySaved(context, options, saved);
  });
  examples(
    applied,
    ['orgchat config apply plan.json', 'what was planned; a record changed since is a conflict (exit 5)'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'plan and apply at once, in a script'],
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
        hint: 'Make a plan for this one: orgchat config plan',
      },
    );
  }
  if (options.dryRun) return show(context, { plan, nameOf: () => undefined });
  await confirmDeletions(context, plan);
  const result = await applyPlan(context, client, plan);
  await reportApplied(context, plan, result);
}

async function applyFile(context: Context, options: ApplyOptions, name: string): Promise<void> {
  const prune = options.prune === true;
  const file = await readConfig(name);
  if (prune && !options.dryRun)
    requireYes('Records that are not in the file are deleted.', context.options.yes);
  const { client, target } = await context.connect();
  const kept = new SavedPlan(file, target.baseUrl, prune);
  const earlier = await kept.read();
  if (options.dryRun) return show(context, await prepare(context, name, prune));
  if (earlier?.current === false) await settleEarlier(context, earlier.plan);
  const plan = earlier?.current ? earlier.plan : (await prepare(context, name, prune)).plan;
  if (earlier?.current) context.output.note('Going on with the plan an earlier run did not finish.');
  else {
    warnOfDrift(context, plan);
    await confirmDeletions(context, plan);
  }
  if (plan.steps.length > 0) await kept.write(plan);
  const result = await applyPlan(context, client, plan);
  const exit = exitOf(result);
  // A refusal ends this plan; only what may still be going on is kept for another run.
  if (exit !== exitCodes.unknown && !context.interrupt.stopping) await kept.remove();
  if (exit === exitCodes.done && !context.interrupt.stopping) {
    await writeBase(name, target.baseUrl, await readOrganization(context));
  }
  await reportApplied(context, plan, result);
}

/** The file is another now; what its earlier apply had sent is settled first, then it is planned anew. */
async function settleEarlier(context: Context, plan: Plan): Promise<void> {
  const client = await context.client();
  const ids = new Set(plan.steps.map(({ operationId }) => operationId));
  const open = (await client.operations.list()).filter(
    ({ operationId, state }) => ids.has(operationId) && (state === 'pending' || state === 'unknown'),
  );
  for (const { operationId } of open) await client.operations.resume(operationId);
}

/** Somebody made these changes on purpose; that they are undone is not to go by unseen. */
function warnOfDrift(context: Context, { steps }: Plan): void {
  for (const { resource, label, fields } of steps) {
    const drifted = fields.filter(({ origin }) => origin === 'drift' || origin === 'both');
    const names = drifted.map(({ path }) => path).join(', ');
    if (names !== '')
      context.output.warn(
        `${resource} "${label}": ${names} changed in the organization since; the file puts it back`,
      );
  }
}

async function confirmDeletions(context: Context, plan: Plan): Promise<void> {
  const deletions = plan.steps.filter((step) => step.action === 'delete');
  if (deletions.length === 0) return;
  const counts = creationOrder
    .map((resource) => [resource, deletions.filter((step) => step.resource === resource).length] as const)
    .filter(([, count]) => count > 0)
    .map(([resource, count]) => `${count} of ${resource}`);
  await confirm(`Delete ${counts.join(', ')}, because the file does not have them?`, context.options.yes);
}
