import { existsSync } from 'node:fs';
import { basename, extname, join, normalize } from 'node:path';
import * as sdk from '../../packages/sdk/src/index.ts';
import { mapProse, type Page } from './split-pages.ts';

/** The errors that the SDK exports. */
const errorClasses = new Set(Object.keys(sdk).filter((name) => name.endsWith('Error')));

/** What links of the repository lead to on the site. */
export interface LinkTargets {
  readonly root: string;
  /** The pages of each text, by its path in the repository. */
  readonly pages: ReadonlyMap<string, readonly Page[]>;
  /** The pages of folders, such as examples. */
  readonly folders: ReadonlyMap<string, string>;
  /** The address of a file in the repository; undefined until the repository has an address. */
  readonly repository: string | undefined;
  /** Called with each image, by its path in the repository. */
  readonly useImage: (file: string) => void;
}

/** `[text](target)`, also with an image as the text, but not in inline code. */
const link = /(`+)[^`]*?\1|(!?)\[((?:[^[\]]|\[[^\]]*\](?:\([^)]*\))?)*)\]\(([^)\s]+)\)/g;

/** The text of a page with links that lead to pages of the site. What is not on the site remains as a text. */
export function rewriteLinks(page: Page, targets: LinkTargets): string {
  const replace = (line: string): string =>
    line.replace(link, (whole, code: string | undefined, image: string, text: string, target: string) => {
      if (code !== undefined || /^[a-z]+:/.test(target)) return whole;
      const shown = replace(text);
      const [path = '', anchor] = target.split('#', 2);
      const file =
        path === '' ? page.source.file : normalize(join(page.source.file, '..', path)).replace(/\/$/, '');
      if (image === '!') {
        targets.useImage(file);
        return `![${text}](/images/${basename(file)})`;
      }
      const address = findAddress(targets, file, anchor, page);
      return address === undefined ? shown : `[${shown}](${address})`;
    });
  return mapProse(page.text, (prose) => linkErrors(replace(prose)));
}

/** Links the classes of errors in tables, whose readers look for what a class has. */
const linkErrors = (text: string): string =>
  text.replace(/^\|.*$/gm, (row) =>
    row.replace(/(?<!\[)`(\w+Error)`/g, (shown, name: string) =>
      errorClasses.has(name) ? `[${shown}](/reference/sdk-api/classes/${name})` : shown,
    ),
  );

function findAddress(
  { pages, folders, repository, root }: LinkTargets,
  file: string,
  anchor: string | undefined,
  from: Page,
): string | undefined {
  const found = pages.get(file) ?? pages.get(`${file}/README.md`);
  if (found !== undefined) {
    if (anchor === undefined) return found[0]?.path;
    const page = found.find(({ anchors }) => anchors.has(anchor));
    if (page === undefined)
      throw new Error(`${from.source.file} links to ${file}#${anchor}, which does not exist.`);
    const own = page.anchors.get(anchor);
    return own === '' ? page.path : `${page.path}#${own}`;
  }
  const [, name] = /^docs\/site\/pages\/(\w+)\.md$/.exec(file) ?? [];
  if (name !== undefined) return `/${name}`;
  const folder = folders.get(extname(file) === '' ? file : join(file, '..'));
  if (folder !== undefined) return folder;
  if (!existsSync(join(root, file)))
    throw new Error(`${from.source.file} links to ${file}, which does not exist.`);
  return repository === undefined ? undefined : `${repository}/blob/main/${file}`;
}
