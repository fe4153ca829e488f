import type { Notification } from '../generated/public-types.ts';
import { toIsoString } from '../primitives/clock.ts';
import type { RequestContext } from '../request/context.ts';

type NotificationContent = Pick<
  Notification,
  'kind' | 'addedTagIds' | 'removedTagIds' | 'scenarioId' | 'automationId'
>;

/** Records a notification that the service may send; the mock sends none (D92). */
export function notify(
  context: RequestContext,
  friend: { accountId: string; userId: string },
  content: NotificationContent,
): void {
  const { world, caller, claim, now } = context;
  const notification: Notification = {
    id: world.notifications.size + 1,
    at: toIsoString(now),
    organizationId: caller.organization.id,
    operationId: claim.operation.operationId,
    accountId: friend.accountId,
    userId: friend.userId,
    ...content,
  };
  world.notifications.set(notification.id, notification);
  world.recorder?.('notification', '', String(notification.id), notification);
}
