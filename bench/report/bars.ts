import type { Row } from '../support/row.ts';
import type { Spread } from '../support/statistics.ts';
import { number } from './format-figures.ts';
import { bar, type Drawn, type Place, text, vertical, whisker } from './shapes.ts';

const pitch = 20;
const thick = 13;
/** Widths around the bars: names on the left, figures on the right. */
const names = 168;
const figures = 56;
const ours = 'orgchat';

interface Bar {
  readonly name: string;
  readonly spread: Spread;
}

/** Our bar and those of the peers, the best first. */
function barsOf(rows: readonly Row[], isMoreBetter: boolean): Bar[] {
  const bars = rows.flatMap(({ peer, theirs }): Bar[] =>
    peer === undefined || theirs === undefined ? [] : [{ name: peer, spread: theirs }],
  );
  if (rows[0] !== undefined) bars.push({ name: ours, spread: rows[0].ours });
  const sign = isMoreBetter ? -1 : 1;
  return bars.sort((a, b) => sign * (a.spread.median - b.spread.median));
}

/** The value that our figure must reach, for the strictest target of these rows. */
function goalOf(rows: readonly Row[]): number | undefined {
  const goals = rows.flatMap(({ target, theirs, how }): number[] => {
    if (target === undefined) return [];
    const bound = 'atLeast' in target ? target.atLeast : target.atMost;
    if (theirs === undefined) return [bound];
    return [how === '×' ? bound * theirs.median : bound + theirs.median];
  });
  const isLeast = rows.some(({ target }) => target !== undefined && 'atLeast' in target);
  return goals.length === 0 ? undefined : isLeast ? Math.max(...goals) : Math.min(...goals);
}

export interface Panel {
  readonly title: string;
  /** One measurement, compared with several peers. */
  readonly rows: readonly Row[];
  readonly isMoreBetter: boolean;
}

/** A bar for each contestant, as long as its median, with the middle half of its rounds; a line for the target. */
export function panel({ title, rows, isMoreBetter }: Panel, { x, y, width }: Place): Drawn {
  const bars = barsOf(rows, isMoreBetter);
  const goal = goalOf(rows);
  const zero = x + names;
  const most = Math.max(...bars.map(({ spread }) => spread.upper), goal ?? 0);
  const at = (value: number): number => zero + (Math.max(value, 0) / most) * (width - names - figures);
  const top = y + 14;
  const bottom = top + bars.length * pitch;
  const lines = [text(x, y, title, 'head')];
  bars.forEach(({ name, spread: { lower, median, upper } }, i) => {
    const from = top + i * pitch;
    const middle = from + thick / 2;
    const isOurs = name === ours;
    lines.push(
      text(zero - 8, middle + 4, name, isOurs ? 'strong' : '', 'end'),
      bar(zero, from, at(median) - zero, thick, isOurs ? 'ours' : 'theirs'),
      ...whisker(at(lower), at(upper), middle),
    );
  });
  if (goal !== undefined) {
    lines.push(
      vertical(at(goal), top - 4, bottom, 'goal', 'stroke-dasharray="4 3"'),
      text(at(goal), bottom + 12, `target ${isMoreBetter ? '≥' : '≤'} ${number(goal)}`, 'goal', 'middle'),
    );
  }
  // Above the target line, which may cross them.
  bars.forEach(({ name, spread: { median, upper } }, i) => {
    const kind = name === ours ? 'halo strong' : 'halo faint';
    lines.push(text(at(upper) + 7, top + i * pitch + thick / 2 + 4, number(median), kind));
  });
  return { lines, bottom: bottom + 18 };
}
