import { useMemo, useState } from 'preact/hooks';
import { TextField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { matchesWords } from '../../components/search.ts';
import { Time } from '../../components/time.tsx';
import { Value } from '../../components/value.tsx';
import type { Notification } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { RecordName } from '../records/record-name.tsx';

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
    width: 'minmax(8rem, 1fr)',
    narrow: 'below',
    cell: ({ friendName, userId }) => <RecordName name={friendName} id={userId} />,
  },
  {
    header: 'What',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below-end',
    cell: (notification) => <span class="cut">{describeNotification(notification)}</span>,
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

type Names = Notification['addedTagNames'];

/** The names of tags; of a deleted one, its id. */
const listTags = (ids: readonly string[] = [], names: Names = []): string =>
  ids.map((id, index) => names[index] ?? id).join(', ');

/** What a notification is about, in a few words: `+ VIP − Trial`, or the scenario. */
function describeNotification(notification: Notification): string {
  const { addedTagIds, addedTagNames, removedTagIds, removedTagNames, scenarioId, scenarioName } =
    notification;
  const added = listTags(addedTagIds, addedTagNames);
  const removed = listTags(removedTagIds, removedTagNames);
  const parts = [added && `+ ${added}`, removed && `− ${removed}`, scenarioName ?? scenarioId];
  return parts.filter(Boolean).join(' ');
}

function NotificationList({ notifications }: { readonly notifications: readonly Notification[] }) {
  const [search, setSearch] = useState('');
  const rows = useMemo(
    () => notifications.filter((entry) => matchesWords(search, Object.values(entry))).toReversed(),
    [notifications, search],
  );
  return (
    <ListAndDetail
      label="Notifications, newest first"
      address={['notifications']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => String(id)}
      getTitle={({ kind, friendName }) => (friendName === null ? kind : `${kind} “${friendName}”`)}
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
    >
      <TextField
        label="Search"
        type="search"
        placeholder="friend, tag, kind, id …"
        value={search}
        onInput={setSearch}
      />
    </ListAndDetail>
  );
}
