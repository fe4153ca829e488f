import { configurationResources, declares, operations, type RequestKind, requestKinds } from '@orgchat/spec';
import { findPath } from '../http/known-paths.ts';
import { invalid, unknownKey } from '../input-checks/control-error.ts';
import { listAlternatives, narrowKinds, type Unreachable } from '../input-checks/narrow-kinds.ts';
import type { Organization } from '../records/organization.ts';
import type { DecidingWorld } from '../why/cause.ts';
import { findDeletion } from '../why/record-author.ts';
import { type Criteria, compareRequest } from './compare-request.ts';
import type { RequestLog } from './request-log.ts';
import { explainContradiction, explainValidBody } from './unmatchable-body.ts';

/** What judging a verification needs of a world. */
export interface VerifiedWorld extends Pick<DecidingWorld, 'audit' | 'rivalDeletions'> {
  readonly requestLog: RequestLog;
  readonly keys: { get(key: string): object | undefined };
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly faults: { readonly statuses: ReadonlySet<number> };
  listKeys(): readonly { readonly name: string }[];
}

/**
 * Throws a `ControlError` 400 if no request can ever match: such a verification would say nothing, and pass if no request
 * is expected. What only requests that are refused can have is accepted if one in the log has it.
 */
export function requireMatchable(world: VerifiedWorld, filter: Criteria): void {
  const kinds = findKinds(world, filter);
  const problem =
    explainContradiction(filter, kinds) ??
    explainStatus(world, filter, kinds) ??
    explainApplied(world, filter, kinds) ??
    explainValidBody(filter, kinds) ??
    explainRecord(world, filter, kinds);
  if (problem !== undefined) refuse(problem);
  requireKnownNames(world, filter);
}

/** The kinds of requests that a filter selects. Throws if there are none. */
function findKinds(world: VerifiedWorld, filter: Criteria): readonly RequestKind[] {
  const { operation, action, resource, applied, status } = filter;
  const ofPath = narrowByPath(filter);
  const { kinds, unreachable } = narrowKinds(ofPath, filter, listRestrictions(filter));
  if (unreachable === undefined) return kinds;
  // A request that is refused may name any resource.
  const anyResource = narrowKinds(ofPath, { operation, action }, listRestrictions(filter));
  const isRefused = applied !== true && (status === undefined || status >= 400);
  if (anyResource.unreachable === undefined && isRefused && mayHave(world, { operation, action, resource }))
    return anyResource.kinds;
  return refuse(unreachable);
}

function refuse({ path, message }: Unreachable): never {
  throw invalid(`${path} ${message}. No request can match, so the verification would say nothing.`);
}

/** Whether a kept request has these fields, or a dropped one may have had them. */
function mayHave({ requestLog }: VerifiedWorld, criteria: Criteria): boolean {
  if (requestLog.dropped.entries > 0) return true;
  return requestLog
    .list()
    .some((trace) => trace.isRequest && compareRequest(trace, criteria).differences.length === 0);
}

/** The kinds of requests with the path, the site or the operationId. */
function narrowByPath({ path, siteId, operationId }: Criteria): readonly RequestKind[] {
  const endpoint = path === undefined ? undefined : findPath(path)?.route.endpoint;
  return requestKinds.filter(
    ({ operation }) =>
      (endpoint === undefined || operation === endpoint) &&
      (siteId === undefined || operation === 'addSeoKeywords') &&
      (operationId === undefined || operation === 'changeChat'),
  );
}

const listRestrictions = ({ path, siteId, operationId }: Criteria): string[] =>
  Object.entries({ path, siteId, operationId })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);

const successes = new Set<number>(Object.values(operations).map(({ success }) => success));

function explainStatus(
  world: VerifiedWorld,
  { status, operation, action, resource, siteId, path }: Criteria,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  if (status === undefined) return undefined;
  const endpoints = [...new Set(kinds.map((kind) => kind.operation))];
  if (endpoints.some((name) => declares(name, status))) return undefined;
  // A request whose path or method is unknown belongs to no operation.
  const isAnyRequest = [operation, action, resource, siteId].every((criterion) => criterion === undefined);
  if (isAnyRequest && [404, 405, 410].includes(status)) return undefined;
  const isOfFault = status >= 200 && status <= 599 && !successes.has(status);
  const criteria = { status, operation, action, resource, siteId, path };
  if (isOfFault && (world.faults.statuses.has(status) || mayHave(world, criteria))) return undefined;
  const declared = endpoints.flatMap((name) => [operations[name].success, ...operations[name].errors]);
  const known = [...new Set(declared)].sort((a, b) => a - b);
  return {
    path: 'status',
    message: `must be ${listAlternatives(known.map(String))}: no request gets ${status}`,
  };
}

