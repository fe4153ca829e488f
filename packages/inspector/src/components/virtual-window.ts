/* The arithmetic of long lists: which rows to render, and where to scroll. All lengths are in pixels. */

export interface VirtualWindow {
  /** The first row to render. */
  readonly start: number;
  /** The row after the last to render. */
  readonly end: number;
}

/** Rows above and below the visible ones, so that scrolling shows no gap. */
const overscan = 8;

/** The rows to render: those that are visible, and some around them. */
export function findWindow(
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
): VirtualWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const visible = Math.ceil(viewHeight / rowHeight) + 1;
  const start = Math.max(0, Math.min(first, count - visible) - overscan);
  return { start, end: Math.min(count, Math.min(first, count) + visible + overscan) };
}

/** Where to scroll so that a row is visible; the same place if it is visible already. */
export function scrollToRow(index: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + viewHeight) return top + rowHeight - viewHeight;
  return scrollTop;
}

/**
 * Where to scroll after rows were added above, so that what a person reads stays where it is. At the very top the newest
 * rows are shown instead.
 */
export function keepPlace(scrollTop: number, rowsAdded: number, rowHeight: number): number {
  return scrollTop <= 0 ? scrollTop : Math.max(0, scrollTop + rowsAdded * rowHeight);
}

/** The row that a key moves to; undefined if it is not a key for moving. */
export function moveByKey(
  key: string,
  index: number,
  count: number,
  rowsPerPage: number,
): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + rowsPerPage,
    PageUp: index - rowsPerPage,
    Home: 0,
    End: count - 1,
  };
  const target = moves[key];
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target));
}
