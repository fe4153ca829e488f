import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findDecidedClauses, findPlaces } from '../../../spec/src/numbered-places.ts';
import { arrangeDecisions } from './arrange-decisions.ts';

/** The texts of the contract and of the decisions, as pages and as they are. */
export interface DocFiles {
  readonly specification: DocFile;
  readonly decisions: DocFile;
}

export interface DocFile {
  readonly markdown: string;
  readonly html: string;
}

const folder = fileURLToPath(new URL('../../../spec/', import.meta.url));

/** Not a literal in import(), so that a bundle with a mock from its sources does not contain the parser. */
const parser: string = 'marked';

const pages = { specification: 'The contract', decisions: 'Decisions' } as const;
/** Above the contents, where they are in sight of each place. */
const notes = {
  specification: '',
  decisions:
    '<p>A decision is a choice of this toolkit where the contract is silent. A real server may differ.</p>',
} as const;
type PageName = keyof typeof pages;

/** The files of the texts. */
export const docSources = {
  specification: `${folder}SPECIFICATION.md`,
  decisions: `${folder}DECISIONS.md`,
} as const;

/** Renders both documents. Each clause and each decision has an anchor: its number. */
export async function renderDocs(): Promise<DocFiles> {
  const [specification, decisions] = await Promise.all([
    readFile(docSources.specification, 'utf8'),
    readFile(docSources.decisions, 'utf8'),
  ]);
  return renderTexts({ specification, decisions });
}

/** Renders the texts of both documents; a number in one of them is a link to what it stands for. */
export async function renderTexts(texts: Readonly<Record<PageName, string>>): Promise<DocFiles> {
  const { Marked }: typeof import('marked') = await import(parser);
  const anchors = findAnchors(texts);
  const decided = findDecisions(texts.decisions);
  const render = (page: PageName): DocFile => {
    const contents: Heading[] = [];
    const marked = new Marked({
      renderer: createRenderer(page, anchors, contents, page === 'specification' ? decided : new Map()),
    });
    const shown = page === 'decisions' ? arrangeDecisions(texts.decisions, texts.specification) : texts[page];
    const body = marked.parse(shown, { async: false }) as string;
    return { markdown: texts[page], html: toPage(page, contents, body) };
  };
  return { specification: render('specification'), decisions: render('decisions') };
}

/** The page of each clause, section and decision, by its number. */
const findAnchors = (texts: Readonly<Record<PageName, string>>): Map<string, PageName> =>
  new Map(
    (['specification', 'decisions'] as const).flatMap((page) =>
      findPlaces(texts[page]).map(({ number }) => [number, page] as const),
    ),
  );

interface Decision {
  readonly number: string;
  readonly title: string;
}

/** The decisions about each clause, by its number. */
function findDecisions(decisions: string): ReadonlyMap<string, readonly Decision[]> {
  const clauses = findDecidedClauses(decisions);
  const byClause = new Map<string, Decision[]>();
  for (const { number, title } of findPlaces(decisions))
    for (const clause of clauses.get(number) ?? [])
      byClause.set(clause, [...(byClause.get(clause) ?? []), { number, title }]);
  return byClause;
}

interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const withoutLinks = (html: string): string => html.replace(/<\/?a\b[^>]*>/g, '');

