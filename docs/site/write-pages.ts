import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addAnswers, linkGroups, moveClauses } from './decision-answers.ts';
import { generateExamplePages } from './example-pages.ts';
import { generateReference } from './reference/index.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { guideGroup, listSources, parts } from './sources.ts';
import { type Page, splitPages } from './split-pages.ts';

/** An entry of the navigation. */
interface Entry {
  readonly part: string;
  readonly group: string;
  readonly text: string;
  readonly link: string;
}

const manifest = (root: string): { repository?: { url?: string } } =>
  JSON.parse(readFileSync(join(root, 'packages/sdk/package.json'), 'utf8')) as {
    repository?: { url?: string };
  };

const toEntry = ({ part, source, title, path }: Page): Entry => ({
  part,
  group: source.group,
  text: title,
  link: path,
});

const isDecisions = ({ file }: Page['source']): boolean => file === 'spec/DECISIONS.md';

/** Begins the commands for a clone of the repository with the one that makes it. */
const insertAddress = (text: string, address: string): string =>
  text.replace(/(?<=^```sh pack\n)cd orgchat .*$/m, `git clone ${address} orgchat\ncd orgchat`);

const labeledBlock = '^```\\w+ \\S+ \\[\\w+\\]\\n[\\s\\S]*?^```$';

/** Shows the same program in several languages as tabs: blocks one after another, with a label each. */
const groupLanguages = (text: string): string =>
  text.replace(
    new RegExp(`${labeledBlock}(?:\\n\\n${labeledBlock})+`, 'gm'),
    (blocks) => `::: code-group\n\n${blocks}\n\n:::`,
  );

/** Writes the pages that VitePress renders, and the navigation, into a folder. Nothing of the repository's texts changes. */
export async function writePages(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    const file = join(folder, path.endsWith('/') ? `${path}index.md` : `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const contract = readFileSync(join(root, 'spec/SPECIFICATION.md'), 'utf8');
  const pages = new Map<string, readonly Page[]>(
    listSources(root).map((source) => {
      const text = readFileSync(join(root, source.file), 'utf8');
      return [source.file, splitPages(source, isDecisions(source) ? addAnswers(text) : text)];
    }),
  );
  const examples = generateExamplePages(root);
  const images = new Set<string>();
  const address = manifest(root).repository?.url?.replace(/^git\+|\.git$/g, '');
  const targets = {
    root,
    pages,
    folders: new Map(Array.from(examples, ([name, { path }]) => [name, path])),
    repository: address,
    useImage: (file: string) => void images.add(file),
  };
  const entries: Entry[] = [];
  let guide: readonly Entry[] = [];
  for (const page of [...pages.values()].flat()) {
    const linked = groupLanguages(rewriteLinks(page, targets));
    const text = address === undefined ? linked : insertAddress(linked, address);
    write(page.path, isDecisions(page.source) ? linkGroups(moveClauses(text, contract)) : text);
    entries.push(toEntry(page));
    if (page.source.group === guideGroup && page.title === 'Overview')
      guide = [toEntry(page), ...readGuide(text, page.part)];
  }
  const generated = await generateReference(root);
  for (const { path, text } of [...examples.values(), ...generated]) write(path, text);
  entries.push(
    ...Array.from(examples.values(), ({ path, title, group }) => ({
      part: 'how-to',
      group,
      text: title,
      link: path,
    })),
  );
  entries.unshift(
    ...generated.map(({ path, title, group }) => ({ part: 'reference', group, text: title, link: path })),
  );
  mkdirSync(join(folder, 'public/images'), { recursive: true });
  for (const image of images) copyFileSync(join(root, image), join(folder, 'public/images', basename(image)));
  for (const name of ['openapi', 'control.openapi'])
    copyFileSync(join(root, `spec/${name}.yaml`), join(folder, `public/${name}.yaml`));
  for (const page of ['index', 'playground'])
    copyFileSync(join(root, `docs/site/pages/${page}.md`), join(folder, `${page}.md`));
  copyFileSync(join(root, 'docs/site/icon.svg'), join(folder, 'public/icon.svg'));
  const sidebar = toSidebar(orderByGuide(entries, guide));
  writeFileSync(join(folder, '../navigation.json'), JSON.stringify(sidebar, null, 2));
}

/** The pages that the guide lists: a heading for each task, and below it links with a sentence. */
const readGuide = (text: string, part: string): Entry[] =>
  text.split(/^## /m).flatMap((section) => {
    const [group = ''] = section.split('\n', 1);
    return Array.from(section.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\)/gm), ([, title = '', link = '']) => ({
      part,
      group,
      text: title,
      link,
    }));
  });

/** The entries, those of the guide as it names and orders them. It lists every page of its part but the examples. */
function orderByGuide(entries: readonly Entry[], guide: readonly Entry[]): Entry[] {
  const isIn = (list: readonly Entry[], { link }: Entry): boolean => list.some((one) => one.link === link);
  const others = entries.filter((entry) => !isIn(guide, entry));
  const lost = others.filter(({ part, group }) => part === guide[0]?.part && group !== 'Examples');
  const [problem] = [...lost, ...guide.filter((entry) => !isIn(entries, entry))];
  if (problem !== undefined)
    throw new Error(`The contents of the guide and the pages of how-to differ: ${problem.link}.`);
  return [...guide, ...others];
}

/** The sidebar of each part: groups in the order in which they appear, the single pages last. */
function toSidebar(entries: readonly Entry[]): object {
  return Object.fromEntries(
    parts.map((part) => {
      const own = entries.filter((entry) => entry.part === part);
      const names = [...new Set(own.map(({ group }) => group))].sort(
        (one, other) => Number(one === 'More') - Number(other === 'More'),
      );
      const groups = names.map((group) => ({
        text: group,
        items: own.filter((entry) => entry.group === group).map(({ text, link }) => ({ text, link })),
      }));
      return [part, groups];
    }),
  );
}
