/*
 * `npm run release:pack -- FOLDER`: writes the tarballs of a release into a folder, each with its bill of materials beside
 * it. They are made from copies, in which the links of pages are those of an installed package (`packed-links.ts`); the
 * working tree stays as it is. `npm run build` has to be done.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeBillOfMaterials } from './bill-of-materials.ts';
import { publishedPackages } from './package-metadata.ts';
import { rewritePackedLinks } from './packed-links.ts';
import { missingAddress, parseRepository } from './repository-address.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const shared = readJson(join(root, 'package.json'));
const repository = parseRepository(shared.repository);
const base = repository === undefined ? undefined : `${repository.url}/blob/v${shared.version}`;

interface PackedPackage {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function pack(args: readonly string[]): PackedPackage[] {
  const options = ['pack', '--json', '--ignore-scripts', ...args];
  const stdout = execFileSync('npm', options, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(stdout) as PackedPackage[];
}

/** Copies the files of a package, with the links of an installed one in its pages. */
function copyPackage(name: string, files: readonly string[], copy: string): void {
  const folder = join(root, 'packages', name);
  if (!files.some((file) => file.startsWith('dist/'))) {
    throw new Error(`packages/${name} has no dist folder. Run npm run build first.`);
  }
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(folder, file), join(copy, file));
    if (!file.endsWith('.md')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const targets = { folder: `packages/${name}`, files, base };
    writeFileSync(join(copy, file), rewritePackedLinks(text, file, targets));
  }
}

/** Writes the package `orgchat`, whose command is that of `@orgchat/cli`. */
function writeForwarding(copy: string): void {
  cpSync(fileURLToPath(new URL('orgchat/', import.meta.url)), copy, { recursive: true });
  chmodSync(join(copy, 'orgchat.cjs'), 0o755);
  cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
  const cli = readJson(join(root, 'packages/cli/package.json'));
  const { version, keywords, homepage, bugs, license, engines } = cli;
  const manifest = {
    name: 'orgchat',
    version,
    description: 'Runs the command of @orgchat/cli',
    keywords,
    homepage,
    bugs,
    repository: cli.repository && { ...cli.repository, directory: 'build-support/release/orgchat' },
    license,
    engines,
    bin: { orgchat: './orgchat.cjs' },
    dependencies: { [cli.name]: version },
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function writeBillOfMaterials(name: string, file: string): void {
  const folder = join(root, 'packages', name);
  const bill = composeBillOfMaterials(
    readJson(join(folder, 'package.json')),
    `packages/${name}`,
    readJson(join(root, 'package-lock.json')).packages,
    readJson(join(folder, 'bundled-packages.json')),
  );
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error(
    'Name the folder for the tarballs, which is created if it is missing: npm run release:pack -- FOLDER',
  );
  process.exit(1);
}
const target = resolve(given);
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'orgchat-pack-'));
try {
  if (base === undefined) {
    console.error(
      `NOTE ${missingAddress} Links that lead out of a package are packed as the name of the file.`,
    );
  }
  const listed = pack(['--dry-run', ...publishedPackages.map((name) => `./packages/${name}`)]);
  for (const [n, name] of publishedPackages.entries()) {
    const files = listed[n]?.files.map(({ path }) => path) ?? [];
    copyPackage(name, files, join(work, name));
  }
  writeForwarding(join(work, 'orgchat'));
  const copies = [...publishedPackages, 'orgchat'].map((name) => join(work, name));
  const packed = pack(['--pack-destination', target, ...copies]);
  for (const [n, { filename }] of packed.entries()) {
    console.log(filename);
    const name = publishedPackages[n];
    if (name !== undefined) writeBillOfMaterials(name, join(target, filename.replace(/\.tgz$/, '.cdx.json')));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
