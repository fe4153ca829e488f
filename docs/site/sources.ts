import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/* Which page of the site each section of the repository's texts becomes. The texts themselves are not changed. */

export const parts = ['tutorial', 'how-to', 'reference', 'explanation'] as const;
export type Part = (typeof parts)[number];

export interface Source {
  /** The path in the repository. */
  readonly file: string;
  /** Below the part: the address of the page, or the folder of its pages. */
  readonly name: string;
  readonly title: string;
  /** The group of the navigation. */
  readonly group: string;
  /** Where its beginning is, and every section of the second level that is not named below. */
  readonly part: Part;
  /** Whether each section of the second level is a page of its own. */
  readonly isSplit?: boolean;
  /** Sections in another part, by heading. */
  readonly sections?: Readonly<Partial<Record<Part, readonly string[]>>>;
  /** Sections that another page of the site has in full, by heading. */
  readonly omitted?: readonly string[];
}

/** The group of the text whose contents order all pages of how-to: the guide by tasks. */
export const guideGroup = 'Guide';

const packages = { sdk: 'SDK', 'mock-server': 'Mock server', cli: 'Command', fleet: 'Fleet' } as const;

/** Texts with a place of their own, in the order of the navigation. */
const placed: readonly Source[] = [
  {
    file: 'docs/lost-answer.md',
    name: 'lost-answer',
    title: 'Your first lost answer',
    group: 'Start',
    part: 'tutorial',
  },
  {
    file: 'README.md',
    name: 'start',
    title: 'Start',
    group: 'Start',
    part: 'tutorial',
    isSplit: true,
    sections: { explanation: ['Known limits of the guarantee'] },
    omitted: ['Try it'],
  },
  {
    file: 'docs/cookbook.md',
    name: 'recipes',
    title: 'Guide',
    group: guideGroup,
    part: 'how-to',
    isSplit: true,
  },
];

/** Where a text of its own is that is not for the reference, by the name of its file. */
const partOf: Readonly<Record<string, Part>> = {
  'adopt-the-mock': 'how-to',
  architecture: 'explanation',
  bullmq: 'how-to',
  ci: 'how-to',
  comparison: 'explanation',
  config: 'how-to',
  'contract-check': 'how-to',
  CONTRIBUTING: 'explanation',
  inspector: 'how-to',
  intents: 'explanation',
  journals: 'explanation',
  keywords: 'how-to',
  layout: 'explanation',
  lifecycle: 'explanation',
  mock: 'how-to',
  operating: 'how-to',
  operations: 'how-to',
  outbox: 'explanation',
  pacing: 'explanation',
  redis: 'how-to',
  runbook: 'how-to',
  scale: 'explanation',
  SECURITY: 'explanation',
  testing: 'how-to',
  'upsert-and-sync': 'how-to',
  versions: 'explanation',
  watch: 'how-to',
};

/** What is shorter in the navigation than on its page, by the name of the file. */
const shortTitles: Readonly<Record<string, string>> = {
  SPECIFICATION: 'The contract',
};

/** The texts of the repository. A new text in one of these folders is a page without being named here. */
export function listSources(root: string): Source[] {
  const list = (folder: string): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter((name) => name.endsWith('.md'))
          .map((name) => `${folder}/${name}`)
      : [];
  const toSource = (file: string, folder: string, group: string, part?: Part): Source => {
    const word = basename(file, '.md');
    const [, title = word] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    const name = word === 'README' ? `${folder}index` : `${folder}${word.toLowerCase()}`;
    return {
      file,
      name,
      title: shortTitles[word] ?? title.replaceAll('`', ''),
      group,
      part: part ?? partOf[word] ?? 'reference',
    };
  };
  const found = [
    ...Object.entries(packages).flatMap(([name, group]) => [
      toSource(`packages/${name}/README.md`, `${name}/`, group, 'explanation'),
      ...list(`packages/${name}/docs`).map((file) => toSource(file, `${name}/`, group)),
    ]),
    toSource('spec/SPECIFICATION.md', '', 'Contract'),
    toSource('spec/DECISIONS.md', '', 'Contract'),
    ...list('docs').map((file) => toSource(file, '', 'More')),
    ...list('docs/decisions').map((file) =>
      toSource(file, 'engineering/', 'Engineering decisions', 'explanation'),
    ),
    ...['CONTRIBUTING.md', 'SECURITY.md'].map((file) => toSource(file, '', 'More')),
  ];
  return [...placed, ...found.filter(({ file }) => !placed.some((one) => one.file === file))];
}
