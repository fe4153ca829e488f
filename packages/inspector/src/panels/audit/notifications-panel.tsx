import { useMemo } from 'preact/hooks';
import type { Column } from '../../components/data-grid.tsx';
import { Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import type { Notification, RequestEntry } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { RecordLink } from '../records/record-link.tsx';
import { RecordName } from '../records/record-name.tsx';
import { RequestLink } from '../requests/request-link.tsx';
import { describeRequest } from '../requests/request-words.ts';

const columns: readonly Column<Notification>[] = [
  { header: 'Time', width: '6.5rem', narrow: 'end', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'Kind',
    width: '10rem',
    narrow: 'main',
    cell: ({ kind }) => kind,
  },
  {
    header: 'Friend',
    width: 'minmax(8rem, 1fr)',
    narrow: 'below-end',
    cell: ({ friendName, userId }) => <RecordName name={friendName} id={userId} />,
  },
  {
    header: 'What',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
    cell: (notification) => <span class="cut">{describeNotification(notification)}</span>,
  },
  {
    header: 'Caused by',
    width: 'minmax(9rem, 1.5fr)',
    cell: (notification) => <Cause of={notification} />,
  },
];

/** The request that caused a notification, if the log has it: operationIds of organizations may be equal. */
const findCause = ({
  operationId,
  accountId,
  userId,
  automationId,
}: Notification): RequestEntry | undefined =>
  requests.value.find(
    (entry) =>
      entry.applied &&
      entry.operationId === operationId &&
      entry.recordId === (automationId ?? `${accountId}/${userId}`),
  );

/** What caused a notification: the action and the key. */
function Cause({ of: notification }: { readonly of: Notification }) {
  const request = findCause(notification);
  if (request === undefined) return <code class="quiet">{notification.operationId}</code>;
  return (
    <span class="cut">
      <a href={toHref('requests', request.requestId)}>{describeRequest(request)}</a>
      <span class="quiet"> by {request.keyName ?? 'an unknown key'}</span>
    </span>
  );
}

export function NotificationsPanel() {
  const list = useControl<{ readonly notifications: readonly Notification[] }>('notifications', [
    'operation',
    'sandbox',
  ]);
  return (
    <Panel
      title="Notifications"
      about="What the service could send when a friend gets other tags or enters a scenario; the mock only records it. The same tags again, a scenario that the friend is in already, and a replay cause none."
      fill
    >
      <Load from={list}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Empty title="No notification yet">
              <p>Change the tags of a friend, or enroll a friend in a scenario.</p>
            </Empty>
          ) : (
            <NotificationList notifications={notifications} />
          )
        }
      </Load>
    </Panel>
  );
}

/** `“Trial” (deleted)`. */
const showName = (name: string | null | undefined, isDeleted: boolean): string =>
  `${name == null ? 'unknown' : `“${name}”`}${isDeleted ? ' (deleted)' : ''}`;

/** What a notification is about, in a few words: `+ tag “VIP” − tag “Trial” (deleted)`, or the scenario. */
function describeNotification({
  addedTagIds = [],
  addedTagNames = [],
  removedTagIds = [],
  removedTagNames = [],
  scenarioId,
  scenarioName,
  deletedIds,
}: Notification): string {
  const listTags = (ids: readonly string[], names: typeof addedTagNames): string =>
    `tag${ids.length === 1 ? '' : 's'} ${ids.map((id, i) => showName(names[i], deletedIds.includes(id))).join(', ')}`;
  return [
    ...(addedTagIds.length > 0 ? [`+ ${listTags(addedTagIds, addedTagNames)}`] : []),
    ...(removedTagIds.length > 0 ? [`− ${listTags(removedTagIds, removedTagNames)}`] : []),
    ...(scenarioId === undefined
      ? []
      : [`scenario ${showName(scenarioName, deletedIds.includes(scenarioId))}`]),
  ].join(' ');
}

/** Records with their names, a line each. */
function RecordLinks({
  resource,
  ids,
  names,
  deletedIds,
}: {
  readonly resource: string;
  readonly ids: readonly string[];
  readonly names: readonly (string | null | undefined)[];
  readonly deletedIds: readonly string[];
}) {
  if (ids.length === 0) return <span class="none">none</span>;
  return (
    <>
      {ids.map((id, index) => {
        const name = names[index] ?? null;
        return (
          <span class="line" key={id}>
            {deletedIds.includes(id) ? (
              <>
                {showName(name, true)}
                <code class="line quiet">{id}</code>
              </>
            ) : (
              <RecordLink resource={resource} id={id} name={name} />
            )}
          </span>
        );
      })}
    </>
  );
}

function NotificationDetail({ notification }: { readonly notification: Notification }) {
  const { at, operationId, organizationId, accountId, userId, friendName, automationId } = notification;
  const { addedTagIds, addedTagNames = [], removedTagIds, removedTagNames = [] } = notification;
  const { scenarioId, scenarioName, deletedIds } = notification;
  const request = findCause(notification);
  return (
    <Facts
      facts={[
        ['Time', <Time at={at} withDate />],
        ['Friend', <RecordLink resource="friends" id={`${accountId}/${userId}`} name={friendName} />],
        ...(addedTagIds === undefined
          ? []
          : [
              [
                'Added',
                <RecordLinks
                  resource="tags"
                  ids={addedTagIds}
                  names={addedTagNames}
                  deletedIds={deletedIds}
                />,
              ] as const,
            ]),
        ...(removedTagIds === undefined
          ? []
          : [
              [
                'Removed',
                <RecordLinks
                  resource="tags"
                  ids={removedTagIds}
                  names={removedTagNames}
                  deletedIds={deletedIds}
                />,
              ] as const,
            ]),
        ...(scenarioId === undefined
          ? []
          : [
              [
                'Scenario',
                <RecordLinks
                  resource="scenarios"
                  ids={[scenarioId]}
                  names={[scenarioName]}
                  deletedIds={deletedIds}
                />,
              ] as const,
            ]),
        ...(automationId === undefined
          ? []
          : [['Automation', <RecordLink resource="friend-automations" id={automationId} />] as const]),
        [
          'operationId',
          <a href={toHref('operations', operationId)}>
            <code>{operationId}</code>
          </a>,
        ],
        ...(request === undefined ? [] : [['Request', <RequestLink id={request.requestId} />] as const]),
        ['Organization', organizationId],
      ]}
    />
  );
}

function NotificationList({ notifications }: { readonly notifications: readonly Notification[] }) {
  const rows = useMemo(() => notifications.toReversed(), [notifications]);
  return (
    <SearchableList
      label="Notifications, newest first"
      address={['notifications']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => String(id)}
      getTitle={({ kind, friendName }) => (friendName === null ? kind : `${kind} “${friendName}”`)}
      getTexts={Object.values}
      placeholder="friend, tag, kind, id …"
      singular="notification"
      detail={(notification) => <NotificationDetail notification={notification} />}
    />
  );
}
