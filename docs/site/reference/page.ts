/** A page that is made from the sources. */
export interface GeneratedPage {
  readonly path: string;
  readonly title: string;
  /** The group of the navigation. */
  readonly group: string;
  /** Markdown whose first heading is the title. */
  readonly text: string;
}

/** A paragraph, table or block of code each, with an empty line between them. */
export const joinBlocks = (...blocks: readonly (string | readonly string[])[]): string =>
  `${blocks
    .flat()
    .filter((block) => block !== '')
    .join('\n\n')}\n`;

/** A table, or nothing if it has no rows. */
export const toTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const toCode = (language: string, code: string): string => `\`\`\`\`${language}\n${code}\n\`\`\`\``;

/** Inline code, also in a table. */
export const toInlineCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** Code, flags, variables, quoted words, names of fields and headers, and values such as 30s of a text. */
const codePattern =
  /"([^"]+)"|`([^`]+)`|((?<![\w-])(?:--[a-z][\w-]*|ORGCHAT_[A-Z_]+)|\b[a-z]+[A-Z][a-z]\w*|\b(?:X-Request-Id|Retry-After|Idempotency-Key)\b|(?<=such as )\S*[\d/=]\S*?(?=[;:,.)]?(?:\s|$))|(?<=; )-(?= is ))/g;

const escapeMarks = (text: string): string => text.replace(/[\\`*_[\]<>|]|\{\{/g, (found) => `\\${found}`);

/** Text of the sources as Markdown that also fits into a table. */
export function toMarkdown(text: string): string {
  // A default is on the line of its word.
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/(?<=\bDefault:) /gi, '\u00a0');
  let end = 0;
  let result = '';
  for (const { 0: found, 1: quoted, 2: code, index } of line.matchAll(codePattern)) {
    result += escapeMarks(line.slice(end, index)) + toInlineCode(quoted ?? code ?? found);
    end = index + found.length;
  }
  return result + escapeMarks(line.slice(end));
}

/** A text of the sources as a sentence. */
export function toSentence(text: string): string {
  const sentence = toMarkdown(text);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.:!?]$/.test(sentence) ? '' : '.'}`;
}
