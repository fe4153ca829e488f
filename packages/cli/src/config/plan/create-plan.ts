import { type ConfigurationResource, deletableResources } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { creationOrder } from '../creation-order.ts';
import { type Problem, unresolvableFileError } from '../file/problems.ts';
import type { ConfigFile, FileRecord } from '../file/read-config.ts';
import { findLinkIds } from '../file/references.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { SyncBase } from '../sync-base.ts';
import { breakCycles } from './break-cycles.ts';
import { compare, createFieldChanges } from './compare-data.ts';
import { type Matches, matchRecords } from './match-records.ts';
import { strongestOrigin } from './origin.ts';
import { OriginFinder } from './origin-finder.ts';
import { type Plan, planFormat, type Step } from './plan-schema.ts';
import { ReferenceResolver } from './resolve-references.ts';

export interface CreatePlanOptions {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The absolute path of the file; null for standard input. */
  readonly path: string | null;
  readonly prune: boolean;
  readonly base: SyncBase | undefined;
}

const rank = (resource: ConfigurationResource): number => creationOrder.indexOf(resource);
const isDeletable = (resource: ConfigurationResource): boolean =>
  deletableResources.some((known) => known === resource);

/** Plans the steps that make the organization match the file. Throws an error with all problems. */
export function createPlan(file: ConfigFile, organization: Organization, options: CreatePlanOptions): Plan {
  const { matches, problems } = matchRecords(file, organization);
  const records = file.records.toSorted((one, another) => rank(one.resource) - rank(another.resource));
  const keys = new Map(records.map((wanted, index) => [wanted, String(index + 1)]));
  const getStepKey = (wanted: FileRecord): string => keys.get(wanted) ?? '';
  const resolver = new ReferenceResolver(organization, matches, getStepKey, options.prune);
  const origins = new OriginFinder(options.base, organization);
  for (const fileRecord of records) {
    if (matches.remoteRecords.get(fileRecord) === undefined)
      origins.recordSuccessor(fileRecord, getStepKey(fileRecord));
  }
  const steps: Step[] = [];
  const unchanged: Plan['unchanged'] = [];
  for (const fileRecord of records) {
    const { resource, label } = fileRecord;
    const { data, gone } = resolver.resolveData(fileRecord);
    const remote = matches.remoteRecords.get(fileRecord);
    const common = { key: getStepKey(fileRecord), resource, label, data };
    if (remote === undefined)
      steps.push({ ...common, action: 'create', ...origins.originOfNew(fileRecord, data) });
    else {
      const fields = compare(resource, remote.data, data, origins.getBaseData(resource, remote.id));
      const origin = strongestOrigin(fields.map((field) => field.origin));
      if (fields.length === 0) unchanged.push({ resource, id: remote.id, label: remote.label, data });
      else {
        problems.push(...gone);
        const operationId = crypto.randomUUID();
        steps.push({ ...common, operationId, action: 'update', ...createGuard(remote), origin, fields });
      }
    }
  }
  const found: Problem[] = [...problems, ...resolver.problems];
  if (found.length > 0) throw unresolvableFileError(file.name, found);
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
    warnings: warnOfUnknownLinks(steps, organization),
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
