import type { Row, Unit } from '../support/row.ts';
import type { Spread } from '../support/statistics.ts';

/** Three significant digits. */
function number(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const withUnit = (value: number, unit: Unit | '×'): string => `${number(value)} ${unit}`;

/** The median and the middle half of the rounds; for one round, the figure alone. */
export function spreadText({ median, lower, upper, rounds }: Spread, unit: Unit | '×'): string {
  const middle = `**${withUnit(median, unit)}**`;
  return rounds === 1 ? middle : `${middle} (${number(lower)} – ${number(upper)})`;
}

/** The unit of the value that is compared with the target. */
export const heldUnit = ({ how, unit }: Row): Unit | '×' => (how === '×' ? '×' : unit);

export function targetText(row: Row): string {
  const { target } = row;
  if (target === undefined) return '';
  const [sign, value] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost];
  return `${sign} ${value.toLocaleString('en')} ${heldUnit(row)}`;
}
