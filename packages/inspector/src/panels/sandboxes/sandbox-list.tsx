import { useCallback, useMemo, useState } from 'preact/hooks';
import { CheckField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { Badge, Empty } from '../../components/panel.tsx';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import type { SandboxEntry } from '../../control-api/types.ts';
import { formatNumber } from '../../text/count.ts';
import { SandboxDetail } from './sandbox-detail.tsx';

const getTitle = ({ name, id }: SandboxEntry): string => name ?? id;

const columns: readonly Column<SandboxEntry>[] = [
  {
    header: 'Name',
    width: 'minmax(9rem, 3fr)',
    narrow: 'main',
    cell: (sandbox) => <span class="cut">{getTitle(sandbox)}</span>,
  },
  {
    header: 'Requests',
    width: '5rem',
    cell: ({ requests }) =>
      requests === 0 ? (
        <span class="quiet">0</span>
      ) : (
        <span>
          {formatNumber(requests)}
          <span class="column-word"> requests</span>
        </span>
      ),
  },
  {
    header: 'Refused',
    width: '5rem',
    narrow: 'end',
    cell: ({ refused }) =>
      refused > 0 && (
        <Badge tone="bad">
          {formatNumber(refused)}
          <span class="column-word"> refused</span>
        </Badge>
      ),
  },
  {
    header: 'Last refusal',
    width: 'minmax(8rem, 4fr)',
    narrow: 'below',
    cell: ({ lastRefusal }) => lastRefusal !== null && <LastRefusal of={lastRefusal} />,
  },
  {
    header: 'Last request',
    width: '6.5rem',
    cell: ({ lastRequestAt }) => lastRequestAt !== null && <Time at={lastRequestAt} />,
  },
  {
    header: 'Inspector',
    width: '5rem',
    narrow: 'below-end',
    cell: (sandbox) => (
      <a href={`${sandbox.controlUrl}/`}>
        Open <span class="visually-hidden">{getTitle(sandbox)}</span>
      </a>
    ),
  },
];

/** The code and the reason of a refusal. */
function LastRefusal({ of: { error, because } }: { readonly of: NonNullable<SandboxEntry['lastRefusal']> }) {
  return (
    <span class="cut" title={because}>
      {error} <span class="quiet">{because}</span>
    </span>
  );
}

interface SandboxListProps {
  readonly sandboxes: readonly SandboxEntry[];
  /** Reads the list again. */
  readonly reload: () => void;
}

/** The sandboxes with their refusals, newest first. */
export function SandboxList({ sandboxes, reload }: SandboxListProps) {
  const [isRefusedOnly, setRefusedOnly] = useState(false);
  const rows = useMemo(() => sandboxes.toReversed(), [sandboxes]);
  const hasRefusals = useCallback(({ refused }: SandboxEntry) => refused > 0, []);
  return (
    <SearchableList
      label="Sandboxes, newest first"
      address={['sandboxes']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => id}
      getTitle={getTitle}
      getTexts={({ id, name }) => [id, name]}
      placeholder="name or id"
      singular="sandbox"
      plural="sandboxes"
      filter={isRefusedOnly ? hasRefusals : undefined}
      filters={<CheckField label="With refusals only" checked={isRefusedOnly} onInput={setRefusedOnly} />}
      detail={(sandbox) => <SandboxDetail sandbox={sandbox} reload={reload} />}
      {...(sandboxes.length === 0 && {
        empty: (
          <Empty title="No sandbox yet">
            <p>Create one above. Test fixtures make one for each test.</p>
          </Empty>
        ),
      })}
    />
  );
}
