import { useMemo } from 'preact/hooks';
import type { Column } from '../../components/data-grid.tsx';
import { Badge, Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { Revision } from '../../components/revision.tsx';
import { toHref } from '../../components/route.ts';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import type { AuditEntry } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { AffectedByChange } from '../records/affected-records.tsx';
import { RecordLink } from '../records/record-link.tsx';
import { RecordName } from '../records/record-name.tsx';
import { ChangeOfRequest } from '../requests/change-of-request.tsx';
import { RequestLink } from '../requests/request-link.tsx';
import { isSilent } from './notification-rows.ts';

const columns: readonly Column<AuditEntry>[] = [
  { header: 'Time', width: '6.5rem', narrow: 'end', cell: ({ at }) => <Time at={at} /> },
  { header: 'Action', width: 'minmax(8rem, 1fr)', narrow: 'main', cell: ({ action }) => action },
  {
    header: 'Record',
    width: 'minmax(8rem, 2fr)',
    narrow: 'below',
    cell: (entry) => (
      <span class="badges">
        <RecordName name={entry.recordName} id={entry.recordId} />
        <NoEffect of={entry} />
        <span class="cut quiet">
          <AffectedByChange of={entry} />
        </span>
      </span>
    ),
  },
  {
    header: 'Key',
    width: 'minmax(6rem, 1fr)',
    narrow: 'below-end',
    cell: ({ keyName }) => <span class="cut quiet">{keyName}</span>,
  },
];

/** Of a change that was applied and found everything as it is already. */
function NoEffect({ of: { requestId } }: { readonly of: AuditEntry }) {
  const request = requests.value.findLast((one) => one.requestId === requestId);
  return request !== undefined && isSilent(request) ? <Badge tone="plain">no effect</Badge> : null;
}

export function AuditPanel() {
  const list = useControl<{ readonly audit: readonly AuditEntry[] }>('audit', ['operation', 'sandbox']);
  return (
    <Panel
      title="Audit log"
      about="The changes that the API applied, and who made them."
      aboutMore={{
        title: 'What is not in it',
        text: 'Keyword writes, replays, edits of the control API, and changes that the fault skip-audit hit.',
      }}
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
  const rows = useMemo(() => audit.toReversed(), [audit]);
  return (
    <SearchableList
      label="Audit log, newest first"
      address={['audit']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => String(id)}
      getTitle={({ action, recordName }) => (recordName === null ? action : `${action} “${recordName}”`)}
      getTexts={Object.values}
      placeholder="action, name, id, key …"
      singular="change"
      detail={(entry) => <AuditDetail entry={entry} />}
    />
  );
}

function AuditDetail({ entry }: { readonly entry: AuditEntry }) {
  const { at, action, requestId, operationId, organizationId, keyName, resource, recordId, recordName } =
    entry;
  const { revisionBefore, revisionAfter } = entry;
  return (
    <>
      {revisionAfter !== null && <ChangeOfRequest requestId={requestId} />}
      {action === 'delete-configuration' && (
        <section>
          <h3>Change of the record</h3>
          <p>It was deleted.</p>
        </section>
      )}
      <section>
        <h3>Facts</h3>
        <Facts
          facts={[
            ['Record', <RecordLink resource={resource} id={recordId} name={recordName} />],
            ['Changed by', keyName],
            ['Time', <Time at={at} withDate />],
            ['Request', <RequestLink id={requestId} />],
            [
              'operationId',
              <a href={toHref('operations', operationId)}>
                <code>{operationId}</code>
              </a>,
            ],
            ['Organization', organizationId],
            ['Revision before', revisionBefore === null ? null : <Revision of={revisionBefore} isCopyable />],
            ['Revision after', revisionAfter === null ? null : <Revision of={revisionAfter} isCopyable />],
          ]}
        />
      </section>
    </>
  );
}
