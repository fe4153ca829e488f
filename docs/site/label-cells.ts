/* The part of markdown-it that is used here. */
interface Token {
  readonly type: string;
  readonly content: string;
  attrSet(name: string, value: string): void;
}
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } };
}

const roles: Readonly<Record<string, string>> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

const toPlain = (text: string): string => text.replaceAll(/[`*\\]/g, '');

/**
 * Gives each cell of a table of more than two columns the heading of its column: on a narrow screen a row is a block, and shows
 * them. The roles are those that the elements have as a table, because a block has none.
 */
export function labelCells(markdown: Markdown): void {
  markdown.core.ruler.push('label-cells', ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    tokens.forEach((token, index) => {
      const role = roles[token.type];
      if (role !== undefined && role !== 'table') token.attrSet('role', role);
      if (role === 'table') labels = [];
      if (role === 'row') column = 0;
      if (role === 'columnheader') labels.push(toPlain(tokens[index + 1]?.content ?? ''));
      if (role !== 'cell') return;
      const { [column]: label = '', length } = labels;
      if (label === 'Type') token.attrSet('class', 'type');
      if (column > 0 && length > 2 && label !== '') token.attrSet('data-label', `${label}: `);
      column += 1;
    });
  });
}
