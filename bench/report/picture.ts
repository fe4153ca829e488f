import type { Spread } from '../support/rounds.ts';
import { isMet, type Row } from '../support/row.ts';
import { number } from './table.ts';

/*
 * The picture: above, how many requests a second each server answers; below, how far each figure is from its
 * target. It is drawn by hand so that nothing need be installed for it, and follows the reader's light or dark.
 */

const width = 920;
const left = 330;
const right = 90;
const line = 22;
const plot = width - left - right;

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .faint { fill: #59636e; }
  .axis { stroke: #818b98; }
  .ours { fill: #0969da; } .theirs { fill: #afb8c1; }
  .met { fill: #1a7f37; stroke: #1a7f37; } .missed { fill: #cf222e; stroke: #cf222e; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .faint { fill: #9198a1; } .axis { stroke: #656c76; } .paper { fill: #0d1117; }
    .ours { fill: #4493f8; } .theirs { fill: #484f58; }
    .met { fill: #3fb950; stroke: #3fb950; } .missed { fill: #f85149; stroke: #f85149; }
  }`;

const plain = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y}" ${more}>${plain(content)}</text>`;

const label = (y: number, content: string): string => text(left - 10, y, content, 'text-anchor="end"');

/** Bars of the rates of one kind of request, the fastest first. */
function bars(rows: readonly Row[], what: string, top: number): { drawn: string[]; bottom: number } {
  const found = rows.filter((row) => row.what === what && row.unit === 'req/s' && row.peer !== undefined);
  const all = found.map(({ peer = '', theirs }) => ({
    name: peer,
    rate: theirs?.median ?? 0,
    kind: 'theirs',
  }));
  if (found[0]) all.push({ name: 'orgchat mock server', rate: found[0].ours.median, kind: 'ours' });
  all.sort((a, b) => b.rate - a.rate);
  const most = all[0]?.rate ?? 1;
  const drawn = all.flatMap(({ name, rate, kind }, i) => {
    const y = top + i * line;
    const length = (rate / most) * plot;
    const bar = `<rect class="${kind}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="14" rx="2"/>`;
    return [label(y + 12, name), bar, text(left + length + 6, y + 12, number(rate), 'class="faint"')];
  });
  return { drawn, bottom: top + all.length * line };
}

/** How often a figure beats its target: 1 is just met, more is better, whichever way the target points. */
function margin({ target, compared, ours }: Row): Spread | undefined {
  const { min, median, max } = compared ?? ours;
  if (target === undefined) return undefined;
  if ('atLeast' in target) {
    const of = (value: number): number => value / target.atLeast;
    return { min: of(min), median: of(median), max: of(max) };
  }
  // Nothing, or less than nothing, beats any such target; the scale has an end.
  const of = (value: number): number => (value <= 0 ? 1e6 : target.atMost / value);
  return { min: of(max), median: of(median), max: of(min) };
}

const least = 1 / 4;
const most = 16;
/** The place of a margin on a scale of doublings that ends on both sides. */
const place = (value: number): number =>
  left + (Math.log2(Math.min(most, Math.max(least, value)) / least) / Math.log2(most / least)) * plot;

function targets(rows: readonly Row[], top: number): { drawn: string[]; bottom: number } {
  const held = rows.filter(({ target }) => target !== undefined);
  const bottom = top + held.length * line;
  const drawn: string[] = [];
  for (let tick = least; tick <= most; tick *= 2) {
    const x = place(tick).toFixed(1);
    const strong = tick === 1 ? 'stroke-width="2"' : 'stroke-dasharray="2 4"';
    drawn.push(`<line class="axis" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}" ${strong}/>`);
    const name = tick === 1 ? 'target' : tick < 1 ? `1/${1 / tick}` : `${tick} ×`;
    drawn.push(text(Number(x), bottom + 16, name, 'text-anchor="middle" class="faint"'));
  }
  held.forEach((row, i) => {
    const spread = margin(row);
    if (spread === undefined) return;
    const y = top + i * line + 10;
    const kind = isMet(row) ? 'met' : 'missed';
    const [from, middle, to] = [spread.min, spread.median, spread.max].map((value) =>
      place(value).toFixed(1),
    );
    drawn.push(
      label(y + 4, `${row.what}${row.how === '×' && row.peer ? ` / ${row.peer}` : ''}`.slice(0, 48)),
    );
    drawn.push(
      `<line class="${kind}" x1="${from}" x2="${to}" y1="${y}" y2="${y}" stroke-width="2" opacity="0.5"/>`,
    );
    drawn.push(`<circle class="${kind}" cx="${middle}" cy="${y}" r="5"/>`);
  });
  return { drawn, bottom: bottom + 30 };
}

/** An SVG document; rows without rates or targets have no place in it. */
export function picture(rows: readonly Row[]): string {
  const drawn: string[] = [];
  let y = 30;
  const title = (content: string): void => {
    drawn.push(text(16, y, content, 'class="title"'));
    y += 14;
  };
  for (const what of ['read by id', 'create']) {
    title(`Requests a second over HTTP, 20 connections: ${what}`);
    const { drawn: some, bottom } = bars(rows, what, y);
    drawn.push(...some);
    y = bottom + 30;
  }
  title('Every figure beside its target: the median, and from the least to the most of all rounds');
  const { drawn: some, bottom } = targets(rows, y);
  drawn.push(...some);
  const size = `width="${width}" height="${bottom}" viewBox="0 0 ${width} ${bottom}"`;
  const paper = `<rect class="paper" width="${width}" height="${bottom}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>Rates of the servers, and every figure beside its target</title>\n<style>${style}\n</style>\n${paper}\n${drawn.join('\n')}\n</svg>\n`;
}
