import { heldOf, isMet, type Row } from '../support/row.ts';
import { heldUnit, spreadText, targetText } from './format-figures.ts';

function missedLine(row: Row): string {
  const { what, group, peer, target, spentOn } = row;
  const { lower, upper } = heldOf(row);
  const bound = target === undefined ? Number.NaN : 'atLeast' in target ? target.atLeast : target.atMost;
  const comparison = peer === undefined ? '' : ` compared with ${peer}`;
  const narrowly = lower <= bound && bound <= upper ? ' The target is within the spread.' : '';
  const reason = spentOn === undefined ? '' : ` ${spentOn}`;
  return `- **${group.title}: ${what}**${comparison}: ${spreadText(heldOf(row), heldUnit(row))}. Target: ${targetText(row)}.${narrowly}${reason}`;
}

/** First what went wrong: suites that failed, and missed targets. */
export function summary(rows: readonly Row[], failed: readonly string[]): string {
  const held = rows.filter((row) => row.target !== undefined);
  const missed = held.filter((row) => isMet(row) === false);
  const count = `${held.length - missed.length} of ${held.length} targets are met`;
  const lines = missed.length === 0 ? [`${count}.`] : [`${count}. Missed:`, '', ...missed.map(missedLine)];
  if (failed.length > 0)
    lines.unshift(`**Not measured because these suites failed: ${failed.join(', ')}.**`, '');
  return `${lines.join('\n')}\n`;
}

/** Explains each group of rows. */
export function groups(rows: readonly Row[]): string {
  const all = new Map(rows.map(({ group }) => [group.title, group.about]));
  return [...all].map(([title, about]) => `- **${title}.** ${about}\n`).join('');
}
