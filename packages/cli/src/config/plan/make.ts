import { type ConfigurationResource, deletableResources } from '@orgchat/spec';
import type { Base } from '../base.ts';
import { type Problem, unfitFile } from '../file/problems.ts';
import type { ConfigFile, Wanted } from '../file/read.ts';
import { linkIdsIn } from '../file/references.ts';
import { creationOrder } from '../order.ts';
import type { Held, Organization } from '../organization.ts';
import { compare, fieldsOf, weightiest } from './compare.ts';
import { breakCycles } from './cycles.ts';
import { type Plan, planFormat, type Step } from './document.ts';
import { History } from './history.ts';
import { type Matches, match } from './match.ts';
import { Resolver } from './resolve.ts';

export interface PlanOptions {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The whole path of the file; null for standard input. */
  readonly path: string | null;
  readonly prune: boolean;
  readonly base: Base | undefined;
}

const rank = (resource: ConfigurationResource): number => creationOrder.indexOf(resource);
const isDeletable = (resource: ConfigurationResource): boolean =>
  deletableResources.some((known) => known === resource);

/** What is to be done so that the organization is what the file says; throws what keeps that from being decided. */
export function makePlan(file: ConfigFile, organization: Organization, options: PlanOptions): Plan {
  const { matches, problems } = match(file, organization);
  const records = file.records.toSorted((one, another) => rank(one.resource) - rank(another.resource));
  const keys = new Map(records.map((wanted, index) => [wanted, String(index + 1)]));
  const keyOf = (wanted: Wanted): string => keys.get(wanted) ?? '';
  const resolver = new Resolver(organization, matches, keyOf, options.prune);
  const history = new History(options.base, organization);
  for (const wanted of records) {
    if (matches.of.get(wanted) === undefined) history.makes(wanted, keyOf(wanted));
  }
  const steps: Step[] = [];
  const unchanged: Plan['unchanged'] = [];
  for (const wanted of records) {
    const { resource, label } = wanted;
    const { data, gone } = resolver.data(wanted);
    const held = matches.of.get(wanted);
    const begun = { key: keyOf(wanted), resource, label, data };
    if (held === undefined) steps.push({ ...begun, action: 'create', ...history.ofNew(wanted, data) });
    else {
      const fields = compare(held.data, data, history.before(resource, held.id));
      const origin = weightiest(fields.map((field) => field.origin));
      if (fields.length === 0) unchanged.push({ resource, id: held.id, label: held.label, data });
      else {
        problems.push(...gone);
        const operationId = crypto.randomUUID();
        steps.push({ ...begun, operationId, action: 'update', ...guardOf(held), origin, fields });
      }
    }
  }
  const found: Problem[] = [...problems, ...resolver.problems];
  if (found.length > 0) throw unfitFile(file.name, found);
  const deletions = options.prune ? deletionsOf(matches, history) : [];
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
    others: matches.others
      .filter(({ id }) => !deleted.has(id))
      .map(({ resource, id, label, data }) => ({
        resource,
        id,
        label,
        origin: history.ofLeftOut(resource, id, data),
      })),
    gone: history.gone(file.resources).filter(({ id }) => !replaced.has(id)),
    warnings: strayLinks(steps, organization),
  };
}

const guardOf = ({ id, revision, label }: Held) => ({
  id,
  expectedRevision: revision,
  expectedLabel: label,
});

/** What refers to others goes before what it refers to; the newest of a resource first. */
function deletionsOf(matches: Matches, history: History): Step[] {
  return matches.others
    .filter(({ resource }) => isDeletable(resource))
    .toReversed()
    .toSorted((one, another) => rank(another.resource) - rank(one.resource))
    .map((held, index) => {
      const { resource, id, label, data } = held;
      const origin = history.ofLeftOut(resource, id, data);
      return {
        key: `delete-${index + 1}`,
        operationId: crypto.randomUUID(),
        action: 'delete',
        resource,
        label,
        ...guardOf(held),
        origin,
        fields: fieldsOf(data, origin, (value) => ({ from: value, to: null })),
      };
    });
}

/** The API takes a placeholder whatever link it names (D62), so nobody else would say that it leads nowhere. */
function strayLinks(steps: readonly Step[], { records }: Organization): string[] {
  const links = new Set(records.links.map(({ id }) => id));
  return steps.flatMap(({ resource, label, data }) =>
    [...new Set(linkIdsIn(data))]
      .filter((id) => !links.has(id))
      .map((id) => `${resource} "${label}" has {link:${id}}, and this organization has no link of that id`),
  );
}
