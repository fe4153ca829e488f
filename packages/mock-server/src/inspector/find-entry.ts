import { findPlaces } from '@orgchat/spec/numbered-places';

/**
 * Finds a decision (`D62`), a clause (`4.4.40`) or a section (`4.4`) in a Markdown text, and returns its own text with the
 * heading that it is below; undefined if there is none.
 */
export function findEntry(markdown: string, number: string): string | undefined {
  const lines = markdown.split('\n');
  const place = findPlaces(markdown).find((one) => one.number === number);
  if (place === undefined) return undefined;
  if (place.kind !== 'clause') return readSection(lines, place.line);
  const clause = place.line;
  const above = lines.slice(0, clause).findLast((line) => line.startsWith('#')) ?? '';
  const line = lines[clause] ?? '';
  if (!line.startsWith('|')) return `${above}\n\n${line}\n`;
  // A row means little without the head of its table.
  const head = lines.findLastIndex((one, index) => index < clause && !one.startsWith('|')) + 1;
  return `${above}\n\n${[...lines.slice(head, head + 2), line].join('\n')}\n`;
}

/** A heading and all that is below it. */
function readSection(lines: readonly string[], start: number): string {
  const level = lines[start]?.indexOf(' ') ?? 0;
  const isNext = (line: string, index: number): boolean =>
    index > start && /^#+ /.test(line) && line.indexOf(' ') <= level;
  const end = lines.findIndex(isNext);
  return `${lines
    .slice(start, end < 0 ? undefined : end)
    .join('\n')
    .trimEnd()}\n`;
}
