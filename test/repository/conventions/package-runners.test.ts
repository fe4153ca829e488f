import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

/*
 * `npx NAME` installs the package of that name if no installed package has such a command. So what people copy, and what
 * scripts run, says that nothing is installed, or names a package that is meant.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Packages whose name is that of their command. */
const known = new Set(Object.keys(manifest.devDependencies));
/** The commands of all installed packages. Any other word behind `npx` is a sentence. */
const commands = new Set(readdirSync(join(root, 'node_modules/.bin')));

/** What runs a package, and the words behind it: in a shell, or as the arguments of a call. */
const runners =
  /(?<![\w./-])(?:npx|bunx|(?:npm|pnpm) exec|(?:pnpm|yarn) dlx)(?=[\s'"])((?:[\s,'"[]+[\w@./=${}-]+){1,6})/g;
/** What installs a package, and what is installed. */
const installers =
  /(?<![\w./-])(?:npm (?:install|i|add)|pnpm add|yarn (?:global )?add|bun add)((?: [\w@./=-]+)+)/g;

/** The commands in a text that may run or install a package of another owner. */
function foreignPackages(text: string): string[] {
  const run = [...text.matchAll(runners)].flatMap(([whole, given = '']) => {
    const words = given.split(/[\s,'"[]+/).filter(Boolean);
    const name = words.find((word) => !word.startsWith('-')) ?? '';
    // With `--package`, the package is named apart from its command.
    const isSafe = words.some((word) => ['--no', '--no-install', '--package'].includes(word));
    return isSafe || known.has(name) || !commands.has(name) ? [] : [whole];
  });
  const installed = [...text.matchAll(installers)].flatMap(([whole, words = '']) =>
    words.split(' ').some((word) => /^orgchat(?:@|$)/.test(word)) ? [whole] : [],
  );
  return [...run, ...installed];
}

it.each([
  'npx orgchat tags list',
  'KEY=x npx  orgchat',
  '`npx -y orgchat`',
  'npx changeset version',
  "run('npx', ['orgchat', 'account'])",
  'pnpm dlx orgchat mock start',
  'npm exec orgchat',
  'bunx orgchat',
  'npm install --global orgchat',
  'npm i orgchat@latest',
])('%s may run a package of another owner', (text) => {
  expect(foreignPackages(text)).not.toEqual([]);
});

it.each([
  'npx --no -- orgchat tags list',
  'npx @orgchat/cli tags list',
  'npx vitest run FILE',
  "run('npx', ['--no', '--', 'attw'])",
  "check('bundle', 'npx', ['--no-install', 'esbuild', ...args])",
  "run('npx', ['--yes', '--package', `node@22`, 'node'])",
  'npm install @orgchat/sdk pg',
  'npm install --save-dev ../orgchat/orgchat-mock-server-0.0.0.tgz',
  'npx reads its options',
])('%s runs none', (text) => {
  expect(foreignPackages(text)).toEqual([]);
});

it('no file of the repository runs or installs a package of another owner', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.yml', '*.yaml', '*.json', 'Containerfile', '.ci/run'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((path) => path !== '' && !/package-lock\.json$|package-runners\.test\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((path) =>
      foreignPackages(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`),
    ),
  ).toEqual([]);
});
