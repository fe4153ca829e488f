import type { Spread } from '../support/rounds.ts';
import { isMet, type Row, type Unit } from '../support/row.ts';

/** Three digits that say something. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const withUnit = (value: number, unit: Unit): string => `${number(value)} ${unit}`;

const spread = ({ min, median, max }: Spread): string =>
  `**${number(median)}** (${number(min)} – ${number(max)})`;

function comparison({ compared, how, unit, ours }: Row): string {
  if (compared === undefined || how === undefined) return `${spread(ours)} ${unit}`;
  return how === '×' ? `${spread(compared)} ×` : `${spread(compared)} ${unit}`;
}

function target({ target: held, how, unit }: Row): string {
  if (held === undefined) return '';
  const [sign, value] = 'atLeast' in held ? ['≥', held.atLeast] : ['≤', held.atMost];
  return `${sign} ${value} ${how === '×' ? '×' : unit}`;
}

const verdict = (row: Row): string => {
  const met = isMet(row);
  return met === undefined ? '' : met ? 'met' : '**missed**';
};

const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function cells(row: Row): string {
  const { what, ours, unit, peer = '', theirs } = row;
  const other = theirs === undefined ? '' : withUnit(theirs.median, unit);
  return line(what, withUnit(ours.median, unit), peer, other, comparison(row), target(row), verdict(row));
}

/** One table; a group's name stands in a line of its own. */
export function table(rows: readonly Row[]): string {
  const lines = [
    line('what', 'orgchat', 'beside', 'that', 'compared: median (min – max)', 'target', ''),
    line('---', '---:', '---', '---:', '---', '---', '---'),
  ];
  let group = '';
  for (const row of rows) {
    if (row.group !== group) lines.push(line(`**${row.group}**`, '', '', '', '', '', ''));
    group = row.group;
    lines.push(cells(row));
  }
  return `${lines.join('\n')}\n`;
}
