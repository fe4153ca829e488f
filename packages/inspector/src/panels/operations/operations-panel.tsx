import { useMemo } from 'preact/hooks';
import type { Column } from '../../components/data-grid.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Badge, Empty, Facts, Load, Panel, type Tone } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import type { AuditEntry, ChangeOperation } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { countOf, formatNumber } from '../../text/count.ts';
import { OperationStory } from '../requests/operation-story.tsx';
import { RequestLink } from '../requests/request-link.tsx';

const tones: Readonly<Record<ChangeOperation['state'], Tone>> = {
  running: 'info',
  applied: 'good',
  uncertain: 'warn',
  refused: 'bad',
};

const states = ['applied', 'running', 'uncertain', 'refused'] as const;

const columns: readonly Column<ChangeOperation>[] = [
  {
    header: 'State',
    width: '6.5rem',
    narrow: 'start',
    cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
  },
  {
    header: 'Action',
    width: 'minmax(8rem, 2fr)',
    narrow: 'main',
    cell: ({ action, recordName }) => (
      <span class="cut">
        {action}
        {recordName !== null && <span class="record-name"> “{recordName}”</span>}
      </span>
    ),
  },
  {
    header: 'operationId',
    width: 'minmax(8rem, 1.5fr)',
    narrow: 'below',
    cell: ({ operationId }) => <code class="quiet">{operationId}</code>,
  },
  { header: 'Created', width: '6rem', narrow: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function OperationsPanel() {
  const list = useControl<{ readonly operations: readonly ChangeOperation[] }>('operations', [
    'operation',
    'sandbox',
  ]);
  return (
    <Panel
      title="Operations"
      about="A change has an operationId, and is applied once for it. A change that was refused at once is not stored, so its operationId can be used again."
      fill
    >
      <Load from={list}>
        {({ operations }) =>
          operations.length === 0 ? (
            <Empty title="No change yet">
              <p>
                Create, update or delete something: each change appears here with its state and stored answer.
              </p>
            </Empty>
          ) : (
            <OperationList operations={operations} />
          )
        }
      </Load>
    </Panel>
  );
}

/** Of an operation that was not applied, only its request knows a name. */
const nameByRequest = (
  operation: ChangeOperation,
  names: ReadonlyMap<string, string | null>,
): ChangeOperation =>
  operation.recordName === null
    ? { ...operation, recordName: names.get(operation.requestId) ?? null }
    : operation;

function OperationList({ operations }: { readonly operations: readonly ChangeOperation[] }) {
  const names = useMemo(
    () => new Map(requests.value.map(({ requestId, recordName }) => [requestId, recordName])),
    [requests.value],
  );
  const rows = useMemo(
    () =>
      operations
        .map((operation) => nameByRequest(operation, names))
        .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1)),
    [operations, names],
  );
  return (
    <SearchableList
      label="Operations, newest first"
      address={['operations']}
      rows={rows}
      columns={columns}
      getKey={({ operationId }) => operationId}
      getTitle={({ action, recordName }) => (recordName === null ? action : `${action} “${recordName}”`)}
      getTexts={({ operationId, action, state, requestId, recordName }) => [
        operationId,
        action,
        state,
        requestId,
        recordName,
      ]}
      placeholder="name, action, state, id …"
      singular="operation"
      describeRows={(shown) => `: ${countStates(shown)}`}
      detail={(operation) => <OperationDetail operation={operation} />}
    />
  );
}

/** How many there are in each state: `9 applied, 1 uncertain`. */
const countStates = (operations: readonly ChangeOperation[]): string =>
  states
    .map((state) => [operations.filter((operation) => operation.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${formatNumber(count)} ${state}`)
    .join(', ') || 'none';

/** When an uncertain operation is resolved. */
function describeResolution(resolution: unknown): string {
  if (resolution === 'never') return 'never';
  const { afterRequests, at } = resolution as { afterRequests?: number; at?: string | number };
  if (afterRequests === 0) return 'with the next request';
  if (afterRequests !== undefined)
    return `after ${countOf(afterRequests, 'more request')} with its operationId`;
  return at === undefined ? JSON.stringify(resolution) : `at ${new Date(at).toISOString().slice(0, 19)}`;
}

/** A link to the entry of the audit log about the change that a request applied. */
function AuditLink({ requestId }: { readonly requestId: string }) {
  const audit = useControl<{ readonly audit: readonly AuditEntry[] }>('audit', ['operation', 'sandbox']);
  const entry = audit.loaded.data?.audit.find((one) => one.requestId === requestId);
  return entry === undefined ? (
    <span>yes</span>
  ) : (
    <a href={toHref('audit', entry.id)}>yes, entry {entry.id}</a>
  );
}

function OperationDetail({ operation }: { readonly operation: ChangeOperation }) {
  const { state, operationId, requestId, createdAt, resolution, auditRecorded, result } = operation;
  return (
    <>
      <p>
        <Badge tone={tones[state]}>{state}</Badge>
      </p>
      <Facts
        facts={[
          ['operationId', <code>{operationId}</code>],
          ['Request', <RequestLink id={requestId} />],
          ['Created', <Time at={createdAt} withDate />],
          ...(resolution === undefined ? [] : [['Resolved', describeResolution(resolution)] as const]),
          [
            'In the audit log',
            auditRecorded === true ? (
              <AuditLink requestId={requestId} />
            ) : auditRecorded === null ? null : (
              'no'
            ),
          ],
        ]}
      />
      <OperationStory operationId={operationId} />
      {result !== null && result !== undefined && (
        <section>
          <h3>Result in the stored answer</h3>
          <JsonView value={result} label="Result" />
        </section>
      )}
    </>
  );
}
