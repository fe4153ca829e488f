import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedDocs, shownTexts } from './plain-words.ts';

/*
 * The texts that users read: errors, hints, help and descriptions, docstrings of what is public, and Markdown pages.
 * Comments in the code and titles of tests are not among them.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Text {
  /** File and line, such as `packages/cli/src/main.ts:12`. */
  readonly place: string;
  readonly text: string;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Folders of what is installed or built. They are not entered: other tests create and remove folders in them. */
const notOurs = new Set(['node_modules', 'dist', 'generated', '.stryker']);

function filesBelow(folder: string, suffix: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path, suffix);
      return path.endsWith(suffix) ? [path] : [];
    })
    .sort();
}

/** The sources of the packages and of the contract, without tests. */
const sources = [
  ...filesBelow('spec/src', '.ts'),
  ...filesBelow('packages', '.ts'),
  ...filesBelow('packages', '.tsx'),
].filter((path) => /^spec\/|^packages\/[^/]+\/src\//.test(path) && !/\.test(-d)?\.ts$/.test(path));

/** What users of the packages import. The testing helpers of the mock server are entry points of their own. */
const entryPoints = [
  ...['index', 'node', 'journal-conformance'].map((name) => `packages/sdk/src/${name}.ts`),
  ...['index', 'msw', 'browser/index'].map((name) => `packages/mock-server/src/${name}.ts`),
  ...sources.filter((path) => path.startsWith('packages/mock-server/src/testing/')),
  ...['bullmq', 'postgres', 'redis'].map((name) => `packages/fleet/src/${name}.ts`),
];

/** A file and all that it exports from. */
const exportingFiles = (path: string): string[] => [
  path,
  ...Array.from(read(path).matchAll(/^export [^;]*? from '(\.[^']+)';$/gm), ([, target = '']) =>
    exportingFiles(join(path, '..', target)),
  ).flat(),
];

/** Its strings are shell scripts. */
const shellScripts = 'packages/cli/src/completion/shell-scripts.ts';

/** The beginning of a statement for a database, which nobody reads as a sentence. */
const sqlStatement = /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|DO) /;
/** A script in Lua, which Redis runs. */
const luaScript = /\bredis\.p?call\(/;

/** Strings that read like phrases: errors, hints, help and descriptions. */
export const phrases = (): Text[] =>
  sources
    .filter((path) => path !== shellScripts)
    .flatMap((path) =>
      shownTexts(read(path), path).map(({ line, text }) => ({ place: `${path}:${line}`, text })),
    )
    .filter(({ text }) => !sqlStatement.test(text) && !luaScript.test(text));

/** The docstrings of the files that the packages export from. */
export const publicDocs = (): Text[] =>
  [...new Set(entryPoints.flatMap(exportingFiles))]
    .filter((path) => !path.includes('/generated/'))
    .flatMap((path) =>
      exportedDocs(read(path)).map(({ line, text }) => ({ place: `${path}:${line}`, text })),
    );

/** The paragraphs, list items and table rows of a Markdown page, without code. */
export function paragraphs(path: string): Text[] {
  const page = read(path).replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ''));
  let line = 1;
  return page.split(/\n(?=\s*\n|\||[-*] |#|\d+\. )/).map((part) => {
    const place = `${path}:${line + (/^\s*\n/.test(part) ? 1 : 0)}`;
    line += part.split('\n').length;
    const text = part.replace(/`[^`]*`/g, '`…`').replace(/\s+/g, ' ');
    return { place, text: text.trim() };
  });
}

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The texts before the second heading of the second level. */
export function firstScreen(path: string): Text[] {
  const texts = paragraphs(path);
  const headings = texts.flatMap(({ text }, n) => (text.startsWith('## ') ? [n] : []));
  return texts.slice(0, headings[1]);
}

export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'RELEASING.md',
  'SECURITY.md',
  ...filesBelow('docs', '.md'),
  ...filesBelow('packages', '.md').filter((path) => !path.endsWith('CHANGELOG.md')),
  'examples/README.md',
  'spec/SPECIFICATION.md',
  'spec/DECISIONS.md',
  'bench/README.md',
  'test/README.md',
  'bench/RESULTS.md',
  ...filesBelow('.changeset', '.md'),
];
