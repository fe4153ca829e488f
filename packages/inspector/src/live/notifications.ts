import { useEffect } from 'preact/hooks';
import type { AuditEntry, Notification } from '../control-api/types.ts';
import { shareControl } from './resource.ts';

const log = shareControl<{ readonly notifications: readonly Notification[] }>('notifications', [
  'operation',
  'sandbox',
]);

/** The notification of a change, if it notified somebody. */
export function useNotification({ operationId, recordId }: AuditEntry): Notification | undefined {
  useEffect(log.follow, []);
  return log.loaded.value.data?.notifications.findLast(
    ({ automationId, accountId, userId, ...notification }) =>
      notification.operationId === operationId && (automationId ?? `${accountId}/${userId}`) === recordId,
  );
}
