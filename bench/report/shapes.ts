/* The shapes of the picture, as SVG text, so that no drawing library needs to be installed. */

/** Lines of SVG, and the bottom of what they draw. */
export interface Drawn {
  readonly lines: readonly string[];
  readonly bottom: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Follows the light or dark mode of the reader. The background is drawn for pages that do not follow it. */
export const style = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 19px; }
  .head { font-weight: 600; font-size: 14px; }
  .strong { font-weight: 600; }
  .faint { fill: #59636e; }
  .axis { stroke: #d1d9e0; }
  .halo { stroke: #ffffff; stroke-width: 4px; paint-order: stroke; }
  .spread { stroke: #1f2328; stroke-width: 1.3; fill: none; }
  rect.ours { fill: #54aeff; } rect.theirs { fill: #c4ccd5; }
  line.goal { stroke: #bc4c00; stroke-width: 1.5; } text.goal { fill: #bc4c00; }
  .met { fill: #1a7f37; stroke: #1a7f37; } .missed { fill: #cf222e; stroke: #cf222e; }
  text.met, text.missed { stroke: none; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .faint { fill: #9198a1; } .axis { stroke: #3d444d; } .paper { fill: #0d1117; }
    .spread { stroke: #e6edf3; } .halo { stroke: #0d1117; }
    rect.ours { fill: #1f6feb; } rect.theirs { fill: #4a525c; }
    line.goal { stroke: #f0883e; } text.goal { fill: #f0883e; }
    .met { fill: #3fb950; stroke: #3fb950; } .missed { fill: #f85149; stroke: #f85149; }
  }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const short = (value: number): string => value.toFixed(1);

export type Anchor = 'start' | 'middle' | 'end';

export const text = (x: number, y: number, content: string, kind = '', anchor: Anchor = 'start'): string =>
  `<text x="${short(x)}" y="${short(y)}" class="${kind}" text-anchor="${anchor}">${escaped(content)}</text>`;

export const bar = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect class="${kind}" x="${short(x)}" y="${short(y)}" width="${short(Math.max(width, 1))}" height="${height}" rx="2"/>`;

export const vertical = (x: number, top: number, bottom: number, kind: string, more = ''): string =>
  `<line class="${kind}" x1="${short(x)}" x2="${short(x)}" y1="${short(top)}" y2="${short(bottom)}" ${more}/>`;

export const horizontal = (from: number, to: number, y: number, kind: string, more = ''): string =>
  `<line class="${kind}" x1="${short(from)}" x2="${short(to)}" y1="${short(y)}" y2="${short(y)}" ${more}/>`;

export const dot = (x: number, y: number, kind: string): string =>
  `<circle class="${kind}" cx="${short(x)}" cy="${short(y)}" r="4"/>`;

/** A line over a spread, with a stop at each end. */
export const whisker = (from: number, to: number, y: number): string[] =>
  to - from < 1.5
    ? []
    : [
        horizontal(from, to, y, 'spread'),
        vertical(from, y - 3, y + 3, 'spread'),
        vertical(to, y - 3, y + 3, 'spread'),
      ];
