import { deletableResources } from '@orgchat/spec';
import { parseEdit } from '../inject/edit-shapes.ts';
import type { FaultOf } from './schema.ts';

/** Whether a rival can edit records of a resource as a fault says, or delete them. */
export function canRivalEdit(
  { data, delete: isDeletion }: Pick<FaultOf<'rival-edit'>, 'data' | 'delete'>,
  resource: string | undefined,
): boolean {
  if (isDeletion === true) return deletableResources.some((name) => name === resource);
  return data === undefined || parseEdit(resource, data) !== undefined;
}
