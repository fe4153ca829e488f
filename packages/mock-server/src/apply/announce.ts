import type { RecordEvent } from '../events/event-types.ts';
import type { Entry } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import type { RequestContext } from '../request/context.ts';
import type { World } from '../world/world.ts';

/* Events about records that the entry of a request does not name. */

/** Says that a request added a keyword to a site. */
export function announceKeyword(
  { world, caller, trace }: RequestContext,
  siteId: string,
  keyword: string,
): void {
  world.events?.add('record', {
    organizationId: caller.organization.id,
    resource: 'keywords',
    id: `${siteId}/${keyword}`,
    action: 'created',
    revision: null,
    by: 'request',
    requestId: trace.requestId,
    keyName: caller.key.name,
  });
}

/** Who changed a record that is not the record of a request. */
export interface EditSource {
  readonly by: RecordEvent['by'];
  /** The request in which it happened. */
  readonly requestId: string | null;
}

/** A call of the control API. */
export const byControl: EditSource = { by: 'control', requestId: null };

/** Says that a record was changed or deleted that the entry of a request does not name. */
export function announceEdit(
  world: World,
  organization: Organization,
  resource: string,
  { id, revision }: Pick<Entry, 'id' | 'revision'>,
  { by, requestId }: EditSource,
  action: 'changed' | 'deleted' = 'changed',
): void {
  const event: RecordEvent = {
    organizationId: organization.id,
    resource,
    id,
    action,
    revision: revision === '' || action === 'deleted' ? null : revision,
    by,
    requestId,
    keyName: null,
  };
  world.events?.add('record', event);
}
