import { momentOf } from '../clock.ts';
import type { Notification } from '../world.ts';
import type { Scene } from './plan.ts';

type What = Pick<Notification, 'kind' | 'addedTagIds' | 'removedTagIds' | 'scenarioId' | 'automationId'>;

/** Records a notification that the service may send; the mock sends none (D92). */
export function notify(scene: Scene, friend: { accountId: string; userId: string }, what: What): void {
  const { world, caller, operationId, now } = scene;
  const notification: Notification = {
    id: world.notifications.size + 1,
    at: momentOf(now),
    organizationId: caller.organization.id,
    operationId,
    accountId: friend.accountId,
    userId: friend.userId,
    ...what,
  };
  world.notifications.set(notification.id, notification);
  world.recorder?.('notification', '', String(notification.id), notification);
}
