import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getInstallLine, isBeside, loadInstalled, type PackagePlaces } from './installed-packages.ts';

let folder: string;
let places: PackagePlaces;

const write = (path: string, text: string): string => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const install = (place: string, name: string, text: string): string =>
  write(`${place}/node_modules/${name}/index.js`, text);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orgchat-packages-')));
  // As a global install: the prefix has no package.json.
  const command = install('prefix/lib', '@orgchat/cli', '');
  mkdirSync(join(folder, 'project'));
  places = { command, modules: join(folder, 'chosen'), workingDirectory: join(folder, 'project') };
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (name: string, changed: Partial<PackagePlaces> = {}) =>
  loadInstalled(name, ['one', 'two'], { ...places, ...changed });

describe('a package', () => {
  test('is loaded from beside the command first', async () => {
    install('prefix/lib', 'orgchat-test-one', 'module.exports = "beside"');
    install('chosen', 'orgchat-test-one', 'module.exports = "chosen"');
    expect(await load('orgchat-test-one')).toBe('beside');
  });

  test.each(['orgchat-test-one', '@orgchat-test/one'])(
    'is loaded from the chosen directory if the command does not have it: %s',
    async (name) => {
      install('chosen', name, 'module.exports = "chosen"');
      expect(await load(name)).toBe('chosen');
      expect(await load(name, { modules: join(folder, 'chosen/node_modules') })).toBe('chosen');
    },
  );

  test.each(['project', '.', 'chosen/..'])(
    'is never loaded from the working directory, nor from above the command: %s',
    async (place) => {
      install(place, 'orgchat-test-one', 'throw new Error("was run")');
      const missing = { code: 'PACKAGE_MISSING', message: expect.stringContaining('was not found') };
      await expect(load('orgchat-test-one', { modules: undefined })).rejects.toMatchObject(missing);
      await expect(load('orgchat-test-one')).rejects.toMatchObject(missing);
    },
  );

  test('is not looked for in a relative directory', async () => {
    await expect(load('orgchat-test-one', { modules: 'chosen' })).rejects.toMatchObject({
      code: 'RELATIVE_DIRECTORY',
      exit: 3,
      message: 'ORGCHAT_MODULES must be an absolute path, got "chosen".',
      hint: 'Set it to an absolute path: ORGCHAT_MODULES="$PWD/chosen"',
    });
  });

  test('that is missing is a usage error with the line that installs all of them', async () => {
    await expect(load('orgchat-test-one', { modules: undefined })).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      exit: 3,
      message: 'A shared journal requires orgchat-test-one, which was not found.',
      hint: 'Install it: npm install --global one two',
    });
  });

  test.each([
    ['require("orgchat-test-other")', 'one of its dependencies is missing'],
    ['throw new Error("needs Node 99")', 'needs Node 99'],
  ])('that cannot be loaded says why: %s', async (text, why) => {
    install('chosen', 'orgchat-test-one', text);
    await expect(load('orgchat-test-one')).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      message: `orgchat-test-one cannot be loaded: ${why}.`,
    });
  });

  test('that lacks the part which is needed is missing', async () => {
    const manifest = JSON.stringify({ name: 'orgchat-test-one', exports: { './a': './index.js' } });
    install('chosen', 'orgchat-test-one', '');
    write('chosen/node_modules/orgchat-test-one/package.json', manifest);
    await expect(load('orgchat-test-one/b')).rejects.toMatchObject({ code: 'PACKAGE_MISSING' });
  });
});

test('a package is beside the command if it is in the folder of the command, or in its own', () => {
  install('.', 'above', '');
  install('prefix/lib', 'beside', '');
  install('prefix/lib/node_modules/@orgchat/cli', 'own', '');
  expect(['above', 'beside', 'own', 'nowhere'].map((name) => isBeside(name, places))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an unpacked command has the packages of its own folder', () => {
  const command = write('unpacked/dist/cli.cjs', '');
  install('.', 'above', '');
  install('unpacked', 'own', '');
  expect(['above', 'own'].map((name) => isBeside(name, { command }))).toEqual([false, true]);
});

test('the line that installs packages puts them where the command finds them', () => {
  const line = (changed: Partial<PackagePlaces>): string =>
    getInstallLine(['a', 'b'], { ...places, ...changed });
  expect(line({ modules: join(folder, 'my modules') })).toBe(
    `npm install --prefix '${folder}/my modules' a b`,
  );
  expect(line({ modules: undefined })).toBe('npm install --global a b');
  // Now it is the command of a project.
  write('prefix/lib/package.json', '{}');
  const inside = join(folder, 'prefix/lib/src');
  expect(line({ modules: undefined, workingDirectory: inside })).toBe('npm install a b');
  expect(line({ modules: undefined })).toBe(
    'npm install --prefix "$HOME/orgchat-modules" a b && export ORGCHAT_MODULES="$HOME/orgchat-modules"',
  );
});