/** The anchor of a heading without a number. */
const toSlug = (text: string): string =>
  withoutLinks(text)
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Decisions and clauses. Two numbers with a dot are one only behind what introduces it. */
const reference =
  /\bD\d+\b|\b\d+\.\d+\.\d+\b|(?<=(?:^|\() ?|, |\b(?:and|to|of|in|section) )\d+\.\d+\b(?!\.\d)/g;

/** The numbers at the beginning of a paragraph or of a row of a table. */
const clauseNumber = /^(<td>)?<strong>(?:<a [^>]*>)?(\d+(?:\.\d+)+)(?:<\/a>)?<\/strong>/;

function createRenderer(
  page: PageName,
  anchors: ReadonlyMap<string, PageName>,
  contents: Heading[],
  decided: ReadonlyMap<string, readonly Decision[]>,
) {
  /** Links to the decisions about a clause that its text does not name. */
  const linkDecisions = (clause: string, text: string): string => {
    const others = (decided.get(clause) ?? []).filter(({ number }) => !text.includes(`#${number}"`));
    if (others.length === 0) return '';
    const links = others.map(
      ({ number, title }) =>
        `<a href="decisions#${number}">${number}</a> ${escapeHtml(title.replaceAll('`', ''))}`,
    );
    return ` <span class="decided">Decided in ${links.join(', ')}</span>`;
  };
  const toHref = (number: string): string => {
    const target = anchors.get(number);
    return `${target === page ? '' : target}#${number}`;
  };
  const ownLink = (number: string): string => `<a class="number" href="#${number}">${number}</a>`;
  return {
    // Markup in a text is text.
    html: escapeHtml,
    text: (text: string): string =>
      text.replace(reference, (number) =>
        anchors.has(number) ? `<a href="${toHref(number)}">${number}</a>` : number,
      ),
    link(href: string, _title: string | null | undefined, text: string): string {
      const [, decision] = /^#d(\d+)-/.exec(href) ?? [];
      const file = { 'SPECIFICATION.md': 'specification', 'DECISIONS.md': 'decisions' }[href];
      const target =
        decision !== undefined ? `#D${decision}` : (file ?? (href.startsWith('#') ? href : undefined));
      return target === undefined
        ? withoutLinks(text)
        : `<a href="${escapeHtml(target)}">${withoutLinks(text)}</a>`;
    },
    heading(html: string, level: number): string {
      const text = withoutLinks(html);
      const [, number] = /^(D\d+|\d+(?:\.\d+)*) /.exec(text) ?? [];
      const id = number ?? toSlug(text);
      if (level === 2 || level === 3) contents.push({ level, id, text });
      const shown = number === undefined ? text : `${ownLink(number)}${text.slice(number.length)}`;
      return `<h${level} id="${escapeHtml(id)}">${shown}</h${level}>\n`;
    },
    paragraph(html: string): string {
      const [found, , number] = clauseNumber.exec(html) ?? [];
      if (found === undefined || number === undefined) return `<p>${html}</p>\n`;
      return `<p id="${number}" class="clause">${ownLink(number)}${html.slice(found.length)}${linkDecisions(number, html)}</p>\n`;
    },
    tablerow(html: string): string {
      const [found, cell, number] = clauseNumber.exec(html) ?? [];
      if (cell === undefined || found === undefined || number === undefined) return `<tr>${html}</tr>\n`;
      const rest = html.slice(found.length).replace(/<\/td>\s*$/, `${linkDecisions(number, html)}</td>`);
      return `<tr id="${number}">${cell}${ownLink(number)}${rest}</tr>\n`;
    },
    tablecell: (html: string, { header }: { header: boolean }): string =>
      header ? `<th scope="col">${html}</th>` : `<td>${html}</td>`,
    image: (_href: string, _title: string | null, text: string): string => text,
    table: (header: string, body: string): string =>
      `<div class="docs-table" tabindex="0" role="group" aria-label="Table"><table><thead>${header}</thead><tbody>${body}</tbody></table></div>\n`,
  };
}

function toPage(page: PageName, contents: readonly Heading[], body: string): string {
  const links = Object.entries(pages).map(
    ([name, title]) => `<a href="${name}"${name === page ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  // A path that is longer than a line breaks behind a slash.
  const toLink = ({ id, text }: Heading): string =>
    `<a href="#${escapeHtml(id)}">${text.replace(/(?<!<)\//g, '/<wbr>')}</a>`;
  const groups: { readonly head: Heading; readonly below: Heading[] }[] = [];
  for (const heading of contents) {
    const group = groups.at(-1);
    if (heading.level === 2 || group === undefined) groups.push({ head: heading, below: [] });
    else group.below.push(heading);
  }
  const items = groups.map(({ head, below }) => {
    const list = below.map((heading) => `<li>${toLink(heading)}</li>`).join('\n');
    return `<li>${toLink(head)}${list === '' ? '' : `<ul>${list}</ul>`}</li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${pages[page]} · orgchat mock</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="../inspector.css">
  </head>
  <body class="docs">
    <a class="skip" href="#text">Skip to content</a>
    <header class="top">
      <a class="brand-name" href="../">orgchat mock</a>
      <a href="../">Back to the inspector</a>
      <nav class="docs-pages" aria-label="Documents">${links.join('\n')}</nav>
    </header>
    <div class="docs-columns">
      <nav class="docs-contents" aria-label="Contents">${notes[page]}<ul>${items.join('\n')}</ul></nav>
      <main class="docs-text" id="text">
${body}
      </main>
    </div>
  </body>
</html>
`;
}
