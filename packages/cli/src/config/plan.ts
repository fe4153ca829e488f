import { type ConfigurationResource, configurationResources, deletableResources } from '@orgchat/spec';
import * as z from 'zod';
import { invalidInput } from '../failure.ts';
import type { Base } from './base.ts';
import { compare } from './compare.ts';
import { type ConfigFile, type Problem, problemsFailure, type Wanted } from './file.ts';
import { match } from './match.ts';
import { breakCycles } from './menus.ts';
import { creationOrder } from './order.ts';
import type { Organization } from './organization.ts';
import { Resolver } from './resolve.ts';
import { type Step, step } from './step.ts';

const other = z.object({
  resource: z.enum(configurationResources),
  id: z.string(),
  label: z.string(),
  /** In the base, so taken out of the file; else somebody made it. */
  origin: z.enum(['file', 'drift', 'unknown']),
});

export const planShape = z.object({
  format: z.literal('orgchat-plan'),
  version: z.literal(1),
  baseUrl: z.string(),
  organizationId: z.string(),
  file: z.string(),
  createdAt: z.string(),
  steps: z.array(step),
  unchanged: z.number(),
  /** In the organization and not in the file, and left alone. */
  others: z.array(other),
});
export type Plan = z.output<typeof planShape>;

export interface PlanOptions {
  readonly baseUrl: string;
  readonly prune: boolean;
  readonly base: Base | undefined;
}

/** What is to be done so that the organization is what the file says; throws what keeps that from being decided. */
export function makePlan(
  file: ConfigFile,
  organization: Organization,
  { baseUrl, prune, base }: PlanOptions,
): Plan {
  const { matches, problems } = match(file, organization);
  const keys = new Map(file.records.map((wanted, index) => [wanted, String(index + 1)]));
  const resolver = new Resolver(organization, matches, (wanted) => keys.get(wanted) ?? '', prune);
  const steps: Step[] = [];
  let unchanged = 0;
  for (const wanted of ordered(file.records)) {
    const { resource, label } = wanted;
    const resolved = resolver.data(wanted);
    const held = matches.of.get(wanted);
    const key = keys.get(wanted) ?? '';
    const common = { key, operationId: crypto.randomUUID(), resource, label, data: resolved };
    if (held === undefined) steps.push({ ...common, action: 'create', fields: [] });
    else {
      const fields = compare(held.data, resolved, base?.dataOf(resource, held.id));
      if (fields.length === 0) unchanged++;
      else {
        const guard = { id: held.id, expectedRevision: held.revision, expectedLabel: held.label };
        steps.push({ ...common, ...guard, action: 'update', fields });
      }
    }
  }
  const found: Problem[] = [...problems, ...resolver.problems];
  if (found.length > 0) throw problemsFailure(file.name, found);
  const others = matches.others.map(({ resource, id, label, revision }) => ({
    resource,
    id,
    label,
    revision,
  }));
  const deleted = prune ? others.filter(({ resource }) => isDeletable(resource)).toReversed() : [];
  const deletions = deleted.toSorted((one, another) => rank(another.resource) - rank(one.resource));
  return {
    format: 'orgchat-plan',
    version: 1,
    baseUrl,
    organizationId: organization.id,
    file: file.name,
    createdAt: new Date().toISOString(),
    steps: [
      ...breakCycles(steps),
      ...deletions.map(({ resource, id, label, revision }, index): Step => {
        const guard = { id, expectedRevision: revision, expectedLabel: label };
        return {
          key: `delete-${index + 1}`,
          operationId: crypto.randomUUID(),
          action: 'delete',
          resource,
          label,
          ...guard,
          fields: [],
        };
      }),
    ],
    unchanged,
    others: others
      .filter((one) => !deleted.includes(one))
      .map(({ revision: _, ...one }) => ({ ...one, origin: originOf(base, one) })),
  };
}

const rank = (resource: ConfigurationResource): number => creationOrder.indexOf(resource);
const isDeletable = (resource: ConfigurationResource): boolean =>
  deletableResources.some((known) => known === resource);

const ordered = (records: readonly Wanted[]): Wanted[] =>
  records.toSorted((one, another) => rank(one.resource) - rank(another.resource));

function originOf(base: Base | undefined, { resource, id }: { resource: ConfigurationResource; id: string }) {
  if (base === undefined) return 'unknown' as const;
  return base.dataOf(resource, id) === undefined ? ('drift' as const) : ('file' as const);
}

/** A saved plan, or undefined where the document is something else. */
export function asPlan(document: unknown, name: string): Plan | undefined {
  if ((document as { format?: unknown } | null)?.format !== 'orgchat-plan') return undefined;
  const read = planShape.safeParse(document);
  if (read.success) return read.data;
  throw invalidInput(
    `${name} is a plan of another version, or was changed by hand.`,
    'Make it anew: orgchat config plan',
  );
}
