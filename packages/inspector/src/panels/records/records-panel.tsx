import { useMemo, useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { LargeStateNotice } from '../../components/large-state.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Load, Panel } from '../../components/panel.tsx';
import { matchesWords } from '../../components/search.ts';
import { Time } from '../../components/time.tsx';
import { requestResources } from '../../generated/control-api.ts';
import { useWorldState, type WorldState } from '../../live/world-state.ts';
import { navigate, route } from '../../shell/route.ts';
import { RecordDetail } from './record-detail.tsx';
import { type ListedRecord, listRecords } from './record-lists.ts';

/** `document` reads one of `documents`, which are listed. */
const resources = requestResources.filter((name) => name !== 'document');

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
    cell: ({ id }) => <code class="quiet">{id}</code>,
  },
  {
    header: 'Changed',
    width: '10.5rem',
    narrow: 'end',
    cell: ({ changedAt }) => (changedAt === '' ? null : <Time at={changedAt} withDate />),
  },
];

export function RecordsPanel() {
  const world = useWorldState(['record', 'sandbox']);
  const [given = ''] = route.value.rest;
  const resource = resources.find((name) => name === given) ?? 'tags';
  return (
    <Panel title="Records" fill>
      <LargeStateNotice />
      <Load from={world}>{(state) => <RecordList state={state} resource={resource} key={resource} />}</Load>
    </Panel>
  );
}

function RecordList({ state, resource }: { readonly state: WorldState; readonly resource: string }) {
  const [search, setSearch] = useState('');
  // Texts of 100,000 records are made once, and not with each letter of a search.
  const all = useMemo(
    () =>
      listRecords(state, resource)
        .toReversed()
        .map((record) => ({ record, text: [record.id, Object.values(record.fields).map(toText).join(' ')] })),
    [state, resource],
  );
  const rows = useMemo(
    () => all.filter(({ text }) => matchesWords(search, text)).map(({ record }) => record),
    [all, search],
  );
  return (
    <ListAndDetail
      label={`${resource}, newest first`}
      address={['records', resource]}
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      titleOf={({ title }) => title}
      detail={(record) => <RecordDetail resource={resource} record={record} key={record.id} />}
    >
      <div class="filters">
        <TextField
          label="Search"
          type="search"
          placeholder="any text or id"
          value={search}
          onInput={setSearch}
        />
        <SelectField
          label="Resource"
          value={resource}
          options={resources}
          onInput={(value) => navigate('records', value)}
        />
      </div>
      <p class="count">
        {rows.length === all.length
          ? `${count(all.length)} ${resource}`
          : `${count(rows.length)} of ${count(all.length)} ${resource}`}
      </p>
      {rows.length === 0 && (
        <p class="nothing">{all.length === 0 ? `There are no ${resource}.` : 'None matches.'}</p>
      )}
    </ListAndDetail>
  );
}

const count = (n: number): string => n.toLocaleString('en-US');

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
