import { expect, it } from 'vitest';
import { composeBillOfMaterials } from './bill-of-materials.ts';

const lock = {
  'node_modules/needed': {
    version: '2.0.0',
    license: 'MIT',
    integrity: `sha512-${Buffer.from('needed').toString('base64')}`,
    dependencies: { deep: '^1.0.0' },
  },
  'node_modules/deep': { version: '3.0.0', license: 'MIT' },
  'node_modules/needed/node_modules/deep': { version: '1.5.0', license: '(MIT OR Apache-2.0)' },
  'node_modules/native': { version: '4.0.0', optionalDependencies: { '@native/linux': '4.0.0' } },
  'node_modules/@native/linux': { version: '4.0.0' },
  'node_modules/unused': { version: '9.0.0' },
};
const manifest = {
  name: '@orgchat/cli',
  version: '0.1.0',
  license: 'MIT',
  dependencies: { needed: '2.0.0' },
  optionalDependencies: { native: '4.0.0' },
};
const bundled = [{ name: 'zod', version: '4.6.7', license: 'MIT' }];

it('a bill of materials has what a package contains and what npm installs for it, and nothing else', () => {
  expect(composeBillOfMaterials(manifest, 'packages/cli', lock, bundled)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name: '@orgchat/cli', purl: 'pkg:npm/%40orgchat/cli@0.1.0' } },
    components: [
      {
        name: 'zod',
        version: '4.6.7',
        purl: 'pkg:npm/zod@4.6.7',
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
      },
      {
        name: 'needed',
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: Buffer.from('needed').toString('hex') }],
      },
      { name: 'deep', version: '1.5.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      { name: 'native', scope: 'optional' },
      { name: '@native/linux', scope: 'optional' },
    ],
  });
});

it('a bill of materials says what requires what, each component once', () => {
  const { components, dependencies } = composeBillOfMaterials(manifest, 'packages/cli', lock, bundled) as {
    components: { 'bom-ref': string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const references = components.map((component) => component['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
  expect(dependencies[0]).toEqual({
    ref: 'pkg:npm/%40orgchat/cli@0.1.0',
    dependsOn: ['pkg:npm/needed@2.0.0', 'pkg:npm/native@4.0.0'],
  });
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).sort()).toEqual(
    references.filter((reference) => reference !== 'pkg:npm/zod@4.6.7').sort(),
  );
});

it('a bill of materials has one component per purl: of copies, and of what is bundled and installed', () => {
  const copies = {
    ...lock,
    'node_modules/native': { version: '4.0.0', optionalDependencies: { needed: '^2.0.0' } },
    'node_modules/native/node_modules/needed': lock['node_modules/needed'],
    'node_modules/zod': { version: '4.6.7', license: 'MIT' },
  };
  const both = { ...manifest, dependencies: { needed: '2.0.0', zod: '4.6.7' } };
  const bill = composeBillOfMaterials(both, 'packages/cli', copies, bundled) as {
    components: { 'bom-ref': string; purl: string; scope: string; properties?: object[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const purls = bill.components.map(({ purl }) => purl);
  expect(bill.components.map((one) => one['bom-ref'])).toEqual(purls);
  expect(purls.sort()).toEqual([
    'pkg:npm/deep@1.5.0',
    'pkg:npm/deep@3.0.0',
    'pkg:npm/native@4.0.0',
    'pkg:npm/needed@2.0.0',
    'pkg:npm/zod@4.6.7',
  ]);
  const find = (purl: string) => bill.components.find((one) => one.purl === purl);
  expect(find('pkg:npm/zod@4.6.7')?.properties).toHaveLength(1);
  expect(find('pkg:npm/needed@2.0.0')?.scope).toBe('required');
  const refs = bill.dependencies.map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  // Each copy finds another version.
  expect(bill.dependencies.find(({ ref }) => ref === 'pkg:npm/needed@2.0.0')?.dependsOn.sort()).toEqual([
    'pkg:npm/deep@1.5.0',
    'pkg:npm/deep@3.0.0',
  ]);
});

it('a bill of materials is not made of a lock file that lacks a package', () => {
  const { 'node_modules/deep': _, 'node_modules/needed/node_modules/deep': __, ...others } = lock;
  expect(() => composeBillOfMaterials(manifest, 'packages/cli', others, [])).toThrow(
    'package-lock.json has no entry for deep, which pkg:npm/needed@2.0.0 requires.',
  );
});
