import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findWindow, keepPlace, moveByKey, scrollToRow } from './virtual-window.ts';

export interface Column<Row> {
  readonly header: string;
  /** The CSS width of the column on a wide screen. */
  readonly width: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Its place on a narrow screen, where a row has two lines. Omitted: it is not shown there. */
  readonly narrow?: 'start' | 'main' | 'end' | 'below' | 'below-end';
}

interface DataGridProps<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly getKey: (row: Row) => string;
  /** Whether a row has one line also on a narrow screen. */
  readonly isDense?: boolean;
  readonly selected?: string | undefined;
  readonly onSelect?: (row: Row) => void;
}

/** Width in pixels from which a row is one line. */
const wideFrom = 700;

/**
 * A table of any length, of which only the visible rows are in the document. Arrow keys move, Enter selects. The row with
 * the focus stays in the document, and keeps the focus while rows are added.
 */
export function DataGrid<Row>({
  label,
  rows,
  columns,
  getKey,
  isDense = false,
  selected,
  onSelect,
}: DataGridProps<Row>) {
  const view = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 600, rem: 16 });
  const [scrollTop, setScrollTop] = useState(0);
  const [active, setActive] = useState<string>();
  const [hasFocus, setHasFocus] = useState(false);
  const isWide = size.width >= wideFrom;
  const rowHeight = size.rem * (isWide || isDense ? 2.25 : 3.5);

  useLayoutEffect(() => {
    const element = view.current as HTMLDivElement;
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setSize({ width: element.clientWidth, height: element.clientHeight, rem });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Rows are added above, so the place is kept by the key of the first visible row.
  const anchor = useRef<{ readonly key: string; readonly index: number } | undefined>(undefined);
  const first = Math.floor(scrollTop / rowHeight);
  useLayoutEffect(() => {
    const element = view.current as HTMLDivElement;
    const { key, index } = anchor.current ?? { key: '', index: 0 };
    const moved = element.scrollTop <= 0 ? -1 : findNear(rows, getKey, key, index);
    if (moved >= 0 && moved !== index) {
      element.scrollTop = keepPlace(element.scrollTop, moved - index, rowHeight);
      setScrollTop(element.scrollTop);
    }
  }, [rows]);
  useLayoutEffect(() => {
    const at = rows[Math.min(first, rows.length - 1)];
    anchor.current =
      at === undefined ? undefined : { key: getKey(at), index: Math.min(first, rows.length - 1) };
  });

  // What was chosen elsewhere, such as by a link, is shown.
  const hasSelected = selected !== undefined && rows.length > 0;
  useLayoutEffect(() => {
    const index = hasSelected ? rows.findIndex((row) => getKey(row) === selected) : -1;
    if (index < 0) return;
    const element = view.current as HTMLDivElement;
    setActive(selected);
    element.scrollTop = scrollToRow(index, rowHeight, element.scrollTop, element.clientHeight - rowHeight);
    setScrollTop(element.scrollTop);
  }, [selected, hasSelected, rowHeight]);

  const range = findWindow(rows.length, rowHeight, scrollTop, size.height);
  const activeIndex = Math.max(0, active === undefined ? 0 : rows.findIndex((row) => getKey(row) === active));
  const shown: number[] = [];
  for (let index = range.start; index < range.end; index++) shown.push(index);
  // Without it the focus would be lost when its row is scrolled away.
  if (hasFocus && rows.length > 0 && (activeIndex < range.start || activeIndex >= range.end))
    shown.push(activeIndex);

  const focusRow = useRef(false);
  useLayoutEffect(() => {
    if (!focusRow.current) return;
    focusRow.current = false;
    view.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true });
  });

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const row = rows[activeIndex];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (onSelect === undefined || (event.target as Element).getAttribute('role') !== 'row') return;
      event.preventDefault();
      onSelect(row);
      return;
    }
    const target = moveByKey(event.key, activeIndex, rows.length, Math.floor(size.height / rowHeight) - 1);
    const next = target === undefined ? undefined : rows[target];
    if (target === undefined || next === undefined) return;
    event.preventDefault();
    const element = event.currentTarget;
    element.scrollTop = scrollToRow(target, rowHeight, element.scrollTop, element.clientHeight - rowHeight);
    setScrollTop(element.scrollTop);
    setActive(getKey(next));
    focusRow.current = true;
  };

  const template = columns.map(({ width }) => width).join(' ');
  return (
    <div
      class={isWide ? 'grid' : isDense ? 'grid grid-narrow grid-dense' : 'grid grid-narrow'}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      ref={view}
      style={{ '--content': `${(rows.length + (isWide ? 1 : 0)) * rowHeight + 2}px` }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocusIn={() => setHasFocus(true)}
      onFocusOut={() => setHasFocus(false)}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ header }) => (
          <span role="columnheader" key={header}>
            {header}
          </span>
        ))}
      </div>
      <div class="grid-body" role="rowgroup" style={{ height: `${rows.length * rowHeight}px` }}>
        {shown.map((index) => {
          const row = rows[index] as Row;
          const key = getKey(row);
          return (
            <div
              class="grid-row"
              role="row"
              key={key}
              aria-rowindex={index + 2}
              aria-selected={onSelect === undefined ? undefined : key === selected}
              tabIndex={index === activeIndex ? 0 : -1}
              style={{
                height: `${rowHeight}px`,
                transform: `translateY(${index * rowHeight}px)`,
                ...(isWide && { gridTemplateColumns: template }),
              }}
              onFocus={() => setActive(key)}
              onClick={() => onSelect?.(row)}
            >
              {columns.map(({ header, cell, narrow }) =>
                isWide || narrow !== undefined ? (
                  <span role="gridcell" class={`cell cell-${narrow ?? 'wide'}`} key={header}>
                    {cell(row)}
                  </span>
                ) : null,
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Finds a row near where it was, which is quicker than from the start. */
function findNear<Row>(
  rows: readonly Row[],
  getKey: (row: Row) => string,
  key: string,
  index: number,
): number {
  const isAt = (place: number): boolean => {
    const row = rows[place];
    return row !== undefined && getKey(row) === key;
  };
  for (let distance = 0; distance <= rows.length; distance++) {
    if (isAt(index + distance)) return index + distance;
    if (isAt(index - distance)) return index - distance;
  }
  return -1;
}
