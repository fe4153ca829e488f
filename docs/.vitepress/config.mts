import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { parseRepository } from '../../build-support/release/repository-address.ts';
import { toAnchor } from '../site/anchors.ts';
import { frameCode } from '../site/code-frames.ts';
import { addPolicy } from '../site/content-policy.ts';
import { labelCells } from '../site/label-cells.ts';
import { badgeMethods } from '../site/method-badges.ts';

/* The site. `npm run docs` in the repository writes the pages first: docs/site/build.ts. */

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly repository?: string;
};

/** Undefined until the owner of the repository sets it. */
const repository = parseRepository(manifest.repository);

/** The packages have no version before their first release. */
const version = manifest.version === '0.0.0' ? '0.1.0 (unreleased)' : manifest.version;

const generated = new URL('generated/', import.meta.url);
const navigation = JSON.parse(readFileSync(new URL('navigation.json', generated), 'utf8')) as Record<
  'tutorial' | 'how-to' | 'reference' | 'explanation',
  DefaultTheme.SidebarItem[]
>;

/** The symbols of the SDK, by what they are for. */
const symbols = JSON.parse(
  readFileSync(new URL('symbols.json', generated), 'utf8'),
) as DefaultTheme.SidebarItem[];

/** The page of each symbol, by its name. */
const pagesOfSymbols = new Map(
  symbols.flatMap(({ items = [] }) => items.map(({ text = '', link = '' }) => [text, link] as const)),
);

const description =
  'A TypeScript SDK, a stateful mock server and a command for the Organization Messaging and Keyword API. Each change is applied once.';

/** Pages of the symbols for programs: the others are found from them. */
const sdkApi: DefaultTheme.SidebarItem = {
  text: 'SDK API',
  items: [
    { text: 'SDK overview', link: '/reference/sdk-api/' },
    { text: 'createClient()', link: '/reference/sdk-api/functions/createClient' },
    { text: 'OrgChatClient', link: '/reference/sdk-api/interfaces/OrgChatClient' },
    { text: 'Configuration', link: '/reference/sdk-api/interfaces/Configuration' },
    { text: 'OrgChatError', link: '/reference/sdk-api/classes/OrgChatError' },
  ],
};

/** Only the group around the page that is shown is open. */
const fold = (groups: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] =>
  groups.map((group) => ((group.items?.length ?? 0) > 1 ? { ...group, collapsed: true } : group));

/** The pages of commands, by what they are for. */
const listCommands = (take: (name: string) => DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] =>
  fold(
    navigation.reference
      .map(({ text = '' }) => text)
      .filter((text) => text.startsWith('Commands: '))
      .map((text) => ({ text: text.slice('Commands: '.length), items: take(text) })),
  );

/** The reference as one tree, in which each subject is one group. */
function listReference(): DefaultTheme.SidebarItem[] {
  const left = new Map(navigation.reference.map(({ text = '', items = [] }) => [text, items]));
  const take = (name: string): DefaultTheme.SidebarItem[] => {
    const items = left.get(name) ?? [];
    left.delete(name);
    return items;
  };
  const mock = take('Mock server');
  const commands = take('Commands');
  const sdk = take('SDK');
  // What is looked up most often.
  const isFirst = ({ link = '' }: DefaultTheme.SidebarItem): boolean =>
    /\/sdk\/(?:errors|writes)$/.test(link);
  const isControl = ({ link }: DefaultTheme.SidebarItem): boolean => link?.endsWith('/control-api') ?? false;
  const groups = {
    API: [...take('API'), { text: 'The API on one page', link: '/api/index.html', target: '_self' }],
    'Control API': [
      ...mock.filter(isControl).map((page) => ({ ...page, text: 'Guide' })),
      ...take('Control API'),
    ],
    SDK: [
      { text: 'SDK overview', link: '/reference/sdk-api/' },
      ...sdk.filter(isFirst),
      ...sdk.filter((page) => !isFirst(page)),
      ...symbols,
    ],
    Commands: [...commands, ...take('Command'), ...listCommands(take)],
    'Mock server': mock.filter((page) => !isControl(page)),
  };
  const all = { ...groups, ...Object.fromEntries(left) };
  return fold(Object.entries(all).map(([text, items]) => ({ text, items })));
}

