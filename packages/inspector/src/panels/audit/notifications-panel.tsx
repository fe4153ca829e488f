import { useMemo, useState } from 'preact/hooks';
import { CheckField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { Empty, Load, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import type { Notification, RequestEntry } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { countOf } from '../../text/count.ts';
import { AffectedRecords } from '../records/affected-records.tsx';
import { RecordLink } from '../records/record-link.tsx';
import { describeRequest, describeWithName } from '../requests/request-words.ts';
import { NotificationDetail, SilentDetail } from './notification-detail.tsx';
import { describeSilence, type NotificationRow, toNotificationRows } from './notification-rows.ts';

const columns: readonly Column<NotificationRow>[] = [
  { header: 'Time', width: '6.5rem', narrow: 'end', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'Kind',
    width: '10rem',
    narrow: 'main',
    cell: ({ notification }) =>
      notification === undefined ? <span class="silent">not notified</span> : notification.kind,
  },
  {
    header: 'Friend',
    width: 'minmax(8rem, 1fr)',
    narrow: 'below-end',
    cell: (row) => <Friend of={row} />,
  },
  {
    header: 'What',
    width: 'minmax(8rem, 3fr)',
    narrow: 'below',
    cell: ({ notification, request }) =>
      notification === undefined ? (
        <span class="cut" title={describeSilence(request)}>
          {describeSilence(request)}
        </span>
      ) : (
        <span class="cut">
          <AffectedRecords of={notification} />
        </span>
      ),
  },
  {
    header: 'Caused by',
    width: 'minmax(9rem, 2.5fr)',
    cell: ({ notification, request }) =>
      request === undefined ? (
        <code class="quiet">{notification?.operationId}</code>
      ) : (
        <Cause request={request} />
      ),
  },
];

function Friend({ of: { notification, request } }: { readonly of: NotificationRow }) {
  if (notification === undefined) {
    const { action, recordId, recordName } = request;
    // An enrollment is the record of its request, and has the name of the friend.
    const resource = action === 'set-friend-tags' ? 'friends' : 'friend-automations';
    return <RecordLink resource={resource} id={recordId ?? ''} name={recordName} isShort />;
  }
  const { accountId, userId, friendName } = notification;
  return <RecordLink resource="friends" id={`${accountId}/${userId}`} name={friendName} isShort />;
}

/** What caused a notification: the action and the key. */
const Cause = ({ request }: { readonly request: RequestEntry }) => (
  <span class="cut">
    <a href={toHref('requests', request.requestId)}>{describeRequest(request)}</a>
    <span class="quiet"> by {request.keyName ?? 'an unknown key'}</span>
  </span>
);

export function NotificationsPanel() {
  const list = useControl<{ readonly notifications: readonly Notification[] }>('notifications', [
    'operation',
    'sandbox',
  ]);
  return (
    <Panel
      title="Notifications"
      about="Recorded, never sent. One for each change of a friend’s tags, and one for each new enrollment."
      fill
    >
      <Load from={list}>{({ notifications }) => <NotificationList notifications={notifications} />}</Load>
    </Panel>
  );
}

function NotificationList({ notifications }: { readonly notifications: readonly Notification[] }) {
  const [isSilentShown, setSilentShown] = useState(true);
  const log = requests.value;
  const rows = useMemo(() => toNotificationRows(notifications, log), [notifications, log]);
  const silent = rows.length - notifications.length;
  const shown = useMemo(
    () => (isSilentShown ? rows : rows.filter(({ notification }) => notification !== undefined)),
    [rows, isSilentShown],
  );
  if (rows.length === 0) {
    return (
      <Empty title="No notification yet">
        <p>Change the tags of a friend, or enroll a friend in a scenario.</p>
      </Empty>
    );
  }
  return (
    <SearchableList
      label="Notifications, newest first"
      address={['notifications']}
      rows={shown}
      columns={columns}
      getKey={({ key }) => key}
      getTitle={getTitle}
      getTexts={({ notification, request }) =>
        notification === undefined
          ? [request.action, request.recordName, request.requestId, describeSilence(request)]
          : Object.values(notification)
      }
      placeholder="friend, tag, kind, id …"
      {...(silent > 0 && isSilentShown
        ? { singular: 'change', describeRows: describeNumbers }
        : { singular: 'notification' })}
      filters={
        silent > 0 && (
          <CheckField
            label="Also show changes that notified nobody"
            checked={isSilentShown}
            onInput={setSilentShown}
          />
        )
      }
      detail={(row) =>
        row.notification === undefined ? (
          <SilentDetail request={row.request} />
        ) : (
          <NotificationDetail notification={row.notification} request={row.request} />
        )
      }
    />
  );
}

/** ` · 4 notifications, 2 notified nobody`. */
function describeNumbers(rows: readonly NotificationRow[]): string {
  const silent = rows.filter(({ notification }) => notification === undefined).length;
  return ` · ${countOf(rows.length - silent, 'notification')}, ${silent} notified nobody`;
}

function getTitle({ notification, request }: NotificationRow): string {
  if (notification === undefined) return describeWithName(request);
  const { kind, friendName } = notification;
  return friendName === null ? kind : `${kind} “${friendName}”`;
}
