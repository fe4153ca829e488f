import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  ActionButton,
  CheckField,
  ConfirmButton,
  CopyButton,
  TextField,
} from '../../components/controls.tsx';
import type { Column } from '../../components/data-grid.tsx';
import { ListAndDetail } from '../../components/list-and-detail.tsx';
import { Badge, Empty, Facts, Load, Panel } from '../../components/panel.tsx';
import { matchesWords } from '../../components/search.ts';
import { Time } from '../../components/time.tsx';
import { callControl } from '../../control-api/client.ts';
import type { SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { countShown, formatNumber } from '../../text/count.ts';
import { LastRequests } from './last-requests.tsx';

/** The events of a mock are not about the requests of its sandboxes, so the list is read again while it is shown. */
const readAgainMs = 2000;

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

export function SandboxesPanel() {
  const list = useControl<{ readonly sandboxes: readonly SandboxEntry[] }>('sandboxes', ['sandbox']);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && list.reload(), readAgainMs);
    return () => clearInterval(timer);
  }, [list.reload]);
  const dropAll = async (): Promise<void> => {
    await callControl('DELETE', 'sandboxes');
    list.reload();
  };
  const number = list.loaded.data?.sandboxes.length ?? 0;
  return (
    <Panel
      title="Sandboxes"
      about="A sandbox is a mock of its own in this server, for one test or one try. It has its own address, data, faults and clock."
      fill
      actions={
        <>
          <NewSandbox reload={list.reload} />
          {number > 0 && (
            <ConfirmButton
              kind="danger-quiet"
              question={`Drop all ${formatNumber(number)}`}
              action={dropAll}
              done="All sandboxes are dropped."
            >
              Drop all
            </ConfirmButton>
          )}
        </>
      }
    >
      <Load from={list}>{({ sandboxes }) => <SandboxList sandboxes={sandboxes} reload={list.reload} />}</Load>
    </Panel>
  );
}

interface SandboxListProps {
  readonly sandboxes: readonly SandboxEntry[];
  readonly reload: () => void;
}

function SandboxList({ sandboxes, reload }: SandboxListProps) {
  const [search, setSearch] = useState('');
  const [isRefusedOnly, setRefusedOnly] = useState(false);
  const rows = useMemo(
    () =>
      sandboxes
        .filter(
          ({ id, name, refused }) => matchesWords(search, [id, name]) && (!isRefusedOnly || refused > 0),
        )
        .toReversed(),
    [sandboxes, search, isRefusedOnly],
  );
  return (
    <ListAndDetail
      label="Sandboxes, newest first"
      address={['sandboxes']}
      rows={rows}
      columns={columns}
      getKey={({ id }) => id}
      getTitle={getTitle}
      detail={(sandbox) => <SandboxDetail sandbox={sandbox} reload={reload} />}
      {...(sandboxes.length === 0 && {
        empty: (
          <Empty title="No sandbox yet">
            <p>Create one above. Test fixtures make one for each test.</p>
          </Empty>
        ),
      })}
    >
      <div class="filters filters-sandboxes">
        <TextField label="Search" type="search" placeholder="name or id" value={search} onInput={setSearch} />
        <CheckField label="With refusals only" checked={isRefusedOnly} onInput={setRefusedOnly} />
      </div>
      <p class="count">{countShown(rows.length, sandboxes.length, 'sandbox', 'sandboxes')}</p>
    </ListAndDetail>
  );
}

function NewSandbox({ reload }: { readonly reload: () => void }) {
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    await callControl('POST', 'sandboxes', name.trim() === '' ? {} : { name: name.trim() });
    setName('');
    reload();
  };
  return (
    <form class="new-sandbox" onSubmit={(event) => event.preventDefault()}>
      <TextField label="New sandbox" placeholder="name, or nothing" value={name} onInput={setName} />
      <ActionButton kind="primary" action={create} done="The sandbox is created.">
        Create
      </ActionButton>
    </form>
  );
}

function SandboxDetail({ sandbox, reload }: { readonly sandbox: SandboxEntry; readonly reload: () => void }) {
  const { id, baseUrl, controlUrl, expiresAt, requests, refused, lastRequestAt, lastRefusal } = sandbox;
  const drop = async (): Promise<void> => {
    await callControl('DELETE', `sandboxes/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <>
      <div class="buttons">
        <a class="button button-primary" href={`${controlUrl}/`}>
          Open its inspector
        </a>
        <ActionButton action={drop} done="Dropped.">
          Drop
        </ActionButton>
      </div>
      <Facts
        facts={[
          ['Id', <code>{id}</code>],
          [
            'Base URL',
            <span class="key-text">
              <code class="one-line" title={baseUrl}>
                {baseUrl}
              </code>
              <CopyButton text={baseUrl} label="Copy" />
            </span>,
          ],
          ['Requests', formatNumber(requests)],
          ['Refused', formatNumber(refused)],
          ...(lastRefusal === null
            ? []
            : [['Last refusal', `${lastRefusal.error}: ${lastRefusal.because}`] as const]),
          ['Last request', lastRequestAt === null ? null : <Time at={lastRequestAt} withDate />],
          ['Kept', expiresAt === null ? 'until you drop it' : <Expiry at={expiresAt} />],
        ]}
      />
      {requests > 0 && <LastRequests sandbox={sandbox} />}
    </>
  );
}

const Expiry = ({ at }: { readonly at: string }) => (
  <>
    until <Time at={at} withDate /> if no request comes
  </>
);
