import { singularNames } from '@orgchat/spec/resources/names';
import { useMemo } from 'preact/hooks';
import { SelectField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { Empty, Load, Panel } from '../../components/panel.tsx';
import { navigate, route } from '../../components/route.ts';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import { listedResources } from '../../generated/control-api.ts';
import { type Resource, useControl } from '../../live/resource.ts';
import { RecordDetail } from './record-detail.tsx';
import { type ListedRecord, type RecordFields, toRows } from './record-lists.ts';

/** Of a longer list, changes are shown only when the person asks for it. */
const mostFollowed = 5000;

/** More than a mock has, so that one call reads all. */
const everything = 10_000_000;

interface RecordPage {
  readonly records: readonly RecordFields[];
  readonly total: number;
}

const columns: readonly Column<ListedRecord>[] = [
  {
    header: 'Name',
    width: 'minmax(9rem, 2fr)',
    narrow: 'main',
    cell: ({ title }) => <span class="cut">{title}</span>,
  },
  {
    header: 'Id',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
    cell: ({ shownId }) => <code class="quiet">{shownId}</code>,
  },
  {
    header: 'Changed',
    width: '12rem',
    narrow: 'end',
    cell: ({ changedAt, changedWord }) =>
      changedAt !== '' && (
        <>
          <span class="column-word">{changedWord} </span>
          <Time at={changedAt} withDate />
        </>
      ),
  },
];

export function RecordsPanel() {
  const [given = ''] = route.value.rest;
  const resource = listedResources.find((name) => name === given) ?? 'tags';
  return (
    <Panel
      title="Records"
      fill
      actions={
        <SelectField
          label="Resource"
          value={resource}
          options={listedResources}
          onInput={(value) => navigate('records', value)}
        />
      }
    >
      <RecordPanelContent resource={resource} key={resource} />
    </Panel>
  );
}

function RecordPanelContent({ resource }: { readonly resource: string }) {
  const page = useControl<RecordPage>(
    `records?resource=${resource}&limit=${everything}`,
    ['record', 'sandbox'],
    ({ total }) => total <= mostFollowed,
  );
  return (
    <>
      <LongListNotice page={page} />
      <Load from={page}>{({ records }) => <RecordList records={records} resource={resource} />}</Load>
    </>
  );
}

function LongListNotice({ page: { loaded, reload } }: { readonly page: Resource<RecordPage> }) {
  const total = loaded.data?.total ?? 0;
  if (total <= mostFollowed) return null;
  return (
    <div class="notice">
      <p>This list is long, so it is not read again with every change.</p>
      <button type="button" class="button" onClick={reload}>
        Read again
      </button>
    </div>
  );
}

interface RecordListProps {
  readonly records: readonly RecordFields[];
  readonly resource: string;
}

function RecordList({ records, resource }: RecordListProps) {
  const rows = useMemo(() => toRows(resource, records), [records, resource]);
  return (
    <SearchableList
      label={`${resource}, last changed first`}
      address={['records', resource]}
      rows={rows}
      columns={columns}
      getKey={({ id }) => id}
      getTitle={({ title }) => title}
      getTexts={({ fields }) => Object.values(fields)}
      placeholder="any text or id"
      singular={getSingular(resource)}
      plural={resource}
      detail={(record) => <RecordDetail resource={resource} record={record} key={record.id} />}
      {...(rows.length === 0 && {
        empty: (
          <Empty title={`No ${resource} yet`}>
            <p>Create one with a client. It appears here at once.</p>
          </Empty>
        ),
      })}
    />
  );
}

/** The singular of a resource; those that only the mock lists just lose their last letter. */
const getSingular = (resource: string): string =>
  (singularNames as Readonly<Record<string, string>>)[resource] ?? resource.slice(0, -1);
