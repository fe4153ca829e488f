import { fieldOf, flatten } from './fields.ts';
import { plainLine } from './plain.ts';
import { columnsOf, painter } from './terminal.ts';
import { cut, displayWidth, padEnd } from './width.ts';

const longest = 60;
const gap = '  ';

const bold = (text: string): string => painter('stdout')('bold', text);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return plainLine(typeof value === 'string' ? value : JSON.stringify(value));
}

const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((text, at) => padEnd(text, widths[at] ?? 0))
    .join(gap)
    .trimEnd();

/** An id is of no use when it is cut short, and this is how wide one is. */
const narrowest = 36;

/** Takes from the widest columns until the row fits; where even that is not enough it may run over. */
function fitted(needed: readonly number[], columns: number): number[] {
  const widths = needed.map((width) => Math.min(width, longest));
  const total = (): number => widths.reduce((sum, width) => sum + width + gap.length, -gap.length);
  while (total() > columns) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Many things, one a row. Off a terminal nothing is cut short: another program may read it. */
export function rowTable(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return '';
  const head = columns.map((column) => column.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase());
  const whole = rows.map((row) => columns.map((column) => cell(fieldOf(row, column))));
  const needed = head.map((name, at) =>
    whole.reduce((width, row) => Math.max(width, displayWidth(row[at] ?? '')), displayWidth(name)),
  );
  const columnsThere = columnsOf('stdout');
  const widths = columnsThere === undefined ? needed : fitted(needed, columnsThere);
  const cells = whole.map((row) => row.map((text, at) => cut(text, widths[at] ?? 0)));
  return `${[bold(line(head, widths)), ...cells.map((row) => line(row, widths))].join('\n')}\n`;
}

/** One thing, one field a row. */
export function fieldTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${cell(value)}\n`;
  const fields = flatten(value as Record<string, unknown>)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]): [string, unknown] => [plainLine(name), part]);
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, part]) => `${bold(padEnd(name, width))}${gap}${cell(part)}\n`).join('');
}
