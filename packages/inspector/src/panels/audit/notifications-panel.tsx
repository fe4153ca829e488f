import { useMemo, useState } from 'preact/hooks';
import { TextField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { matchesWords } from '../../components/search.ts';
import { Time } from '../../components/time.tsx';
import type { Notification } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { RecordLink } from '../records/record-link.tsx';
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
    narrow: 'below-end',
    cell: ({ friendName, userId }) => <RecordName name={friendName} id={userId} />,
  },
  {
    header: 'What',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
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

/** The names of tags in a few words. */
const listNames = (names: Notification['addedTagNames'] = []): string =>
  names.map((name) => name ?? 'a deleted tag').join(', ');

/** What a notification is about, in a few words: `+ VIP − Trial`, or the scenario. */
function describeNotification({
  addedTagNames,
  removedTagNames,
  scenarioId,
  scenarioName,
}: Notification): string {
  const added = listNames(addedTagNames);
  const removed = listNames(removedTagNames);
  const scenario = scenarioId === undefined ? undefined : (scenarioName ?? 'a deleted scenario');
  return [added && `+ ${added}`, removed && `− ${removed}`, scenario].filter(Boolean).join(' ');
}

/** Records with their names, a line each. */
function RecordLinks({
  resource,
  ids,
  names,
}: {
  readonly resource: string;
  readonly ids: readonly string[];
  readonly names: readonly (string | null | undefined)[];
}) {
  if (ids.length === 0) return <span class="none">none</span>;
  return (
    <>
      {ids.map((id, index) => {
        const name = names[index] ?? null;
        return (
          <span class="line" key={id}>
            {name === null ? (
              <>
                <code>{id}</code> was deleted
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
  const { scenarioId, scenarioName } = notification;
  return (
    <Facts
      facts={[
        ['Time', <Time at={at} withDate />],
        ['Friend', <RecordLink resource="friends" id={`${accountId}/${userId}`} name={friendName} />],
        ...(addedTagIds === undefined
          ? []
          : [['Added', <RecordLinks resource="tags" ids={addedTagIds} names={addedTagNames} />] as const]),
        ...(removedTagIds === undefined
          ? []
          : [
              [
                'Removed',
                <RecordLinks resource="tags" ids={removedTagIds} names={removedTagNames} />,
              ] as const,
            ]),
        ...(scenarioId === undefined
          ? []
          : [
              [
                'Scenario',
                <RecordLinks resource="scenarios" ids={[scenarioId]} names={[scenarioName]} />,
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
        ['Organization', organizationId],
      ]}
    />
  );
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
      detail={(notification) => <NotificationDetail notification={notification} />}
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
