import { heldOf, isMet, type Row } from '../support/row.ts';
import { heldUnit, spreadText, targetText, withUnit } from './format-figures.ts';

const verdict = (row: Row): string => {
  const met = isMet(row);
  return met === undefined ? '' : met ? 'met' : '**missed**';
};

const signs = { '×': '÷', '−': '−' } as const;

const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function cells(row: Row): string {
  const { what, ours, unit, peer, theirs, how } = row;
  const comparison = peer === undefined || how === undefined ? '' : `${signs[how]} ${peer}`;
  const other = theirs === undefined ? '' : withUnit(theirs.median, unit);
  const held = spreadText(heldOf(row), heldUnit(row));
  return line(what, withUnit(ours.median, unit), comparison, other, held, targetText(row), verdict(row));
}

/** One table. The name of each group has its own row. */
export function table(rows: readonly Row[]): string {
  const lines = [
    line('measured', 'orgchat', 'compared with', 'its figure', 'result: median (middle half)', 'target', ''),
    line('---', '---:', '---', '---:', '---', '---:', '---'),
  ];
  let group = '';
  for (const row of rows) {
    const { title } = row.group;
    if (title !== group) lines.push(line(`**${title}**`, '', '', '', '', '', ''));
    group = title;
    lines.push(cells(row));
  }
  return `${lines.join('\n')}\n`;
}
