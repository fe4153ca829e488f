import { formatPlan, type PlanTextOptions, type PlanWithNames } from './format-plan.ts';

/** The signs of a plan, as a block of the kind `diff` has them in its first column. */
const diffSigns: Readonly<Record<string, string>> = { '+': '+', '-': '-', '~': '!' };

function toDiffLine(line: string): string {
  const [, indent = '', sign = '', rest = ''] = /^( +)([+~-])( .*)$/.exec(line) ?? [];
  return sign === '' ? ` ${line}`.trimEnd() : `${diffSigns[sign]}${indent}${rest.slice(1)}`;
}

/** A fence that nothing in the text can close. */
function createFence(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length + 1));
  return '`'.repeat(Math.max(3, ...runs));
}

/**
 * A plan as Markdown: all of it in a block of code, so that no name or text of a record is read as Markdown, as HTML or as the
 * name of a person.
 */
export function formatMarkdownPlan({ plan, findName }: PlanWithNames, options?: PlanTextOptions): string {
  const text = formatPlan(plan, findName, undefined, options);
  const lines = text.trimEnd().split('\n').map(toDiffLine);
  const fence = createFence(lines);
  return `### Plan of the messaging configuration\n\n${fence}diff\n${lines.join('\n')}\n${fence}\n`;
}
