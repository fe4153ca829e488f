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

/** Says that another editor changed a record: a rival that a fault played, or a call of the control API. */
export function announceEdit(
  world: World,
  organization: Organization,
  resource: string,
  { id, revision }: Pick<Entry, 'id' | 'revision'>,
  requestId?: string,
): void {
  const event: RecordEvent = {
    organizationId: organization.id,
    resource,
    id,
    action: 'changed',
    revision: revision === '' ? null : revision,
    by: requestId === undefined ? 'control' : 'rival-edit',
    requestId: requestId ?? null,
    keyName: null,
  };
  world.events?.add('record', event);
}
