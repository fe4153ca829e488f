import { useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../../components/announcer.tsx';
import { ActionButton, ConfirmButton, SelectField, TextField } from '../../components/controls.tsx';
import { type Column, DataGrid } from '../../components/data-grid.tsx';
import { downloadJson } from '../../components/download.ts';
import { Panel } from '../../components/panel.tsx';
import { navigate, route } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import { callControl } from '../../control-api/client.ts';
import type { RequestEntry } from '../../control-api/types.ts';
import { operationNames } from '../../generated/control-api.ts';
import {
  clearRequests,
  droppedRequests,
  hasRequests,
  readRequests,
  requests,
  requestsError,
} from '../../live/requests.ts';
import { useFoundRequests } from '../../live/search.ts';
import { countOf, countShown, formatNumber } from '../../text/count.ts';
import { FirstVisit } from './first-visit.tsx';
import { AnswerBadge, OutcomeBadges } from './outcome-badges.tsx';
import { RequestDetails } from './request-details.tsx';
import { filterRequests, isInEntry, type RequestKind, requestKinds } from './request-filter.ts';
import { describeReason, describeRequest } from './request-words.ts';
import { SearchHit } from './search-hit.tsx';

const columns: readonly Column<RequestEntry>[] = [
  { header: 'Time', width: '7rem', narrow: 'end', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  {
    header: 'Status',
    width: '5.25rem',
    narrow: 'start',
    cell: (entry) => <AnswerBadge entry={entry} />,
  },
  {
    header: 'Request',
    width: 'minmax(9rem, 2fr)',
    narrow: 'main',
    cell: (entry) => (
      <span class="cut">
        {describeRequest(entry)}
        {entry.recordName !== null && <span class="record-name"> “{entry.recordName}”</span>}
      </span>
    ),
  },
  {
    header: 'Outcome',
    width: 'minmax(8rem, 3fr)',
    narrow: 'below',
    cell: (entry) => (
      <OutcomeBadges entry={entry}>
        <Reason entry={entry} />
      </OutcomeBadges>
    ),
  },
  {
    header: 'Key',
    width: 'minmax(6rem, 1fr)',
    narrow: 'below-end',
    cell: ({ keyName, key }) => <span class="cut quiet">{keyName ?? key ?? 'no key'}</span>,
  },
];

/** The first words of why a request was refused or not answered, and how many more problems its body has. */
function Reason({ entry }: { readonly entry: RequestEntry }) {
  const reason = describeReason(entry);
  const { problems, moreProblems = 0 } = entry.decidedBy;
  const others = (problems?.length ?? 1) - 1 + moreProblems;
  if (reason === undefined) return null;
  return (
    <>
      <span class="cut quiet reason">{reason}</span>
      {others > 0 && (
        <span class="quiet" title={countOf(others, 'more problem')}>
          +{others}
        </span>
      )}
    </>
  );
}

/** The columns, with the place of a search in the bodies instead of the reason. */
const withHits = (search: string): readonly Column<RequestEntry>[] =>
  columns.map((column) =>
    column.header === 'Outcome'
      ? {
          ...column,
          cell: (entry) =>
            isInEntry(entry, search) ? column.cell(entry) : <SearchHit entry={entry} search={search} />,
        }
      : column,
  );

const toKey = ({ id }: RequestEntry): string => String(id);

export function RequestsPanel() {
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<RequestKind | ''>('');
  const [operation, setOperation] = useState('');
  // The list as it was when the person paused; further requests arrive behind it.
  const [paused, setPaused] = useState<readonly RequestEntry[]>();
  const list = useRef<HTMLDivElement>(null);

  const all = requests.value;
  const source = paused ?? all;
  const found = useFoundRequests(search);
  const shown = useMemo(
    () => filterRequests(source, { search, kind, operation }, found).toReversed(),
    [source, search, kind, operation, found],
  );
  const shownColumns = useMemo(() => (search.trim() === '' ? columns : withHits(search)), [search]);
  const [given] = route.value.rest;
  const chosen = given === undefined ? undefined : findRequest(all, given);
  const selected = chosen === undefined ? given : toKey(chosen);
  const lastPaused = paused?.at(-1)?.id ?? 0;
  const missed = paused === undefined ? 0 : all.filter(({ id }) => id > lastPaused).length;

  if (hasRequests.value && all.length === 0 && selected === undefined) return <FirstVisit />;
  const close = (): void => {
    navigate('requests');
    list.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
  };
  const togglePause = (): void => {
    setPaused(paused === undefined ? all : undefined);
    announce(paused === undefined ? 'Paused.' : 'Continued.');
  };
  return (
    <Panel
      title="Requests"
      fill
      actions={
        <>
          <button type="button" class="button" aria-pressed={paused !== undefined} onClick={togglePause}>
            {paused === undefined
              ? 'Pause'
              : missed === 0
                ? 'Paused'
                : `Paused · ${formatNumber(missed)} new`}
          </button>
          <ActionButton kind="quiet" action={saveHar}>
            Export HAR
          </ActionButton>
          <ConfirmButton question="Clear the log" action={clearRequests} done="The request log is empty.">
            Clear
          </ConfirmButton>
        </>
      }
    >
      <div class={selected === undefined ? 'split' : 'split split-open'}>
        <div class="split-list" ref={list}>
          <div class="filters" role="search" aria-label="Requests">
            <TextField
              label="Search"
              type="search"
              placeholder="name, id, outcome, any text in a body …"
              value={search}
              onInput={setSearch}
            />
            <SelectField
              label="Show"
              value={kind}
              empty="everything"
              options={requestKinds}
              onInput={(value) => setKind(value as RequestKind | '')}
            />
            <SelectField
              label="Operation"
              value={operation}
              empty="all"
              options={operationNames}
              onInput={setOperation}
            />
          </div>
          {hasRequests.value ? (
            <p class="count">
              {countShown(shown.length, source.length, 'request')}
              {droppedRequests.value > 0 &&
                `, ${formatNumber(droppedRequests.value)} older ones were dropped`}
            </p>
          ) : (
            requestsError.value === undefined && <p class="loading">Loading…</p>
          )}
          {requestsError.value !== undefined && (
            <div class="notice notice-bad" role="alert">
              <p>{requestsError.value}</p>
              <button type="button" class="button" onClick={() => void readRequests()}>
                Try again
              </button>
            </div>
          )}
          {shown.length === 0 && hasRequests.value && <p class="nothing">No request matches.</p>}
          {shown.length > 0 && (
            <DataGrid
              label="Requests, newest first"
              rows={shown}
              columns={shownColumns}
              getKey={toKey}
              selected={selected}
              onSelect={(entry) => navigate('requests', entry.id)}
            />
          )}
        </div>
        {selected !== undefined && <RequestDetails id={selected} close={close} key={selected} />}
      </div>
    </Panel>
  );
}

/** Links name a request by its requestId, and the list by its id. */
const findRequest = (entries: readonly RequestEntry[], id: string): RequestEntry | undefined =>
  entries.find((entry) => toKey(entry) === id || entry.requestId === id);

async function saveHar(): Promise<void> {
  downloadJson('requests.har', await callControl('GET', 'requests.har'));
}
