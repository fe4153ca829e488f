import { displayWidth, truncate } from './display-width.ts';

/** A column of a table, with one text per row. */
export interface Column {
  readonly name: string;
  readonly head: string;
  readonly cells: readonly string[];
}

interface Sized extends Column {
  readonly width: number;
}

export interface Layout {
  readonly columns: readonly Sized[];
  /** Names of the columns that found no room. */
  readonly hidden: readonly string[];
}

/** Between two columns. */
export const gap = '  ';

/** Minimum width of a truncated text. */
const shortestText = 12;

/** Hidden first if the room is short, in this order; then from the right. The first column is never hidden. */
const leastImportant = ['updatedAt', 'createdAt', 'accountId', 'attempts'];

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
/** To the minute, and still a time that names its zone. */
const shortTime = (text: string): string => text.replace(time, '$1 $2Z');

/** Whether a text is useless if it is truncated: an id, a state, a short time. */
const isWhole = (text: string): boolean => /^(?:[\w.-]{0,40}|\d{4}-\d\d-\d\d \d\d:\d\dZ)$/.test(text);

/** A column with its full width and its minimum width. */
interface Measured extends Column {
  readonly natural: number;
  readonly least: number;
}

function measure(column: Column): Measured {
  const { head, cells } = column;
  const natural = cells.reduce((width, text) => Math.max(width, displayWidth(text)), displayWidth(head));
  return { ...column, natural, least: cells.every(isWhole) ? natural : Math.min(natural, shortestText) };
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + gap.length, -gap.length);

/** Shrinks the widest texts until the row fits; other columns keep their width. */
function shrink(columns: readonly Measured[], room: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  for (let excess = total(widths) - room; excess > 0; excess--) {
    let widest = -1;
    widths.forEach((width, at) => {
      if (width > (columns[at]?.least ?? 0) && width > (widths[widest] ?? 0)) widest = at;
    });
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The column to hide next; undefined if only one is left. */
function nextToHide(columns: readonly Measured[]): Measured | undefined {
  const hideable = columns.slice(1);
  const named = leastImportant.map((name) => hideable.find((column) => column.name === name));
  return named.find((column) => column !== undefined) ?? hideable.at(-1);
}

/**
 * Fits a table into `room` columns of a terminal: first it shortens times to the minute, then texts with `…`, then it
 * hides columns. Ids stay complete. Without a limit everything is shown. With `keepAll` no column is hidden, and rows
 * may be too wide.
 */
export function fitColumns(all: readonly Column[], room: number | undefined, keepAll: boolean): Layout {
  const whole = (columns: readonly Column[], widths: readonly number[]): Sized[] =>
    columns.map((column, at) => ({ ...column, width: widths[at] ?? 0 }));
  const natural = all.map((column) => measure(column).natural);
  if (room === undefined || total(natural) <= room) return { columns: whole(all, natural), hidden: [] };

  let columns = all.map((column) => measure({ ...column, cells: column.cells.map(shortTime) }));
  const hidden: string[] = [];
  let widths = shrink(columns, room);
  while (!keepAll && total(widths) > room) {
    const next = nextToHide(columns);
    if (next === undefined) break;
    hidden.push(next.name);
    columns = columns.filter((column) => column !== next);
    widths = shrink(columns, room);
  }
  // A single column that is wider than the terminal is truncated.
  if (!keepAll && columns.length === 1) widths = [Math.min(widths[0] ?? 0, room)];
  const sized = columns.map((column, at): Sized => {
    const width = widths[at] ?? 0;
    return {
      name: column.name,
      head: truncate(column.head, width),
      cells: column.cells.map((text) => truncate(text, width)),
      width,
    };
  });
  return { columns: sized, hidden: all.map(({ name }) => name).filter((name) => hidden.includes(name)) };
}
