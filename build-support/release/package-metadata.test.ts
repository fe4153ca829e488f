import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { derivePackageManifest, publishedPackages } from './package-metadata.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readManifest = (folder: string) => JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));

const shared = { license: 'MIT', engines: { node: '>=20.19' }, keywords: ['messaging'] };
const manifest = {
  name: '@orgchat/cli',
  version: '1.2.3',
  description: 'The command',
  license: 'ISC',
  homepage: 'https://example.com/old',
  engines: { node: '>=18' },
  bin: {},
};

describe('the metadata of a published package', () => {
  it('has license, engines and keywords of the root, and its own version, description and files', () => {
    expect(derivePackageManifest(manifest, 'cli', shared)).toEqual({
      name: '@orgchat/cli',
      version: '1.2.3',
      description: 'The command',
      keywords: ['cli', 'command-line', 'configuration-as-code', 'messaging', 'mock-server'],
      license: 'MIT',
      engines: { node: '>=20.19' },
      bin: {},
    });
  });

  it.each(['https://github.com/ada/orgchat', { type: 'git', url: 'git+https://github.com/ada/orgchat.git' }])(
    'has all addresses of one: %j',
    (repository) => {
      expect(derivePackageManifest(manifest, 'cli', { ...shared, repository })).toMatchObject({
        homepage: 'https://github.com/ada/orgchat/tree/main/packages/cli#readme',
        bugs: { url: 'https://github.com/ada/orgchat/issues' },
        repository: {
          type: 'git',
          url: 'git+https://github.com/ada/orgchat.git',
          directory: 'packages/cli',
        },
      });
    },
  );

  it('has the address of the site as its homepage, if there is one', () => {
    const site = { repository: 'https://github.com/ada/orgchat', homepage: 'https://orgchat.example/' };
    expect(derivePackageManifest(manifest, 'sdk', { ...shared, ...site })).toMatchObject({
      homepage: 'https://orgchat.example/',
    });
  });

  it.each(['orgchat', 'ada/orgchat', 'http://github.com/ada/orgchat', 'https://example.com/ada/orgchat', {}])(
    'requires an address on GitHub: %j is refused',
    (repository) => {
      expect(() => derivePackageManifest(manifest, 'cli', { ...shared, repository })).toThrow(
        'Write the address of the repository: "https://github.com/OWNER/NAME".',
      );
    },
  );

  it.each(publishedPackages)('of %s is up to date: npm run generate', (folder) => {
    const own = readManifest(`packages/${folder}`);
    expect(own).toEqual(derivePackageManifest(own, folder, readManifest('.')));
  });
});

it('all published packages and the root have one version', () => {
  const versions = ['.', ...publishedPackages.map((folder) => `packages/${folder}`)].map(
    (folder) => readManifest(folder).version,
  );
  expect(new Set(versions).size).toBe(1);
});
