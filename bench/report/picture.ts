import type { Row } from '../support/row.ts';
import { type Panel, panel } from './bars.ts';
import { margins } from './margins.ts';
import { style, text } from './shapes.ts';

const width = 1000;
const edge = 20;
const gap = 30;

/** The panels with bars, two next to each other, and the rows that each shows. */
const shown = [
  { group: 'The mock over HTTP', what: 'read by id', title: 'Read by id: answers per second' },
  {
    group: 'The mock over HTTP',
    what: 'replay of a change',
    title: 'Replay of a change: answers per second',
  },
  { group: 'The mock over HTTP', what: 'create', title: 'Create: answers per second' },
  { group: 'The mock over HTTP', what: 'list of 50', title: 'List of 50: answers per second' },
  {
    group: 'The SDK: size',
    what: 'everything',
    title: 'Size of the SDK and others: kB, bundled and gzipped',
  },
  { group: 'The SDK: import', what: 'everything', title: 'Import time of the SDK and others: ms' },
] as const;

function panels(rows: readonly Row[]): Panel[] {
  return shown.flatMap(({ group, what, title }) => {
    const found = rows.filter((row) => row.group.title.startsWith(group) && row.what === what);
    return found.length === 0 ? [] : [{ title, rows: found, isMoreBetter: found[0]?.unit === 'req/s' }];
  });
}

/** An SVG document of the rows that are in a panel or have a target. */
export function picture(rows: readonly Row[]): string {
  const title = 'orgchat compared with other servers and clients';
  const note =
    'Bars: medians of interleaved rounds. Whiskers: the middle half of the rounds. Dashed: the target of orgchat.';
  const lines = [text(edge, 32, title, 'title'), text(edge, 52, note, 'faint')];
  let y = 84;
  const all = panels(rows);
  const half = (width - 2 * edge - gap) / 2;
  for (let i = 0; i < all.length; i += 2) {
    const pair = all
      .slice(i, i + 2)
      .map((one, column) => panel(one, { x: edge + column * (half + gap), y, width: half }));
    lines.push(...pair.flatMap((drawn) => drawn.lines));
    y = Math.max(...pair.map(({ bottom }) => bottom)) + 26;
  }
  lines.push(text(edge, y, 'Every figure next to its target. Right of the line: met', 'head'));
  lines.push(text(edge, y + 18, 'Dots: medians. Lines: the middle half of the rounds.', 'faint'));
  const held = margins(rows, { x: edge, y: y + 30, width: width - 2 * edge });
  lines.push(...held.lines);
  const height = Math.ceil(held.bottom + 6);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const paper = `<rect class="paper" width="${width}" height="${height}" rx="8"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${title}</title>\n<style>${style}\n</style>\n${paper}\n${lines.join('\n')}\n</svg>\n`;
}
