/*
 * `npm run release:check -- v0.1.0`: whether this commit can be published under the tag. It is the first step of
 * `.github/workflows/publish.yml`, and needs nothing that has to be installed: Node runs it as it is.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { derivePackageManifest, publishedPackages } from './package-metadata.ts';
import { aboutReleasing, findReleaseProblems, unpublishedText } from './release-problems.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const readManifest = (path: string) => JSON.parse(read(path));

const shared = readManifest('package.json');
const manifests = publishedPackages.map((folder) => {
  const path = `packages/${folder}/package.json`;
  return { path, folder, manifest: readManifest(path) };
});

/** What `npm run generate` would write otherwise; nothing can be derived from an address that is wrong. */
function listOutdated(): string[] {
  try {
    return manifests
      .filter(
        ({ manifest, folder }) =>
          !isDeepStrictEqual(manifest, derivePackageManifest(manifest, folder, shared)),
      )
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

/** The lines that say that nothing is published, as `README.md:12`. */
function listUnpublished(): string[] {
  const paths = aboutReleasing.map((path) => `:!${path}`);
  const { stdout, stderr, status } = spawnSync(
    'git',
    ['grep', '-nIE', unpublishedText, '--', '.', ...paths],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  // 1: nothing was found.
  if (status !== 0 && status !== 1) throw new Error(`git grep failed: ${stderr}`);
  return stdout.split('\n').flatMap((line) => /^[^:]+:\d+(?=:)/.exec(line)?.[0] ?? []);
}

const problems = findReleaseProblems({
  repository: shared.repository,
  runningIn: process.env.GITHUB_REPOSITORY,
  node: process.version,
  npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
  tag: process.argv[2],
  versions: Object.fromEntries([
    ['package.json', shared.version],
    ...manifests.map(({ path, manifest }) => [path, manifest.version]),
  ]),
  changelogs: Object.fromEntries(
    publishedPackages.map((folder) => [
      `packages/${folder}/CHANGELOG.md`,
      read(`packages/${folder}/CHANGELOG.md`),
    ]),
  ),
  outdated: listOutdated(),
  unpublished: listUnpublished(),
  changesets: readdirSync(new URL('.changeset/', root)).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  ),
});

for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) {
  console.error(`Not ready to be published: ${problems.length} problem(s). RELEASING.md has the steps.`);
  process.exitCode = 1;
} else {
  console.log(`${shared.name} ${shared.version} is ready to be published.`);
}
