import type { SharedMetadata } from './package-metadata.ts';
import { missingAddress, parseRepository } from './repository-address.ts';

/** What decides whether a release can be published. */
export interface ReleaseFacts {
  /** The field `repository` of the package.json of the root. */
  readonly repository: SharedMetadata['repository'];
  /** `OWNER/NAME` of the repository in which the workflow runs, or undefined outside a workflow. */
  readonly runningIn: string | undefined;
  readonly node: string;
  readonly npm: string;
  /** The tag that is published, such as `v0.1.0`. */
  readonly tag: string | undefined;
  /** The version of each package.json, by its path. */
  readonly versions: Readonly<Record<string, string>>;
  /** The text of each changelog, by its path. */
  readonly changelogs: Readonly<Record<string, string>>;
  /** Each package.json that `npm run generate` would write otherwise. */
  readonly outdated: readonly string[];
  /** The changesets that no version contains yet. */
  readonly changesets: readonly string[];
  /** Each line that `unpublishedText` finds, as `README.md:12`. */
  readonly unpublished: readonly string[];
}

/** What texts say as long as nothing is published, as an extended regular expression that git understands, too. */
export const unpublishedText =
  'not (published|on npm) yet|(has|have) been released yet|[Uu]ntil the first release|have version 0\\.0\\.0|released on npm \\| (\\[)?not yet|orgchat-[a-z-]+-0\\.0\\.0\\.tgz|release:pack -- ([A-Z]+|/)';

/** What has to say so even after a release: these texts describe how one is made, and their tests. */
export const aboutReleasing = ['RELEASING.md', 'build-support', 'test', '*.test.ts'] as const;

/** `npm stage publish` and trusted publishing require these. */
const required = { node: '22.14.0', npm: '11.15.0' } as const;

function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.replace(/^v/, '').split('.').map(Number));
  for (const [n, wanted] of (other ?? []).entries()) {
    const part = one?.[n] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

function addressProblems({ repository, runningIn }: ReleaseFacts): string[] {
  try {
    const address = parseRepository(repository);
    if (address === undefined) return [missingAddress];
    if (runningIn === undefined || runningIn === address.name) return [];
    return [
      `The workflow runs in ${runningIn}, and "repository" in package.json is ${address.url}. npm refuses the provenance of packages that name another repository: correct the field, and run npm run generate.`,
    ];
  } catch (error) {
    return [(error as Error).message];
  }
}

function versionProblems({ versions, changelogs, changesets, unpublished, tag }: ReleaseFacts): string[] {
  const problems: string[] = [];
  const [version = '', ...others] = new Set(Object.values(versions));
  if (others.length > 0) {
    const list = Object.entries(versions).map(([path, one]) => `${path}: ${one}`);
    problems.push(`The packages have several versions (${list.join(', ')}). Run npm run release:version.`);
  }
  if (version === '0.0.0') {
    return [...problems, 'The version is 0.0.0, which is never published. Run npm run release:version.'];
  }
  if (unpublished.length > 0) {
    problems.push(
      `These texts say that nothing is published: ${unpublished.join(', ')}. Replace them by how ${version} is installed.`,
    );
  }
  if (tag !== undefined && tag !== `v${version}`) {
    problems.push(`The tag is ${tag}, and the version is ${version}. Push the tag v${version} instead.`);
  }
  if (changesets.length > 0) {
    problems.push(
      `These changesets are in no version yet: ${changesets.join(', ')}. Run npm run release:version.`,
    );
  }
  for (const [path, text] of Object.entries(changelogs)) {
    if (!text.split('\n').includes(`## ${version}`)) {
      problems.push(`${path} has no section "## ${version}". Run npm run release:version.`);
    }
  }
  return problems;
}

/** Returns what has to be corrected before a release can be published: each a sentence for the owner. */
export function findReleaseProblems(facts: ReleaseFacts): string[] {
  const tools = (['node', 'npm'] as const)
    .filter((name) => isOlder(facts[name], required[name]))
    .map((name) => `Publishing requires ${name} ${required[name]} or newer, and this is ${facts[name]}.`);
  const outdated = facts.outdated.map((path) => `${path} is not up to date. Run npm run generate.`);
  return [...tools, ...addressProblems(facts), ...versionProblems(facts), ...outdated];
}
