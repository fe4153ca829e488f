/* The part of markdown-it that is used here. */
interface Token {
  readonly type: string;
  content: string;
  readonly children: Token[] | null;
  attrSet(name: string, value: string): void;
}
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } };
}

const roles: Readonly<Record<string, string>> = {
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

const toPlain = (text: string): string => text.replaceAll(/[`*\\]/g, '');

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The tokens of each table, its opening one first. */
function listTables(tokens: readonly Token[]): Token[][] {
  const starts = tokens.flatMap(({ type }, index) => (type === 'table_open' ? [index] : []));
  return starts.map((start) => {
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    return tokens.slice(start, end);
  });
}

/** The opening token of each cell or heading, and what is in it. */
const listCells = (table: readonly Token[], type: string): (readonly [Token, Token])[] =>
  table.flatMap((token, index) => {
    const content = table[index + 1];
    return token.type === type && content !== undefined ? [[token, content] as const] : [];
  });

/** Tables whose columns have widths of their own, by the headings of the first and of the last one. */
const ownLayouts: Readonly<Record<string, string>> = {
  'Command, What it does': 'calls',
  'Command, Writes to': 'calls brief',
  'Endpoint, Scope of the key': 'brief',
  'Case, What to do': 'cases',
  'Resource, Methods': 'resources',
  'Resource, What it is': 'resources',
  'error.outcome, What to do': 'outcomes',
  'Method, What it does': 'methods',
  'Method, If someone else changed it': 'methods',
  'Member, What it does': 'resources',
};

/**
 * How a table is shown: without headings, with widths of its own, or on a narrow screen if the first cell of a row is not
 * its name. See tables.css.
 */
function findLayout(labels: readonly string[], names: readonly string[]): string {
  const width = labels.length;
  if (labels.every((label) => label === '')) return 'facts';
  if (/^(?:Field|Parameter) Type(?: Meaning)?$/.test(labels.join(' '))) return 'fields';
  const own = ownLayouts[`${labels[0]}, ${labels.at(-1)}`];
  if (own !== undefined) return own;
  if (width > 6) return 'matrix';
  return width > 2 && new Set(names).size < names.length ? 'pair' : '';
}

/** Marks the rows that have the same cells as the next one, besides their names. */
function markSame(table: readonly Token[], cells: readonly (readonly [Token, Token])[], width: number): void {
  const [, ...rows] = table.filter(({ type }) => type === 'tr_open');
  const read = (row: number): string =>
    cells
      .slice(row * width + 1, (row + 1) * width)
      .map(([, { content }]) => content)
      .join('|');
  rows.forEach((row, index) => {
    if (index + 1 < rows.length && read(index) === read(index + 1)) row.attrSet('class', 'same');
  });
}

/** An option of a parameter, such as `options.limit`: below the row of its parameter, it is shown by its own name. */
function nestOption(token: Token, content: Token): void {
  const [code] = content.children ?? [];
  const [, name] = /^\w+\.(\w+\??)$/.exec(code?.type === 'code_inline' ? code.content : '') ?? [];
  if (code === undefined || name === undefined) return;
  code.content = name;
  token.attrSet('class', 'option');
}

/**
 * Gives each cell of a table of more than two columns the heading of its column: on a narrow screen a row is a block, and shows
 * them. The roles are those that the elements have as a table, because a block has none.
 */
export function labelCells(markdown: Markdown): void {
  markdown.core.ruler.push('label-cells', ({ tokens }) => {
    for (const token of tokens) {
      const role = roles[token.type];
      if (role !== undefined) token.attrSet('role', role);
    }
    for (const table of listTables(tokens)) {
      const labels = listCells(table, 'th_open').map(([, { content, children }]) => {
        const [first] = children ?? [];
        if (first?.type !== 'text') return toPlain(content);
        first.content = capitalize(first.content);
        return capitalize(toPlain(content));
      });
      const cells = listCells(table, 'td_open');
      const names = cells.filter((_, index) => index % labels.length === 0).map(([, { content }]) => content);
      const layout = findLayout(labels, names);
      table[0]?.attrSet('class', layout);
      if (layout === 'matrix') markSame(table, cells, labels.length);
      if (labels[0] === 'Parameter')
        cells.forEach(([token, content], index) => {
          if (index % labels.length === 0) nestOption(token, content);
        });
      cells.forEach(([token, { content }], index) => {
        const column = index % labels.length;
        const label = labels[column] ?? '';
        if (/^(?:Type|Returns)$/.test(label)) token.attrSet('class', 'type');
        // What one has to know first of a write: yes, maybe, or no.
        if (label === 'Applied?') {
          const [, answer = ''] = /^\*\*(\w+)\*\*/.exec(content) ?? [];
          token.attrSet('class', `applied ${answer}`.trimEnd());
        }
        if (content === '–') token.attrSet('class', 'none');
        if (column > 0 && labels.length > 2 && label !== '')
          token.attrSet('data-label', /\W$/.test(label) ? `${label} ` : `${label}: `);
      });
    }
  });
}
