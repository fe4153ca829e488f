import { fieldOf, flatten } from './fields.ts';
import { plainLine } from './plain.ts';
import { cut, displayWidth, padEnd } from './width.ts';

const longest = 60;
const gap = '  ';

/** Colours are for a terminal that wants them (https://no-color.org). */
const colors = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;
const bold = (text: string): string => (colors() ? `\u001b[1m${text}\u001b[22m` : text);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return plainLine(typeof value === 'string' ? value : JSON.stringify(value));
}

const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((text, at) => padEnd(text, widths[at] ?? 0))
    .join(gap)
    .trimEnd();

/** Many things, one a row. Off a terminal nothing is cut short: another program may read it. */
export function rowTable(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return '';
  const head = columns.map((column) => column.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase());
  const most = process.stdout.isTTY ? longest : Number.POSITIVE_INFINITY;
  const cells = rows.map((row) => columns.map((column) => cut(cell(fieldOf(row, column)), most)));
  const widths = head.map((name, at) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[at] ?? '')), displayWidth(name)),
  );
  return `${[bold(line(head, widths)), ...cells.map((row) => line(row, widths))].join('\n')}\n`;
}

/** One thing, one field a row. */
export function fieldTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${cell(value)}\n`;
  const fields = flatten(value as Record<string, unknown>).filter(([, part]) => part !== undefined);
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, part]) => `${bold(padEnd(name, width))}${gap}${cell(part)}\n`).join('');
}
