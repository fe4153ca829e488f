import { expect, it } from 'vitest';
import { findReleaseProblems, type ReleaseFacts, unpublishedText } from './release-problems.ts';

const ready: ReleaseFacts = {
  repository: 'https://github.com/ada/orgchat',
  runningIn: 'ada/orgchat',
  node: 'v24.15.0',
  npm: '11.15.0',
  tag: 'v0.1.0',
  versions: { 'package.json': '0.1.0', 'packages/sdk/package.json': '0.1.0' },
  changelogs: { 'packages/sdk/CHANGELOG.md': '# @orgchat/sdk\n\n## 0.1.0\n\nFirst release.\n' },
  outdated: [],
  changesets: [],
  unpublished: [],
};

it.each([
  ready,
  { ...ready, runningIn: undefined, tag: undefined },
  { ...ready, node: 'v22.14.0', npm: '12.2.1' },
])('nothing holds a release that is ready: %#', (facts) => {
  expect(findReleaseProblems(facts)).toEqual([]);
});

it.each<[string, Partial<ReleaseFacts>, RegExp]>([
  ['an npm without staged publishing', { npm: '11.14.9' }, /requires npm 11\.15\.0 or newer/],
  ['the npm of Node 22', { npm: '10.9.8' }, /requires npm 11\.15\.0 or newer, and this is 10\.9\.8/],
  ['an old Node', { node: 'v20.20.2' }, /requires node 22\.14\.0 or newer, and this is v20\.20\.2/],
  ['no address', { repository: undefined }, /The address of the repository is not set/],
  ['an address elsewhere', { repository: 'https://example.com' }, /Write the address of the repository/],
  ['a fork', { runningIn: 'eve/orgchat' }, /runs in eve\/orgchat, .*github\.com\/ada\/orgchat/],
  ['another tag', { tag: 'v0.2.0' }, /The tag is v0\.2\.0, and the version is 0\.1\.0/],
  ['a tag without v', { tag: '0.1.0' }, /Push the tag v0\.1\.0 instead/],
  [
    'several versions',
    { versions: { ...ready.versions, 'packages/cli/package.json': '0.0.0' } },
    /several versions \(.*packages\/cli\/package\.json: 0\.0\.0/,
  ],
  ['an open changeset', { changesets: ['new-flag.md'] }, /in no version yet: new-flag\.md/],
  [
    'a changelog without the version',
    { changelogs: { 'packages/sdk/CHANGELOG.md': '# @orgchat/sdk\n\n## 0.1.0-beta\n' } },
    /packages\/sdk\/CHANGELOG\.md has no section "## 0\.1\.0"/,
  ],
  [
    'a text that says how to do without the registry',
    { unpublished: ['README.md:12'] },
    /README\.md:12\. Replace them by how 0\.1\.0 is installed/,
  ],
  ['a package.json of its own', { outdated: ['packages/cli/package.json'] }, /Run npm run generate/],
])('%s does', (_what, change, problem) => {
  const problems = findReleaseProblems({ ...ready, ...change });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

it('a version that was never set does, once', () => {
  const versions = { 'package.json': '0.0.0' };
  expect(findReleaseProblems({ ...ready, versions, changesets: ['initial-release.md'] })).toEqual([
    'The version is 0.0.0, which is never published. Run npm run release:version.',
  ]);
});

it.each([
  'The packages are not published yet. Pack them here',
  'The package is not on npm yet.',
  'Nothing has been released yet: only the newest commit gets fixes.',
  'Until the first release, pack it from a clone.',
  'The packages have version 0.0.0 until then',
  '| released on npm | [not yet](../README.md#use-it-in-another-project) | yes |',
  'npm install FOLDER/orgchat-cli-0.0.0.tgz',
  'npm run release:pack -- /tmp/orgchat',
])('a release finds the text "%s"', (text) => {
  expect(text).toMatch(new RegExp(unpublishedText));
});

it.each(['checked, not yet answered', 'npm install @orgchat/cli', 'npm run release:pack writes tarballs'])(
  'a release leaves the text "%s"',
  (text) => {
    expect(text).not.toMatch(new RegExp(unpublishedText));
  },
);
