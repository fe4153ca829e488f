/* The part of markdown-it that is used here. */
interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: Token[] | null;
  meta: unknown;
}
type Rule = (tokens: Token[], index: number, ...others: never[]) => string;
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } };
  readonly renderer: { readonly rules: { code_inline?: unknown } };
}

const endpoint = /^(GET|POST|PUT|PATCH|DELETE) \//;

const isLink = ({ type }: Token): boolean => type === 'link_open' || type === 'link_close';

/** Shows the method of an endpoint as a badge, where the endpoint is the whole paragraph or the whole cell of a table. */
export function badgeMethods(markdown: Markdown): void {
  markdown.core.ruler.push('badge-methods', ({ tokens }) => {
    for (const { children } of tokens) {
      const parts = children?.filter((token) => !isLink(token)) ?? [];
      const [code] = parts;
      const [, method] = endpoint.exec(code?.content ?? '') ?? [];
      if (code?.type === 'code_inline' && parts.length === 1) code.meta = method;
    }
  });
  const { rules } = markdown.renderer;
  const render = rules.code_inline as Rule;
  rules.code_inline = ((tokens, index, ...others) => {
    const html = render(tokens, index, ...others);
    const method = tokens[index]?.meta;
    if (typeof method !== 'string') return html;
    const badge = `<span class="method ${method.toLowerCase()}">${method}</span>`;
    const [start = '', path = ''] = html.replace('</code>', '').split(`${method} `);
    return `${start}${badge} <span class="path">${path}</span></code>`;
  }) satisfies Rule;
}