/** Whether a request that changed something may have a status: a fault or a data file may have lost the success. */
const mayBeApplied = ({ faults }: VerifiedWorld, status: number): boolean =>
  [200, 201, 500, 502].includes(status) || faults.statuses.has(status);

function explainApplied(
  world: VerifiedWorld,
  { applied, status }: Criteria,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  if (applied !== true) return undefined;
  const writes = kinds.filter(({ operation }) => operations[operation].scope === 'write');
  if (writes.length === 0) return { path: 'applied', message: 'is true only for changes and keyword writes' };
  if (status !== undefined && !mayBeApplied(world, status))
    return { path: 'status', message: `is ${status}, and a request with this status changes nothing` };
  return undefined;
}

/** Explains an id that no record has or had. Only an applied change has a record. */
function explainRecord(
  world: VerifiedWorld,
  { recordId, applied, status }: Criteria,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  if (recordId === undefined) return undefined;
  if (!kinds.some(({ operation }) => operation === 'changeChat'))
    return { path: 'recordId', message: 'can only be set for changes' };
  if (applied === false) return { path: 'recordId', message: 'can only be set for requests that changed it' };
  if (status !== undefined && !mayBeApplied(world, status))
    return {
      path: 'recordId',
      message: `cannot be set together with status ${status}, which changes nothing`,
    };
  const id = recordId.toLowerCase();
  const resources = findResources(world, id);
  if (resources.length > 0) {
    const changed = kinds.filter(({ operation }) => operation === 'changeChat');
    if (changed.some(({ resource }) => resources.some((own) => own === resource))) return undefined;
    return {
      path: 'recordId',
      message: `is of ${resources.join(' and ')}, and the requests are for ${listAlternatives(changed.map(({ resource }) => resource))}`,
    };
  }
  if (findDeletion(world, id) !== undefined || world.rivalDeletions.get(id) !== undefined) return undefined;
  if (mayHave(world, { recordId })) return undefined;
  return { path: 'recordId', message: 'must be the id of a record, or accountId/userId of a friend' };
}

/** The resources of the records that have an id now. */
function findResources({ organizations }: VerifiedWorld, id: string): string[] {
  const [accountId = '', userId] = id.split('/');
  const found = [...organizations.values()].flatMap((organization): string[] => {
    const { configurations, children } = organization.stored;
    if (userId !== undefined)
      return organization.friend(accountId, userId.replace(/^u/, 'U')) === undefined ? [] : ['friends'];
    const isAutomation = [...children.automations.values()].some((automation) => automation.id === id);
    return [
      ...configurationResources.filter((resource) => configurations[resource].get(id) !== undefined),
      ...(isAutomation ? ['friend-automations'] : []),
    ];
  });
  return [...new Set(found)];
}

/** Refuses a key, a site or a path that the mock does not have, unless a request used it. */
function requireKnownNames(world: VerifiedWorld, { key, siteId, path }: Criteria): void {
  if (key !== undefined && world.keys.get(key) === undefined && !mayHave(world, { key }))
    throw unknownKey(world);
  if (siteId !== undefined) {
    const sites = [...world.organizations.values()].flatMap(({ sites: own }) => [...own.keys()]);
    if (!sites.includes(siteId) && !mayHave(world, { siteId }))
      refuse({
        path: 'siteId',
        message: `must be the id of a site of this mock: ${sites.join(', ') || 'none'}`,
      });
  }
  const ofPath = path === undefined ? undefined : findPath(path)?.route;
  if (siteId !== undefined && ofPath?.siteId !== undefined && ofPath.siteId !== siteId)
    refuse({ path: 'siteId', message: `must be ${ofPath.siteId}, the site of path` });
  if (path !== undefined && ofPath === undefined && !mayHave(world, { path })) {
    const paths = Object.values(operations).map((operation) => operation.path);
    refuse({ path: 'path', message: `must be a path below the base URL, ${listAlternatives(paths)}` });
  }
}
