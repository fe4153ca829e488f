import { heldOf, isMet, type Row } from '../support/row.ts';
import type { Spread } from '../support/statistics.ts';
import { heldUnit, number, targetText } from './format-figures.ts';
import { type Drawn, dot, horizontal, type Place, text, vertical } from './shapes.ts';

const pitch = 19;
const labels = 440;
const results = 150;
const least = 1 / 4;
const most = 16;

/** The factor by which a figure meets its target: 1 is just met, more is better, for minimum and maximum targets. */
export function marginOf(row: Row): Pick<Spread, 'lower' | 'median' | 'upper'> | undefined {
  const { target } = row;
  if (target === undefined) return undefined;
  const { lower, median, upper } = heldOf(row);
  if ('atLeast' in target) {
    const of = (value: number): number => value / target.atLeast;
    return { lower: of(lower), median: of(median), upper: of(upper) };
  }
  // Zero or less meets any maximum target.
  const of = (value: number): number => (value <= 0 ? Number.POSITIVE_INFINITY : target.atMost / value);
  return { lower: of(upper), median: of(median), upper: of(lower) };
}

const signs = { '×': '÷', '−': '−' } as const;

function labelOf({ what, peer, how }: Row): string {
  const label = peer === undefined || how === undefined ? what : `${what} ${signs[how]} ${peer}`;
  return label.length > 66 ? `${label.slice(0, 65).trimEnd()}…` : label;
}

/** Values beyond the scale are drawn at its ends. */
function tickName(tick: number): string {
  if (tick === 1) return 'target';
  const name = tick < 1 ? `÷ ${1 / tick}` : `× ${tick}`;
  return tick === least || tick === most ? `${name} or more` : name;
}

/** Every figure that has a target, on a scale of doublings that ends on both sides. */
export function margins(rows: readonly Row[], { x, y, width }: Place): Drawn {
  const start = x + labels;
  const plot = width - labels - results;
  const at = (margin: number): number =>
    start + (Math.log2(Math.min(most, Math.max(least, margin)) / least) / Math.log2(most / least)) * plot;
  const lines: string[] = [];
  let next = y + 10;
  let group = '';
  for (const row of rows) {
    const margin = marginOf(row);
    if (margin === undefined) continue;
    const { title } = row.group;
    if (title !== group) {
      next += 6;
      lines.push(text(x, next, title, 'strong'));
      next += pitch;
    }
    group = title;
    const kind = isMet(row) ? 'met' : 'missed';
    lines.push(
      text(start - 14, next, labelOf(row), '', 'end'),
      horizontal(at(margin.lower), at(margin.upper), next - 4, kind, 'stroke-width="2.5" opacity="0.55"'),
      dot(at(margin.median), next - 4, kind),
      text(start + plot + 14, next, `${number(heldOf(row).median)} ${heldUnit(row)}`, kind),
      text(x + width, next, targetText(row), 'faint', 'end'),
    );
    next += pitch;
  }
  const bottom = next - pitch + 8;
  const axis: string[] = [];
  for (let tick = least; tick <= most; tick *= 2) {
    const isTarget = tick === 1;
    axis.push(
      vertical(at(tick), y, bottom, isTarget ? 'goal' : 'axis', isTarget ? '' : 'stroke-dasharray="2 4"'),
    );
    axis.push(text(at(tick), bottom + 15, tickName(tick), isTarget ? 'goal' : 'faint', 'middle'));
  }
  return { lines: [...axis, ...lines], bottom: bottom + 22 };
}
