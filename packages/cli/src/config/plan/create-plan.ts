import { type CreateOnceInput, createOperationId } from '@orgchat/sdk/internal';
import { type ConfigurationResource, deletableResources, labelFields } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../../args/shell-word.ts';
import { usageError } from '../../errors/cli-error.ts';
import { createSimilarFinder } from '../../resources/similar-labels.ts';
import { type Problem, unresolvableFileError } from '../file/problems.ts';
import type { ConfigFile } from '../file/read-config.ts';
import { creationOrder, findLinkIds } from '../file/references.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { SyncBase } from '../sync-base.ts';
import { findUsers } from '../users.ts';
import { breakCycles } from './break-cycles.ts';
import { createFieldChanges } from './compare-data.ts';
import { type ComparedRecord, compareRecords, type OriginFinder, rank } from './compare-records.ts';
import type { Matches } from './match-records.ts';
import { findRequiredSteps, type Plan, planFormat, type Step } from './plan-schema.ts';

export interface CreatePlanOptions {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The absolute path of the file; null for standard input or a pipe. */
  readonly path: string | null;
  readonly prune: boolean;
  readonly base: SyncBase | undefined;
  /** The values of `--only`. */
  readonly only?: readonly string[] | undefined;
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
  const { only } = options;
  const { matches, selection, origins, records } = compareRecords(file, organization, options);
  const steps: Step[] = [];
  const unchanged: Plan['unchanged'] = [];
  const problems: Problem[] = [...matches.ambiguous]
    .filter(([fileRecord]) => only === undefined || selection.hasFileRecord(fileRecord))
    .map(([, problem]) => problem);
  const selected = records.filter(({ fileRecord }) => selection.hasFileRecord(fileRecord));
  const unmanaged = matches.unmanaged.filter((remote) => selection.hasRemote(remote));
  const warnings: string[] = [];
  for (const record of selected) {
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
  requireSelected(steps, records);
  const deletions = options.prune ? planDeletions(unmanaged, origins, steps, organization) : [];
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
    ...(only && {
      only: [...only],
      others: listOthers(file, organization, [...steps, ...unchanged, ...unmanaged]),
    }),
    steps: [...breakCycles(steps), ...deletions],
    unchanged,
    unmanaged: unmanaged
      .filter(({ id }) => !deleted.has(id))
      .map(({ resource, id, label, data }) => ({
        resource,
        id,
        label,
        origin: origins.originOfRemoved(resource, id, data),
      })),
    // The base of what is not selected stays as it is.
    gone: only ? [] : origins.findDeletedOnBothSides(file.resources).filter(({ id }) => !replaced.has(id)),
    warnings: [
      ...new Set(warnings),
      ...warnOfUnknownLinks(steps, organization),
      ...warnOfSimilarLabels(steps, [
        ...file.records,
        ...matches.unmanaged.filter(({ id }) => !deleted.has(id)),
      ]),
      ...(options.prune ? warnOfSectionsWithoutValue(file) : []),
    ],
  };
}

/** Throws if a step needs a record that the plan does not create, because `--only` does not name it. */
function requireSelected(steps: readonly Step[], records: readonly ComparedRecord[]): void {
  const planned = new Set(steps.map(({ key }) => key));
  const missing = records.filter(({ key }) =>
    steps.some((step) => !planned.has(key) && findRequiredSteps(step).includes(key)),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ fileRecord: { resource, label } }) => `${resource}/${label}`);
  throw usageError(
    `The selected records refer to records that only the file has: ${names.join(', ')}.`,
    `Add them: ${names.map((name) => `--only ${toShellWord(name)}`).join(' ')}`,
    'NOT_SELECTED',
  );
}

/** The records of the organization that are not in the plan: none of them is new when it is applied. */
function listOthers(
  file: ConfigFile,
  { records }: Organization,
  planned: readonly { readonly id?: string | undefined }[],
): Plan['others'] {
  const ids = new Set(planned.map(({ id }) => id));
  return file.resources.flatMap((resource) =>
    records[resource].filter(({ id }) => !ids.has(id)).map(({ id, label }) => ({ resource, id, label })),
  );
}

/** A key without a value may be a list whose entries are all commented out. */
const warnOfSectionsWithoutValue = ({ withoutValue }: ConfigFile): string[] =>
  withoutValue.map(
    (resource) =>
      `${resource} has no value in the file, so none of these records is deleted; to delete all of them, write "${resource}: []"`,
  );

const createGuard = ({ id, revision, expectedLabel }: RemoteRecord) => ({
  id,
  expectedRevision: revision,
  expectedLabel,
});

/** Plans deletions. Records are deleted before the records they refer to, and the newest first. */
function planDeletions(
  unmanaged: Matches['unmanaged'],
  origins: OriginFinder,
  steps: readonly Step[],
  { records }: Organization,
): Step[] {
  const deleted = new Set(unmanaged.map(({ id }) => id));
  const data = new Map(steps.map((step) => [step.id, step.data]));
  // As they are after the plan.
  const remaining = creationOrder.flatMap((resource) =>
    records[resource]
      .filter(({ id }) => !deleted.has(id) || !isDeletable(resource))
      .map((remote) => ({ resource, ...remote, data: data.get(remote.id) ?? remote.data })),
  );
  return unmanaged
    .filter(({ resource }) => isDeletable(resource))
    .toReversed()
    .toSorted((one, another) => rank(another.resource) - rank(one.resource))
    .map((remote, index) => {
      const { resource, id, label, data } = remote;
      const origin = origins.originOfRemoved(resource, id, data);
      const usedBy = findUsers(remote, remaining);
      return {
        key: `delete-${index + 1}`,
        operationId: crypto.randomUUID(),
        action: 'delete',
        resource,
        label,
        ...createGuard(remote),
        origin,
        fields: createFieldChanges(data, origin, (value) => ({ from: value, to: null })),
        ...(usedBy.length > 0 && { usedBy }),
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
  const finders = new Map(
    creationOrder.map((resource) => [
      resource,
      createSimilarFinder(all.filter((one) => one.resource === resource)),
    ]),
  );
  return steps.flatMap(({ action, resource, label, fields }) => {
    const isNamed = action === 'create' || fields.some(({ path }) => path === labelFields[resource]);
    const other = isNamed ? finders.get(resource)?.(label) : undefined;
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
