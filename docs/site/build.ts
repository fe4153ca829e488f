/*
 * `npm run docs`: installs what the site needs into docs/node_modules, and builds it into docs/.vitepress/dist. `-- dev` serves it
 * instead, and builds a page again when it changes.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { formatSamples } from './format-samples.ts';
import { linkTwins } from './link-twins.ts';
import { writePages } from './write-pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = join(root, 'docs');
const pages = join(docs, '.vitepress/generated/pages');

function run(command: string, args: readonly string[], cwd = docs): void {
  const started = Date.now();
  const { status } = spawnSync(command, [...args], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  console.log(`${[command, ...args].slice(0, 3).join(' ')}: ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

const tool = (name: string): string => join(docs, 'node_modules/.bin', name);

/** Installs the tools if the lock file is newer than what is installed. */
function install(): void {
  const installed = join(docs, 'node_modules/.package-lock.json');
  const lock = join(docs, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** What the worker of the playground imports: the SDK, the mock and what runs the code, as modules that the page serves itself. */
const bundlePlayground = () =>
  build({
    entryPoints: {
      sdk: join(root, 'packages/sdk/dist/esm/index.js'),
      'mock-server': join(docs, 'site/playground/mock-server.ts'),
      runtime: join(docs, 'site/playground/runtime.ts'),
    },
    outdir: join(pages, 'public/playground'),
    alias: { '@orgchat/mock-server/browser': join(root, 'packages/mock-server/dist/esm/browser.js') },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'warning',
  });

/** The page that shows the whole OpenAPI document, with a copy of Redoc beside it. */
function copyRedoc(): void {
  const folder = join(pages, 'public/api');
  mkdirSync(folder, { recursive: true });
  const code = readFileSync(join(docs, 'node_modules/redoc/bundles/redoc.standalone.js'), 'utf8');
  // Its only address of another host: the mark beside the name of Redoc.
  writeFileSync(
    join(folder, 'redoc.js'),
    code.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', '/icon.svg'),
  );
  for (const file of ['index.html', 'start.js', 'style.css'])
    copyFileSync(join(docs, 'site/api', file), join(folder, file));
}

install();
await writePages(root, pages);
run(tool('typedoc'), ['--options', join(docs, 'typedoc.json')]);
formatSamples(root, join(pages, 'reference/sdk-api'));
await bundlePlayground();
copyRedoc();
const isServed = process.argv.includes('dev');
run(tool('vitepress'), [isServed ? 'dev' : 'build']);
if (!isServed) linkTwins(join(docs, '.vitepress/dist'));
