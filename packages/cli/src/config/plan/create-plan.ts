import { type CreateOnceInput, createOperationId } from '@orgchat/sdk/internal';
import { type ConfigurationResource, deletableResources, labelFields } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { isSimilarLabel } from '../../resources/similar-labels.ts';
import { type Problem, unresolvableFileError } from '../file/problems.ts';
import type { ConfigFile } from '../file/read-config.ts';
import { findLinkIds } from '../file/references.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { SyncBase } from '../sync-base.ts';
import { breakCycles } from './break-cycles.ts';
import { createFieldChanges } from './compare-data.ts';
import { compareRecords, type OriginFinder, rank } from './compare-records.ts';
import type { Matches } from './match-records.ts';
import { findRequiredSteps, type Plan, planFormat, type Step } from './plan-schema.ts';

export interface CreatePlanOptions {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The absolute path of the file; null for standard input. */
  readonly path: string | null;
  readonly prune: boolean;
  readonly base: SyncBase | undefined;
}

/** A record of the file or of the organization. */
interface Labeled {
  readonly resource: ConfigurationResource;
  readonly id: string | undefined;
  readonly label: string;
}

const isDeletable = (resource: ConfigurationResource): boolean =>
  deletableResources.some((known) => known === resource);

/** Plans the steps that make the organization match the file. Throws an error with all problems. */
export function createPlan(file: ConfigFile, organization: Organization, options: CreatePlanOptions): Plan {
  const { matches, origins, records } = compareRecords(file, organization, options);
  const steps: Step[] = [];
  const unchanged: Plan['unchanged'] = [];
  const problems: Problem[] = [...matches.ambiguous.values()];
  const warnings: string[] = [];
  for (const record of records) {
    const { key, remote, data, fields, origin, formerId } = record;
    const { resource, label } = record.fileRecord;
    problems.push(...record.problems, ...record.renamed);
    const common = { key, resource, label, data, origin, fields: [...fields] };
    if (remote === undefined)
      steps.push({ ...common, action: 'create', ...(formerId !== undefined && { formerId }) });
    else if (fields.length === 0) unchanged.push({ resource, id: remote.id, label: remote.label, data });
    else {
      warnings.push(...record.gone.map(({ message }) => `${message}; the reference is kept`));
      steps.push({ ...common, operationId: crypto.randomUUID(), action: 'update', ...createGuard(remote) });
    }
  }
  if (problems.length > 0) throw unresolvableFileError(file.name, problems);
  const deletions = options.prune ? planDeletions(matches, origins) : [];
  const deleted = new Set(deletions.map(({ id }) => id));
  const replaced = new Set(steps.map(({ formerId }) => formerId));
  return {
    format: planFormat,
    version: 2,
    baseUrl: options.baseUrl,
    organizationId: organization.id,
    file: options.path,
    createdAt: options.createdAt,
    base: options.base?.stamp ?? null,
    resources: [...file.resources],
    steps: [...breakCycles(steps), ...deletions],
    unchanged,
    unmanaged: matches.unmanaged
      .filter(({ id }) => !deleted.has(id))
      .map(({ resource, id, label, data }) => ({
        resource,
        id,
        label,
        origin: origins.originOfRemoved(resource, id, data),
      })),
    gone: origins.findDeletedOnBothSides(file.resources).filter(({ id }) => !replaced.has(id)),
    warnings: [
      ...new Set(warnings),
      ...warnOfUnknownLinks(steps, organization),
      ...warnOfSimilarLabels(steps, [
        ...file.records,
        ...matches.unmanaged.filter(({ id }) => !deleted.has(id)),
      ]),
    ],
  };
}

const createGuard = ({ id, revision, expectedLabel }: RemoteRecord) => ({
  id,
  expectedRevision: revision,
  expectedLabel,
});

/** Plans deletions. Records are deleted before the records they refer to, and the newest first. */
function planDeletions(matches: Matches, origins: OriginFinder): Step[] {
  return matches.unmanaged
    .filter(({ resource }) => isDeletable(resource))
    .toReversed()
    .toSorted((one, another) => rank(another.resource) - rank(one.resource))
    .map((remote, index) => {
      const { resource, id, label, data } = remote;
      const origin = origins.originOfRemoved(resource, id, data);
      return {
        key: `delete-${index + 1}`,
        operationId: crypto.randomUUID(),
        action: 'delete',
        resource,
        label,
        ...createGuard(remote),
        origin,
        fields: createFieldChanges(data, origin, (value) => ({ from: value, to: null })),
      };
    });
}

/** The API accepts a placeholder with any link id (D62), so only this warning reports a missing link. */
function warnOfUnknownLinks(steps: readonly Step[], { records }: Organization): string[] {
  const links = new Set(records.links.map(({ id }) => id));
  return steps.flatMap(({ resource, label, data }) =>
    [...new Set(findLinkIds(data))]
      .filter((id) => !links.has(id))
      .map(
        (id) =>
          `${singularNames[resource]} "${label}" refers to {link:${id}}, but the organization has no link with this id`,
      ),
  );
}

/** Two records whose names look the same are mostly one record, of which somebody typed the name in another way. */
function warnOfSimilarLabels(steps: readonly Step[], all: readonly Labeled[]): string[] {
  const warned = new Set<string>();
  return steps.flatMap(({ action, resource, label, fields }) => {
    const isNamed = action === 'create' || fields.some(({ path }) => path === labelFields[resource]);
    const other = isNamed
      ? all.find((one) => one.resource === resource && isSimilarLabel(one.label, label))
      : undefined;
    const pair = [resource, ...[label, other?.label].toSorted()].join('\n');
    if (other === undefined || warned.has(pair)) return [];
    warned.add(pair);
    const what = singularNames[resource];
    const id = other.id === undefined ? '' : ` (${other.id})`;
    return [
      `${what} "${label}" and ${what} "${other.label}"${id} are different records: only letter case, width or invisible characters differ`,
    ];
  });
}

/**
 * Adds the operation ids of creates. The id of a create is derived from its data, so it is unknown while the data
 * refers to a record of another step.
 */
export async function withCreateIds(plan: Plan): Promise<Plan> {
  const { organizationId } = plan;
  const withId = async (step: Step): Promise<Step> => {
    if (step.action !== 'create' || findRequiredSteps(step).length > 0) return step;
    const { resource, label, data } = step;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    return { ...step, operationId: await createOperationId(input, 0) };
  };
  return { ...plan, steps: await Promise.all(plan.steps.map(withId)) };
}
