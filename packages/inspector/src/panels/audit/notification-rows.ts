import type { Notification, RequestEntry } from '../../control-api/types.ts';
import { splitSentences } from '../requests/request-words.ts';

/** A row of the panel: a notification with its request, or a request that notified nobody. */
export type NotificationRow =
  | {
      readonly key: string;
      readonly at: string;
      readonly notification: Notification;
      readonly request: RequestEntry | undefined;
    }
  | {
      readonly key: string;
      readonly at: string;
      readonly notification?: undefined;
      readonly request: RequestEntry;
    };

/** The actions that can notify, with the decision that says why an applied one did not. */
const silentDecisions: Readonly<Record<string, string>> = {
  'set-friend-tags': 'D92',
  'enroll-scenario': 'D61',
};

/** Whether a request succeeded that could notify, and did not: it repeats a change, or nothing is new. */
export function isSilent({ action, applied, replayOf, decidedBy }: RequestEntry): boolean {
  const decision = silentDecisions[action ?? ''];
  if (decision === undefined) return false;
  return replayOf !== null || (applied && decidedBy.decision === decision);
}

/** Why a request notified nobody, in one sentence. */
export function describeSilence({ replayOf, decidedBy }: RequestEntry): string {
  if (replayOf !== null) return `a replay of ${replayOf} changes nothing`;
  const [first = ''] = splitSentences(decidedBy.because);
  // Names have the quotes that they have in the other rows.
  return first
    .replace(/\.$/, '')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, name: string) => `“${name.replaceAll('\\"', '"')}”`);
}

/** Finds the request of each notification. The record is compared too: operationIds of organizations may be equal. */
const toCauseKey = (operationId: string | null, recordId: string | null): string =>
  `${operationId} ${recordId}`;

/** All rows, newest first. */
export function toNotificationRows(
  notifications: readonly Notification[],
  requests: readonly RequestEntry[],
): NotificationRow[] {
  const causes = new Map(
    requests
      .filter(({ applied }) => applied)
      .map((entry) => [toCauseKey(entry.operationId, entry.recordId), entry]),
  );
  const rows: NotificationRow[] = [
    ...notifications.map((notification) => {
      const { id, at, operationId, automationId, accountId, userId } = notification;
      const request = causes.get(toCauseKey(operationId, automationId ?? `${accountId}/${userId}`));
      return { key: String(id), at, notification, request };
    }),
    ...requests
      .filter(isSilent)
      .map((request) => ({ key: request.requestId, at: request.receivedAt, request })),
  ];
  return rows.sort((a, b) => b.at.localeCompare(a.at) || (b.request?.id ?? 0) - (a.request?.id ?? 0));
}
