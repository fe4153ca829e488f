import { toAnchor } from './anchors.ts';

/** The beginning of what was decided, and the first sentence of it. Code may have a period. */
const rule = /^- \*\*(?:What we do|Decision):\*\*\s+(?:- )?((?:`[^`\n]*`|[^`\n])*?)(?:\.(?= |$)|:?$)/m;

/** Of longer ones, the title says more. */
const longest = 190;

/** The clauses that leave a decision open: the first item of its entry. */
const clauses =
  /^- \*\*The contract does not define this in:\*\* (.*)\n((?:(?!#).*\n)*?)(?=\n*(?:#|$(?![\s\S])))/gm;

/** Lets each decision begin with what was decided: its clauses, as links, are below it. */
export const moveClauses = (text: string, specification: string): string =>
  text.replace(clauses, (_entry, numbers: string, others: string) => {
    const linked = numbers.replace(/\d+(?:\.\d+)+/g, (number) =>
      specification.includes(`**${number}**`) || specification.includes(`\n### ${number} `)
        ? `[${number}](/reference/specification#${number})`
        : number,
    );
    return `${others.trimEnd()}\n- <small>The contract leaves it open in ${linked}</small>\n`;
  });

/** Instead of its heading, the index has links to its groups. */
export function linkGroups(text: string): string {
  const links: string[] = [];
  const named = text.replace(/^\*\*(.+)\*\*$/gm, (line, group: string) => {
    const anchor = `index-${toAnchor(group)}`;
    links.push(`[${group}](#${anchor})`);
    return `${line} {#${anchor}}`;
  });
  return named.replace(/^## Index$/m, () => `${links.join('\n')} {.groups}`);
}

/** The decisions that `orgchat contract check` asks a server about: a table of the section about it. */
function listChecked(text: string): ReadonlySet<string> {
  const [, table = ''] = /^\| decisions \| asked by \|\n((?:\|.*\n)*)/m.exec(text) ?? [];
  return new Set(table.match(/\bD\d+\b/g));
}

/**
 * Adds to the entries of the index of decisions what was decided in short, which is its first sentence, and whether a server can
 * be asked about it.
 */
export function addAnswers(text: string): string {
  const entries = new Map(
    Array.from(text.matchAll(/^### (D\d+) .*\n((?:(?!#).*\n)*)/gm), ([, number = '', body = '']) => [
      number,
      rule.exec(body)?.[1] ?? '',
    ]),
  );
  const checked = listChecked(text);
  return text.replace(/^- \[(D\d+) .*$/gm, (line, number: string) => {
    const title = line.replace(/^- \[D\d+ /, `- [<small>${number}\u00a0</small>`);
    const row = checked.has(number) ? `${title} <small>can be checked</small>` : title;
    const answer = entries.get(number) ?? '';
    return answer === '' || answer.length > longest ? row : `${row}\\\n  <small>${answer}.</small>`;
  });
}
