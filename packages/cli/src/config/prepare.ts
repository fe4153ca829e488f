import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { readBase } from './base.ts';
import type { ConfigFile } from './file/read.ts';
import { organizationIdOf, readOrganization } from './organization.ts';
import { withCreateIds } from './plan/create-ids.ts';
import type { Plan } from './plan/document.ts';
import { makePlan } from './plan/make.ts';
import { namesIn } from './plan/print.ts';
import type { NameOf } from './plan/print-change.ts';

/** A plan, and what its ids are called. */
export interface Prepared {
  readonly plan: Plan;
  readonly nameOf: NameOf;
}

/** What is kept for a file is kept under its whole path; standard input has none. */
export const pathOf = (name: string): string | null => (name === '-' ? null : resolve(name));

/** Reads both sides and plans. */
export async function prepare(context: Context, file: ConfigFile, prune: boolean): Promise<Prepared> {
  const { baseUrl } = (await context.connect()).target;
  const createdAt = new Date().toISOString();
  const organizationId = await organizationIdOf(context);
  const path = pathOf(file.name);
  // What is known must not be newer than what is read.
  const base = path === null ? undefined : await readBase({ file: path, baseUrl, organizationId });
  const organization = await readOrganization(context, organizationId);
  const plan = await withCreateIds(makePlan(file, organization, { baseUrl, createdAt, path, prune, base }));
  return { plan, nameOf: namesIn(plan, organization) };
}
