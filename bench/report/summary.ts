import { heldOf, isMet, type Row } from '../support/row.ts';
import { heldUnit, spreadText, targetText } from './format-figures.ts';

function missedLine(row: Row): string {
  const { what, group, peer, target, spentOn } = row;
  const { lower, upper } = heldOf(row);
  const bound = target === undefined ? Number.NaN : 'atLeast' in target ? target.atLeast : target.atMost;
  const beside = peer === undefined ? '' : ` beside ${peer}`;
  const narrowly = lower <= bound && bound <= upper ? ' The target lies within the spread.' : '';
  const reason = spentOn === undefined ? '' : ` ${spentOn}`;
  return `- **${group.title}: ${what}**${beside}: ${spreadText(heldOf(row), heldUnit(row))}, where ${targetText(row)} is wanted.${narrowly}${reason}`;
}

/** First of all what did not go as it should: suites that failed, targets that are missed. */
export function summary(rows: readonly Row[], failed: readonly string[]): string {
  const held = rows.filter((row) => row.target !== undefined);
  const missed = held.filter((row) => isMet(row) === false);
  const count = `${held.length - missed.length} of ${held.length} targets are met`;
  const lines = missed.length === 0 ? [`${count}.`] : [`${count}. Missed:`, '', ...missed.map(missedLine)];
  if (failed.length > 0) lines.unshift(`**Not measured, because it failed: ${failed.join(', ')}.**`, '');
  return `${lines.join('\n')}\n`;
}

/** What each group of rows is. */
export function groups(rows: readonly Row[]): string {
  const all = new Map(rows.map(({ group }) => [group.title, group.about]));
  return [...all].map(([title, about]) => `- **${title}.** ${about}\n`).join('');
}
