import type { Context } from '../context.ts';
import { writeOut } from '../streams.ts';
import { readBase } from './base.ts';
import { readConfig } from './file.ts';
import { type Organization, readOrganization } from './organization.ts';
import { makePlan, type Plan } from './plan.ts';
import { type NameOf, planText } from './print.ts';

/** A plan, and what its ids are called. */
export interface Prepared {
  readonly plan: Plan;
  readonly nameOf: NameOf;
}

/** Reads both sides and plans. */
export async function prepare(context: Context, name: string, prune: boolean): Promise<Prepared> {
  const file = await readConfig(name);
  const { target } = await context.connect();
  const organization = await readOrganization(context);
  const base = await readBase(name, target.baseUrl, organization.id);
  const plan = makePlan(file, organization, { baseUrl: target.baseUrl, prune, base });
  return { plan, nameOf: namesIn(organization, plan) };
}

function namesIn({ accounts, records }: Organization, plan: Plan): NameOf {
  const names = new Map(accounts.map(({ id, label }) => [id, label]));
  for (const list of Object.values(records)) for (const { id, label } of list) names.set(id, label);
  for (const { key, label, action: kind } of plan.steps) if (kind === 'create') names.set(key, label);
  return (id) => names.get(id);
}

/** What a program gets of a plan. */
const planDocument = (plan: Plan): Record<string, unknown> => ({
  differences: plan.steps.length > 0,
  changes: plan.steps.map(({ action: kind, resource, label, id, fields, operationId }) => ({
    action: kind,
    resource,
    label,
    id,
    operationId,
    fields,
  })),
  unchanged: plan.unchanged,
  others: plan.others,
});

/** Prints a plan in the format asked for. */
export async function show(context: Context, { plan, nameOf }: Prepared): Promise<void> {
  if (context.output.format === 'table') await writeOut(planText(plan, nameOf));
  else await context.output.one(planDocument(plan));
}
