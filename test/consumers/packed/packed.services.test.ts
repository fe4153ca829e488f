import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedPackages } from '../../../build-support/release/package-metadata.ts';
import { parseRepository } from '../../../build-support/release/repository-address.ts';
import rootManifest from '../../../package.json' with { type: 'json' };
import { findFreePort } from '../../../packages/fleet/test-support/free-port.ts';
import { blocksOf, toPattern } from '../../test-support/cookbook.ts';

/* The tarballs that a release publishes, installed into an empty folder. They contain what `npm run build` wrote. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'packed-'));
const tarballs = join(project, 'tarballs');
const installed = join(project, 'node_modules');
const names = [...publishedPackages.map((name) => `@orgchat/${name}`), 'orgchat'];

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The environment of a shell that npm did not start: npm reads its options from the environment. */
const withoutNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const quietNpm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

beforeAll(() => {
  run(process.execPath, ['--import', 'tsx', 'build-support/release/pack.ts', tarballs], root);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const files = readdirSync(tarballs).filter((file) => file.endsWith('.tgz'));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  run('npm', ['install', ...quiet, ...files.map((file) => `./tarballs/${file}`)], project);
}, 120_000);

/** The targets of all links and images of a page, in each form that Markdown has; not those in code. */
function findTargets(page: string): string[] {
  const text = page.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
  const forms = [/\]\(<?([^)\s>]+)/g, /^\s*\[[^\]]+\]:\s*(\S+)/gm, /\b(?:href|src)="([^"]+)"/g];
  return forms.flatMap((form) => Array.from(text.matchAll(form), ([, target = '']) => target));
}

