import { useMemo } from 'preact/hooks';
import type { Column } from '../../components/data-grid.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import { Value } from '../../components/value.tsx';
import type { Notification } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';

const columns: readonly Column<Notification>[] = [
  { header: 'Time', width: '6.5rem', narrow: 'end', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'Kind',
    width: 'minmax(10rem, 1fr)',
    narrow: 'main',
    cell: ({ kind }) => kind,
  },
  {
    header: 'Friend',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
    cell: ({ userId }) => <code class="quiet">{userId}</code>,
  },
];

export function NotificationsPanel() {
  const list = useControl<{ readonly notifications: readonly Notification[] }>('notifications', [
    'operation',
    'sandbox',
  ]);
  return (
    <Panel
      title="Notifications"
      about="What the service could send after a change of tags or an enrollment. The mock records it and sends nothing."
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

function NotificationList({ notifications }: { readonly notifications: readonly Notification[] }) {
  const rows = useMemo(() => notifications.toReversed(), [notifications]);
  return (
    <ListAndDetail
      label="Notifications, newest first"
      address={['notifications']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => String(id)}
      getTitle={({ kind }) => kind}
      detail={({ id: _, at, operationId, ...fields }) => (
        <Facts
          facts={[
            ['Time', <Time at={at} withDate />],
            [
              'operationId',
              <a href={toHref('operations', operationId)}>
                <code>{operationId}</code>
              </a>,
            ],
            ...Object.entries(fields).map(([name, value]) => [name, <Value of={value} />] as const),
          ]}
        />
      )}
    />
  );
}
