import { useMemo, useState } from 'preact/hooks';
import { TextField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { Revision } from '../../components/revision.tsx';
import { toHref } from '../../components/route.ts';
import { matchesWords } from '../../components/search.ts';
import { Time } from '../../components/time.tsx';
import type { AuditEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { countShown } from '../../text/count.ts';
import { RecordLink } from '../records/record-link.tsx';
import { RecordName } from '../records/record-name.tsx';
import { ChangeOfRequest } from '../requests/change-of-request.tsx';
import { RequestLink } from '../requests/request-link.tsx';

const columns: readonly Column<AuditEntry>[] = [
  { header: 'Time', width: '6.5rem', narrow: 'end', cell: ({ at }) => <Time at={at} /> },
  { header: 'Action', width: 'minmax(8rem, 1fr)', narrow: 'main', cell: ({ action }) => action },
  {
    header: 'Record',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
    cell: (entry) => <RecordName name={entry.recordName} id={entry.recordId} />,
  },
  {
    header: 'Key',
    width: 'minmax(6rem, 1fr)',
    narrow: 'below-end',
    cell: ({ keyName }) => <span class="cut quiet">{keyName}</span>,
  },
];

export function AuditPanel() {
  const list = useControl<{ readonly audit: readonly AuditEntry[] }>('audit', ['operation', 'sandbox']);
  return (
    <Panel
      title="Audit log"
      about="The changes of changeChat that were applied: who made them, and the revisions before and after. Keyword writes, replays and edits of the control API are not in it."
      fill
    >
      <Load from={list}>
        {({ audit }) =>
          audit.length === 0 ? (
            <Empty title="No change yet">
              <p>An applied change is recorded here. A replay is not, because it changes nothing.</p>
            </Empty>
          ) : (
            <AuditList audit={audit} />
          )
        }
      </Load>
    </Panel>
  );
}

function AuditList({ audit }: { readonly audit: readonly AuditEntry[] }) {
  const [search, setSearch] = useState('');
  const rows = useMemo(
    () => audit.filter((entry) => matchesWords(search, Object.values(entry))).toReversed(),
    [audit, search],
  );
  return (
    <ListAndDetail
      label="Audit log, newest first"
      address={['audit']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => String(id)}
      getTitle={({ action, recordName }) => (recordName === null ? action : `${action} “${recordName}”`)}
      detail={(entry) => <AuditDetail entry={entry} />}
    >
      <TextField
        label="Search"
        type="search"
        placeholder="action, name, id, key …"
        value={search}
        onInput={setSearch}
      />
      <p class="count">{countShown(rows.length, audit.length, 'change')}</p>
    </ListAndDetail>
  );
}

function AuditDetail({ entry }: { readonly entry: AuditEntry }) {
  const { at, requestId, operationId, organizationId, keyName, resource, recordId, recordName } = entry;
  const { revisionBefore, revisionAfter } = entry;
  return (
    <>
      <Facts
        facts={[
          ['Time', <Time at={at} withDate />],
          ['Request', <RequestLink id={requestId} />],
          [
            'operationId',
            <a href={toHref('operations', operationId)}>
              <code>{operationId}</code>
            </a>,
          ],
          ['Organization', organizationId],
          ['Key', keyName],
          ['Resource', resource],
          ['Record', <RecordLink resource={resource} id={recordId} name={recordName} />],
          ['Revision before', revisionBefore === null ? null : <Revision of={revisionBefore} />],
          ['Revision after', revisionAfter === null ? null : <Revision of={revisionAfter} />],
        ]}
      />
      {revisionAfter === null ? null : <ChangeOfRequest requestId={requestId} />}
    </>
  );
}
