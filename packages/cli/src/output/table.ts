import Table from 'cli-table3';
import { fieldOf, flatten } from './fields.ts';
import { plainLine } from './plain.ts';

const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

const longest = 60;

/** Colours are for a terminal that wants them (https://no-color.org). */
const colors = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;

function cell(value: unknown, cut: boolean): string {
  if (value === null || value === undefined) return '-';
  const text = plainLine(typeof value === 'string' ? value : JSON.stringify(value));
  const characters = [...text];
  return cut && characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

function render(table: InstanceType<typeof Table>): string {
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** Many things, one a row. Off a terminal nothing is cut short: another program may read it. */
export function rowTable(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return '';
  const cut = process.stdout.isTTY === true;
  const table = new Table({
    head: columns.map((column) => column.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase()),
    chars: bare,
    style: { head: colors() ? ['bold'] : [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(columns.map((column) => cell(fieldOf(row, column), cut)));
  return render(table);
}

/** One thing, one field a row. */
export function fieldTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${cell(value, false)}\n`;
  const table = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  const paint = colors()
    ? (name: string): string => `\u001b[1m${name}\u001b[22m`
    : (name: string): string => name;
  for (const [name, part] of flatten(value as Record<string, unknown>))
    table.push([paint(name), cell(part, false)]);
  return render(table);
}
