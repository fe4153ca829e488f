import { useCallback, useMemo, useState } from 'preact/hooks';
import { CheckField } from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { Badge, Empty } from '../../components/panel.tsx';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Time } from '../../components/time.tsx';
import { controlPath } from '../../control-api/client.ts';
import type { SandboxEntry } from '../../control-api/types.ts';
import { shortenReason } from '../requests/request-words.ts';
import { SandboxDetail } from './sandbox-detail.tsx';
import { describeCounts, describeRefused } from './sandbox-words.ts';

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
    width: 'minmax(12rem, 6fr)',
    narrow: 'below',
    cell: (sandbox) => <Summary of={sandbox} />,
  },
  {
    header: 'Last request',
    width: '6.5rem',
    narrow: 'end',
    cell: ({ lastRequestAt }) => lastRequestAt !== null && <Time at={lastRequestAt} />,
  },
  {
    header: 'Inspector',
    width: '5rem',
    cell: (sandbox) => (
      <a href={`${controlPath(sandbox.controlUrl)}/`}>
        Open <span class="visually-hidden">{getTitle(sandbox)}</span>
      </a>
    ),
  },
];

/** How many requests came and were refused, and why the last one was. */
function Summary({ of: sandbox }: { readonly of: SandboxEntry }) {
  const { lastRefusal } = sandbox;
  const counts = describeCounts(sandbox);
  if (sandbox.refused === 0) return <span class="quiet">{counts}</span>;
  return (
    <span class="cut" title={lastRefusal?.because}>
      <Badge tone="bad">{counts}</Badge>{' '}
      {lastRefusal !== null && (
        <>
          <span class="refusal-code">{lastRefusal.error} </span>
          <span class="quiet">{shortenReason(lastRefusal.because, lastRefusal.problem)}</span>
        </>
      )}
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
      describeRows={describeRefused}
      filter={isRefusedOnly ? hasRefusals : undefined}
      isDense
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
