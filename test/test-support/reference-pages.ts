import type { GeneratedPage } from '../../docs/site/reference/page.ts';

/** Reads generated pages of the site: a whole one, or the section below a heading with an anchor, up to the next of its level. */
export function readPages(pages: readonly GeneratedPage[]) {
  const read = (path: string): string => {
    const page = pages.find((one) => one.path === path);
    if (page === undefined) throw new Error(`No page ${path}.`);
    return page.text;
  };
  const readSection = (path: string, anchor: string): string => {
    const [before = '', section = ''] = read(path).split(new RegExp(`\\{#${anchor}(?: open)?\\}\n`));
    const [level = ''] = /^#+/.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? [];
    return section.split(new RegExp(`\n#{2,${Math.max(level.length, 2)}} `))[0] ?? '';
  };
  return { read, readSection };
}

/** The code of each group of tabs, by the titles of these. */
export const listGroups = (text: string): Readonly<Record<string, string>>[] =>
  Array.from(text.matchAll(/^::: code-group\n([\s\S]*?)\n^:::$/gm), ([, group = '']) =>
    Object.fromEntries(
      Array.from(group.matchAll(/^`{4}\w+ \[(.*)\]\n([\s\S]*?)\n^`{4}$/gm), ([, title, code]) => [
        title,
        code,
      ]),
    ),
  );
