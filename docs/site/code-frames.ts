/* The part of markdown-it that is used here. */
type Rule = (tokens: { info: string; content: string }[], index: number, ...others: never[]) => string;
interface Markdown {
  readonly renderer: { readonly rules: { fence?: unknown } };
}

/** The file that a block is for: its name, or that of a module. */
function findFile(language: string, name: string): string {
  if (/\.(?:\w?[jt]s|py|go|sh|ya?ml)$/.test(name)) return name;
  return language === 'ts' ? `${name}.ts` : '';
}

/** Links the names in code that have a page, but for the one that the code declares. */
function linkNames(html: string, pages: ReadonlyMap<string, string>, code: string): string {
  const [, declared] = /^type (\w+)/.exec(code) ?? [];
  return html.replace(/(?<=>)[^<>]+(?=<)/g, (text) =>
    text.replace(/(?<![\w'".])[A-Z]\w+/g, (word) => {
      const page = word === declared ? undefined : pages.get(word);
      return page === undefined ? word : `<a href="${page}">${word}</a>`;
    }),
  );
}

/** How a language is named, if not by its letters. */
const languageNames: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  python: 'Python',
  go: 'Go',
  groovy: 'Groovy',
};

const labelLanguage = (html: string): string =>
  html.replace(
    /(?<=<span class="lang">)\w+(?=<)/,
    (language) => languageNames[language] ?? language.toUpperCase(),
  );

const withoutCopy = (html: string): string => html.replace(/<button[^>]*><\/button>/, '');

/**
 * Shows what a block of code is: commands for a terminal, or, if it has a name, the file that a reader writes it into, as in
 * "ts webhook", or the output of the command above it, as in "text start". Neither output nor a signature is copied, and the
 * types in a signature are links.
 */
export function frameCode(markdown: Markdown, pages: ReadonlyMap<string, string>): void {
  const { rules } = markdown.renderer;
  const render = rules.fence as Rule;
  rules.fence = ((tokens, index, ...others) => {
    const html = labelLanguage(render(tokens, index, ...others));
    const [language = '', name = ''] = (tokens[index]?.info ?? '').trim().split(/\s+/);
    if (name === 'signature')
      return linkNames(withoutCopy(html), pages, tokens[index]?.content ?? '').replace(
        '<div class="',
        '<div class="signature ',
      );
    if (language === 'text')
      return withoutCopy(html)
        .replace('<div class="language-text', '<div class="output language-text')
        .replace('<span class="lang">TEXT<', '<span class="lang">Output<');
    const file = /^[\w.-]+$/.test(name) ? findFile(language, name) : '';
    if (file === '') return html;
    return html
      .replace('<div class="', '<div class="titled ')
      .replace(/(?<=^<div [^>]*>)/, `<p class="file">${file}</p>`);
  }) satisfies Rule;
}
