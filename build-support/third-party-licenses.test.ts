import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thirdPartyLicenses } from './third-party-licenses.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'licenses-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

async function bundle(source: string, ...plugins: Plugin[]): Promise<string> {
  write({ 'package.json': '{"name":"product"}', 'index.js': source });
  await build({
    absWorkingDir: folder,
    entryPoints: ['index.js'],
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    plugins: [...plugins, thirdPartyLicenses(folder)],
  });
  return readFileSync(join(folder, 'THIRD_PARTY_LICENSES'), 'utf8');
}

const manifest = (name: string, license = 'MIT'): string =>
  JSON.stringify({ name, version: '1.2.3', license, main: 'index.js', sideEffects: false });

describe('THIRD_PARTY_LICENSES', () => {
  it('has the license text of each package in the bundle, once, and of no other', async () => {
    write({
      'node_modules/used/package.json': manifest('used', 'ISC'),
      'node_modules/used/index.js': 'export { two } from "./lib/two.js"; export const one = 1;',
      // A package.json without a name only says how the files beside it are loaded.
      'node_modules/used/lib/package.json': '{"type":"module"}',
      'node_modules/used/lib/two.js': 'import { deep } from "@scope/deep"; export const two = deep;',
      'node_modules/used/LICENSE.md': 'Copyright (c) Ada\r\nPermission to use',
      'node_modules/@scope/deep/package.json': manifest('@scope/deep'),
      'node_modules/@scope/deep/index.js': 'export const deep = Math.random();',
      'node_modules/@scope/deep/LICENCE': 'Copyright (c) Grace',
      'node_modules/unused/package.json': manifest('unused'),
      'node_modules/unused/index.js': 'export const unused = 1;',
      'node_modules/unused/LICENSE': 'Copyright (c) Nobody',
    });
    const text = await bundle(
      'import { one, two } from "used"; import { unused } from "unused"; console.log(one, two);',
    );
    expect(text).toContain('The files of product contain code of these packages:');
    expect(text).toContain('used 1.2.3 (ISC)\n\nCopyright (c) Ada\nPermission to use');
    expect(text).toContain('@scope/deep 1.2.3 (MIT)\n\nCopyright (c) Grace');
    expect(text.split('Copyright')).toHaveLength(3);
    expect(JSON.parse(readFileSync(join(folder, 'bundled-packages.json'), 'utf8'))).toEqual([
      { name: '@scope/deep', version: '1.2.3', license: 'MIT' },
      { name: 'used', version: '1.2.3', license: 'ISC' },
    ]);
  });

  it('says so if the bundle contains no code of other packages', async () => {
    expect(await bundle('console.log(1);')).toBe('The files of product contain no code of other packages.\n');
  });

  it('fails the build if a bundled package has no license file', async () => {
    write({
      'node_modules/bare/package.json': manifest('bare'),
      'node_modules/bare/index.js': 'export const bare = Math.random();',
    });
    await expect(bundle('import { bare } from "bare"; console.log(bare);')).rejects.toThrow(
      /bare@1\.2\.3 is bundled, but .*bare has no license file/,
    );
  });

  it('fails the build if the bundle contains data of a bundle that nobody named', async () => {
    const embed: Plugin = {
      name: 'embed',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^page$/ }, ({ path }) => ({ path, namespace: 'embedded-page' }));
        onLoad({ filter: /.*/, namespace: 'embedded-page' }, () => ({ contents: 'export default "page";' }));
      },
    };
    await expect(bundle('import page from "page"; console.log(page);', embed)).rejects.toThrow(
      'The bundle contains "embedded-page", whose packages are not known.',
    );
  });
});
