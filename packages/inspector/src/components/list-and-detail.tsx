import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type Column, DataGrid } from './data-grid.tsx';
import { DetailPane } from './detail.tsx';
import { navigate, route } from './route.ts';

export interface ListAndDetailProps<Row> {
  readonly label: string;
  /** The address of the list: `['records', 'tags']`. That of a row has its key after it. */
  readonly address: readonly string[];
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly getKey: (row: Row) => string;
  readonly getTitle: (row: Row) => string;
  readonly detail: (row: Row) => ComponentChildren;
  /** Whether a row has one line also where the list is narrow. */
  readonly isDense?: boolean;
  /** What is shown instead of an empty list. */
  readonly empty?: ComponentChildren;
  /** What is above the list, such as a search. */
  readonly children?: ComponentChildren;
}

/** A list, and the chosen row of it. */
export function ListAndDetail<Row>({
  label,
  address,
  rows,
  columns,
  getKey,
  getTitle,
  detail,
  isDense = false,
  empty = <p class="nothing">No match.</p>,
  children,
}: ListAndDetailProps<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const selected = route.value.rest[address.length - 1];
  const row = selected === undefined ? undefined : rows.find((one) => getKey(one) === selected);
  const close = (): void => {
    navigate(...address);
    // On a narrow screen the list is in the document again after this turn.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus(),
    );
  };
  return (
    <div class={selected === undefined ? 'split' : 'split split-open'}>
      <div class="split-list" ref={list}>
        {children}
        {rows.length === 0 ? (
          empty
        ) : (
          <DataGrid
            label={label}
            rows={rows}
            columns={columns}
            getKey={getKey}
            selected={selected}
            isDense={isDense}
            onSelect={(one) => navigate(...address, getKey(one))}
          />
        )}
      </div>
      {selected !== undefined && (
        <DetailPane title={row === undefined ? selected : getTitle(row)} close={close} key={selected}>
          {row === undefined ? <p class="nothing">It is not in the list.</p> : detail(row)}
        </DetailPane>
      )}
    </div>
  );
}
