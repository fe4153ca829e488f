import type { Notification } from '../generated/public-types.ts';
import { findOrganization } from '../input-checks/find-organization.ts';
import type { Operation } from '../operations/lifecycle.ts';
import type { Organization } from '../records/organization.ts';
import { getRecordName } from '../request-log/record-name.ts';
import { findDeletion } from '../why/record-author.ts';
import type { World } from '../world/world.ts';

/* Lists of ids with the names of what these stand for. */

/** A change operation in a list: with the result of its stored answer instead of its input. */
export type ListedOperation = Omit<Operation, 'input' | 'answer'> & {
  readonly recordName: string | null;
  readonly auditRecorded: boolean | null;
  readonly result: unknown;
};

/** The operations of an organization. The audit log has the names of deleted records too. */
export function listOperations(world: World, query: unknown): ListedOperation[] {
  const organization = findOrganization(world, query);
  const names = new Map<string, string | null>();
  for (const { organizationId, operationId, recordName } of world.audit.values())
    if (organizationId === organization.id) names.set(operationId, recordName);
  return organization.operations().map(({ answer, input: _, ...shown }) => {
    const result: unknown = answer === undefined ? null : JSON.parse(answer.result);
    const recordName = names.get(shown.operationId) ?? getRecordName(result) ?? null;
    return { ...shown, recordName, auditRecorded: answer?.auditRecorded ?? null, result };
  });
}

/** A notification in a list, with names. What was deleted since has the name that the audit log has. */
export interface ListedNotification extends Notification {
  readonly friendName: string | null;
  readonly addedTagNames?: (string | null)[];
  readonly removedTagNames?: (string | null)[];
  readonly scenarioName?: string | null;
  /** The ids of its tags and its scenario that do not exist any more. */
  readonly deletedIds: readonly string[];
}

/** A notification with the names that its friend, its tags and its scenario have now, or had when they were deleted. */
export function nameNotification(world: World, notification: Notification): ListedNotification {
  const { organizationId, accountId, userId, addedTagIds, removedTagIds, scenarioId } = notification;
  const organization = world.organizations.get(organizationId);
  const nameTags = (ids: readonly string[]): (string | null)[] =>
    ids.map((id) => findLabel(organization, 'tags', id) ?? findDeletion(world, id)?.recordName ?? null);
  const tagIds = [...(addedTagIds ?? []), ...(removedTagIds ?? [])];
  const deletedTags = tagIds.filter((id) => findLabel(organization, 'tags', id) === null);
  const scenarioLabel = scenarioId === undefined ? null : findLabel(organization, 'scenarios', scenarioId);
  return {
    ...notification,
    friendName: organization?.friend(accountId, userId)?.label ?? null,
    ...(addedTagIds !== undefined && { addedTagNames: nameTags(addedTagIds) }),
    ...(removedTagIds !== undefined && { removedTagNames: nameTags(removedTagIds) }),
    ...(scenarioId !== undefined && {
      scenarioName: scenarioLabel ?? findDeletion(world, scenarioId)?.recordName ?? null,
    }),
    deletedIds: [...deletedTags, ...(scenarioId !== undefined && scenarioLabel === null ? [scenarioId] : [])],
  };
}

const findLabel = (
  organization: Organization | undefined,
  resource: 'tags' | 'scenarios',
  id: string,
): string | null => organization?.stored.configurations[resource].get(id)?.label ?? null;