describe.each(names)('%s', (name) => {
  const folder = join(installed, name);

  it('has the version and the license of the repository, and no address but its own', () => {
    const { version, license, engines, repository } = readJson(join(folder, 'package.json'));
    expect({ version, license, engines }).toEqual({
      version: rootManifest.version,
      license: rootManifest.license,
      engines: rootManifest.engines,
    });
    const address = parseRepository(readJson(join(root, 'package.json')).repository);
    expect(parseRepository(repository)).toEqual(address);
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true);
  });

  it('has pages whose links lead to a file of the package, or to the one address', () => {
    const address = parseRepository(readJson(join(root, 'package.json')).repository)?.url;
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    );
    expect(pages).toContain('README.md');
    const lost = pages.flatMap((page) =>
      findTargets(readFileSync(join(folder, page), 'utf8'))
        .filter((target) =>
          /^https?:/.test(target)
            ? /\/orgchat(?:[/#]|$)/.test(target) && !target.startsWith(address ?? 'nowhere')
            : !target.startsWith('#') && !existsSync(join(folder, dirname(page), target.replace(/#.*/, ''))),
        )
        // The page of the registry.
        .filter((target) => !target.startsWith('https://www.npmjs.com/package/'))
        .map((target) => `${page}: ${target}`),
    );
    expect(lost).toEqual([]);
  });
});

describe('the page for newcomers', () => {
  const page = readFileSync(join(root, 'docs/lost-answer.md'), 'utf8');

  it('leads from an empty folder to a lost answer, a replay and its log in each language', async () => {
    const folder = join(project, 'lost-answer');
    const clone = join(project, 'clone');
    for (const path of [folder, clone]) mkdirSync(path);
    for (const language of ['ts', 'python', 'sh'])
      for (const [file, code] of blocksOf(page, language))
        if (file.startsWith('first.')) writeFileSync(join(folder, file), code);
    const port = await findFreePort();
    const onPort = (text: string): string => text.replaceAll('4010', String(port));
    const steps = blocksOf(page, 'sh');
    // As on the page, but for the port, which others may use here, the packages, which are packed already, and the folder.
    const step = (name: string): string =>
      `${onPort(steps.get(name) ?? '')
        .replace('./packages', tarballs)
        .replace('mock start', `mock start --port ${port}`)}echo '# ${name}'\n`;
    const programs = [...steps.keys()].filter((name) => name.startsWith('run-'));
    expect(programs).toHaveLength(3);
    const runs = programs.map((program) => `${step('fault')}${step(program)}`);
    const script = [
      "trap 'npx @orgchat/cli mock stop' ERR\n",
      step('install'),
      step('start'),
      ...runs,
      step('log'),
      step('stop'),
    ];
    const env = { ...withoutNpm, ...quietNpm, ORGCHAT_MOCK_URL: `http://127.0.0.1:${port}` };
    // A reader sees what is printed on a terminal.
    const state = {
      ORGCHAT_FORMAT: 'table',
      XDG_STATE_HOME: folder,
      XDG_CONFIG_HOME: folder,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const stdout = execFileSync('bash', ['-Eeuc', script.join('')], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...env, ...state },
    });
    const printed = new Map(
      Array.from(stdout.matchAll(/([\s\S]*?)^# (.+)\n/gm), ([, text = '', name = '']) => [name, text]),
    );
    const shown = blocksOf(page, 'text');
    expect([...shown.keys()]).toEqual(['log', 'install', 'start', 'fault', 'run', 'stop']);
    const expectShown = (name: string, change = (text: string): string => text): void =>
      expect(printed.get(name)).toMatch(toPattern(change(onPort(shown.get(name) ?? 'a block'))));
    expectShown('install', (text) => text.replaceAll(/\d+/g, '…'));
    expectShown('start');
    expectShown('fault', (text) => text.replace('fault-1', `fault-${programs.length}`));
    expectShown('stop');
    for (const program of programs) expect(printed.get(program)).toBe(shown.get('run'));
    // Two requests for each program, as the page shows those of one.
    const [heading, ...requests] = (shown.get('log') ?? '').trim().split('\n');
    const all = programs.flatMap((_, n) =>
      requests.map((line, m) => line.replace(/^\d/, `${2 * n + m + 1}`)),
    );
    expect(printed.get('log')).toBe(`${[heading, ...all].join('\n')}\n`);
    expect(page.split(shown.get('log') ?? '')).toHaveLength(3);
  }, 240_000);
});

describe('the package orgchat', () => {
  const forwarding = join(installed, 'orgchat/orgchat.cjs');
  const orgchat = (...args: string[]) =>
    spawnSync(process.execPath, [forwarding, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH } });

  it('runs the command of @orgchat/cli of its version', () => {
    const { version, dependencies } = readJson(join(installed, 'orgchat/package.json'));
    expect(dependencies).toEqual({ '@orgchat/cli': version });
    expect(orgchat('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(orgchat('tags', '--help').stdout).toContain('Usage: orgchat tags');
  });

  it('passes on its arguments, output and exit code', () => {
    const { status, stdout } = orgchat('--json', 'tags', 'lst');
    expect(status).toBe(3);
    expect(JSON.parse(stdout).error.code).toBe('USAGE');
  });
});

it.each(publishedPackages)('the bill of materials of %s names what its license file names', (name) => {
  const bill = readJson(join(tarballs, `orgchat-${name}-${rootManifest.version}.cdx.json`));
  expect(bill.metadata.component).toMatchObject({ name: `@orgchat/${name}`, version: rootManifest.version });
  const bundled = bill.components.filter((one: { properties?: object[] }) => one.properties !== undefined);
  const sections = readFileSync(join(installed, `@orgchat/${name}/THIRD_PARTY_LICENSES`), 'utf8')
    .split(/^-{80}$/m)
    .slice(1)
    .map((section) => section.trim().split(' ').slice(0, 2).join('@'));
  expect(
    bundled.map(({ name: one, version }: { name: string; version: string }) => `${one}@${version}`).sort(),
  ).toEqual(sections.sort());
});

/** Where the code of a file is from: the sources of its map, or the comments of the bundle; undefined if nothing says so. */
function listOrigins(file: string): string[] | undefined {
  if (existsSync(`${file}.map`)) return readJson(`${file}.map`).sources;
  // CommonJS without a map is made of the ES module of the same name.
  const code = readFileSync(file.replace('/cjs/', '/esm/'), 'utf8');
  const comments = Array.from(code.matchAll(/^ *\/\/ (\S+\/\S+\.\w+)$/gm), ([, path = '']) => path);
  const isReexport = !/^\s*(?!import|export)\w+ .*[({]$/m.test(code);
  return comments.length > 0 || isReexport ? comments : undefined;
}

it.each(publishedPackages)(
  'every package whose code is in a file of %s is in its bill of materials',
  (name) => {
    const bill = readJson(join(tarballs, `orgchat-${name}-${rootManifest.version}.cdx.json`));
    const bundled = new Set(
      bill.components
        .filter((one: { properties?: object[] }) => one.properties !== undefined)
        .map((one: { name: string }) => one.name),
    );
    const dist = join(installed, `@orgchat/${name}/dist`);
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.[cm]?js$/.test(file),
    );
    expect(files.length).toBeGreaterThan(3);
    const unknown = files.flatMap((file) => {
      const origins = listOrigins(join(dist, file));
      if (origins === undefined) return [`${file}: nothing says where its code is from`];
      const names = origins.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
      return [...new Set(names)].filter((one) => !bundled.has(one)).map((one) => `${file}: ${one}`);
    });
    expect(unknown).toEqual([]);
  },
);