/** The looks of a page of the reference: room for its tables, and a table of contents without what all parts have. */
function toFrontmatter(path: string): { pageClass?: string; outline?: number; aside?: boolean } {
  if (!path.startsWith('reference/')) return {};
  const isSymbol = /^reference\/sdk-api\/.+\//.test(path);
  const isStart = path === 'reference/sdk-api/index.md';
  // Its samples are beside the text.
  const isEndpoint = /^reference\/api\/(?!index|objects)/.test(path);
  return {
    pageClass: `reference${isSymbol ? ' symbol' : ''}${isStart ? ' symbols' : ''}${isEndpoint ? ' endpoint' : ''}${path.endsWith('/decisions.md') ? ' decisions' : ''}`,
    ...(/^reference\/(?:control-api\/|decisions)/.test(path) && { outline: 2 }),
    ...(isEndpoint && { aside: false }),
  };
}

export default defineConfig({
  title: 'orgchat',
  description,
  lang: 'en-US',
  srcDir: fileURLToPath(new URL('pages', generated)),
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: [/^\/api\//, /^\/(?:control\.)?openapi\.yaml$/],
  head: [
    ['link', { rel: 'icon', href: '/icon.svg' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  transformHtml: (html) => addPolicy(html),
  transformPageData: ({ relativePath, frontmatter }) => ({
    frontmatter: { ...toFrontmatter(relativePath), ...frontmatter },
  }),
  markdown: {
    anchor: { slugify: toAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Quotes in texts are curly. Nothing else of a text is changed.
    typographer: true,
    config(md) {
      md.disable('replacements');
      // The number of a clause is its address: /reference/specification#4.4.3.
      const open = md.renderer.rules.strong_open;
      md.renderer.rules.strong_open = (tokens, index, options, env, self) => {
        const { content = '' } = tokens[index + 1] ?? {};
        if (/^\d+(?:\.\d+)+$/.test(content)) tokens[index]?.attrSet('id', content);
        return open?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
      };
      // A name, a flag, a code or a short call is not broken: in a line of a phone there is room for 26 characters.
      const code = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, ...others) => {
        if ((tokens[index]?.content.length ?? 0) <= 26) tokens[index]?.attrSet('class', 'word');
        const html = code?.(tokens, index, ...others) ?? '';
        return html.replace(/(?<=[\s>])[^\s<>]*-[^\s<>]*(?=[\s<])/g, (word) =>
          word.length > 26 ? word : `<span class="word">${word}</span>`,
        );
      };
      // The name of the program is not repeated in each entry of a table of contents.
      md.core.ruler.push('shorten-outline', ({ tokens }) => {
        tokens.forEach((token, index) => {
          const [first] = tokens[index - 1]?.type === 'heading_open' ? (token.children ?? []) : [];
          if (tokens[index - 1]?.tag !== 'h2' || !first?.content.startsWith('orgchat ')) return;
          const start = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
            type: 'html_inline',
            content: '<span class="ignore-header">orgchat </span>',
          });
          first.content = first.content.slice('orgchat '.length);
          token.children?.unshift(start);
        });
      });
      frameCode(md, pagesOfSymbols);
      labelCells(md);
      badgeMethods(md);
      // A wide table is scrolled, also by keyboard.
      md.renderer.rules.table_open = (tokens, index) =>
        `<div class="table ${tokens[index]?.attrGet('class') ?? ''}" tabindex="0" role="group" aria-label="Table"><table tabindex="-1" role="table">\n`;
      md.renderer.rules.table_close = () => '</table></div>\n';
    },
  },
  vite: {
    plugins: [
      llmstxt({
        description,
        excludeIndexPage: true,
        ignoreFiles: ['playground.md'],
        // Each page once.
        sidebar: [
          ...navigation.tutorial,
          ...navigation['how-to'],
          sdkApi,
          ...navigation.reference,
          ...navigation.explanation,
        ],
      }),
    ],
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/tutorial/lost-answer', activeMatch: '^/tutorial/' },
      { text: 'Guide', link: '/how-to/recipes/', activeMatch: '^/how-to/' },
      { text: 'Reference', link: '/reference/cli/output', activeMatch: '^/reference/' },
      { text: 'Explanation', link: '/explanation/sdk/', activeMatch: '^/explanation/' },
      { text: 'Playground', link: '/playground' },
      ...(repository ? [{ text: 'Repository', link: repository.url }] : []),
    ],
    sidebar: {
      '/tutorial/': navigation.tutorial,
      '/how-to/': fold(navigation['how-to']),
      '/reference/': listReference(),
      '/explanation/': fold(navigation.explanation),
    },
    sidebarMenuLabel: 'In this section',
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: {
      message: `orgchat ${version}. Free software under the MIT license.`,
      copyright:
        'For programs: <a href="/llms.txt">llms.txt</a>, <a href="/openapi.yaml">openapi.yaml</a>, <a href="/control.openapi.yaml">control.openapi.yaml</a>',
    },
  },
});
