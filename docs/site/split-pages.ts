import { toAnchor } from './anchors.ts';
import type { Part, Source } from './sources.ts';

export interface Page {
  readonly source: Source;
  readonly part: Part;
  /** The address, without the extension: `/how-to/sdk/recipes`. */
  readonly path: string;
  readonly title: string;
  /** Markdown whose first heading is the title. */
  readonly text: string;
  /** The anchors of the repository's text that are on this page, with those that the page has. */
  readonly anchors: ReadonlyMap<string, string>;
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

const contentsHeading = 'Contents';

/** No text has it. */
const sectionMark = '\u0000';

/** Text between code blocks, and the blocks, in turn. */
const codeBlock = /^([ \t]*(?:```|~~~)[^\n]*\n[\s\S]*?^[ \t]*(?:```|~~~)[ \t]*)$/m;

/** Applies a function to the text between code blocks. */
export const mapProse = (text: string, change: (prose: string) => string): string =>
  text
    .split(codeBlock)
    .map((piece, index) => (index % 2 === 0 ? change(piece) : piece))
    .join('');

/** The sections of the second level. The first one has the title of the text and what follows it. */
function splitSections(text: string): Section[] {
  // A line of code that looks like a heading is not one.
  const marked = mapProse(text, (prose) => prose.replace(/^(?=##? )/gm, sectionMark));
  return marked
    .split(sectionMark)
    .slice(1)
    .map((section) => ({ heading: /^#+ (.+)/.exec(section)?.[1] ?? '', text: section.trimEnd() }));
}

/** The anchors of headings, as the repository's host gives them: a repeated one gets a number. */
function listAnchors(text: string, seen: Map<string, number>): Map<string, string> {
  const anchors = new Map<string, string>();
  const own = new Map<string, number>();
  const count = (counts: Map<string, number>, anchor: string): string => {
    const times = counts.get(anchor) ?? 0;
    counts.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
  mapProse(text, (prose) => {
    for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
      const inRepository = plain
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      anchors.set(count(seen, inRepository), count(own, toAnchor(plain)));
    }
    return prose;
  });
  return anchors;
}

/** Makes the heading of a section the title of its page. No level is left out, for those who navigate by headings. */
function promote(text: string): string {
  let level = 0;
  return mapProse(text, (prose) =>
    prose.replace(/^#(#+)(?= )/gm, (_, marks: string) => {
      level = Math.min(marks.length, level + 1);
      return '#'.repeat(level);
    }),
  );
}

const toPart = ({ part, sections = {} }: Source, heading: string): Part =>
  (Object.keys(sections) as Part[]).find((name) => sections[name]?.includes(heading)) ?? part;

/** The pages that a text becomes. Its list of contents is on the first one. */
export function splitPages(source: Source, text: string): Page[] {
  const seen = new Map<string, number>();
  if (source.isSplit !== true) {
    const path = `/${source.part}/${source.name}`.replace(/\/index$/, '/');
    const title = source.title;
    return [{ source, part: source.part, path, title, text, anchors: listAnchors(text, seen) }];
  }
  const [first, ...sections] = splitSections(text);
  if (first === undefined) throw new Error(`${source.file} has no heading.`);
  const contents = sections.find(({ heading }) => heading === contentsHeading)?.text ?? '';
  const shown = [first.text, promote(contents).replace(/^# .*/, '')].join('\n').trimEnd();
  const intro: Page = {
    source,
    part: source.part,
    path: `/${source.part}/${source.name}/`,
    title: 'Overview',
    text: shown,
    anchors: new Map([...listAnchors(shown, seen), ['contents', '']]),
  };
  const pages = sections
    .filter(({ heading }) => heading !== contentsHeading && source.omitted?.includes(heading) !== true)
    .map(({ heading, text: own }): Page => {
      const part = toPart(source, heading);
      const path = `/${part}/${source.name}/${toAnchor(heading)}`;
      const [[title = ''] = [], ...others] = listAnchors(own, seen);
      const anchors = new Map([[title, ''], ...others]);
      return { source, part, path, title: heading.replaceAll('`', ''), text: promote(own), anchors };
    });
  return [intro, ...pages];
}
