import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import type { ConfigFile } from './file/read-config.ts';
import { readOrganization, readOrganizationId } from './organization.ts';
import { withCreateIds } from './plan/create-operation-ids.ts';
import { createPlan } from './plan/create-plan.ts';
import type { FindName } from './plan/format-change.ts';
import { collectNames } from './plan/format-plan.ts';
import type { Plan } from './plan/plan-schema.ts';
import { readBase } from './sync-base.ts';

/** A plan, and the names of the ids in it. */
export interface PlanWithNames {
  readonly plan: Plan;
  readonly findName: FindName;
}

/** Data about a file is stored under its absolute path; standard input has none. */
const toAbsolutePath = (name: string): string | null => (name === '-' ? null : resolve(name));

/** Reads the organization and makes a plan from a file. */
export async function readAndPlan(
  context: Context,
  file: ConfigFile,
  prune: boolean,
): Promise<PlanWithNames> {
  const { baseUrl } = (await context.connect()).target;
  const createdAt = new Date().toISOString();
  const organizationId = await readOrganizationId(context);
  const path = toAbsolutePath(file.name);
  // Read first: the base must not be newer than the organization.
  const base = path === null ? undefined : await readBase({ file: path, baseUrl, organizationId });
  const organization = await readOrganization(context, organizationId);
  const plan = await withCreateIds(createPlan(file, organization, { baseUrl, createdAt, path, prune, base }));
  return { plan, findName: collectNames(plan, organization) };
}
