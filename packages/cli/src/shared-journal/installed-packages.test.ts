import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getInstallLine, loadInstalled, type PackagePlaces } from './installed-packages.ts';

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
  places = { command, workingDirectory: join(folder, 'project') };
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (name: string) => loadInstalled(name, ['one', 'two'], places);

describe('a package', () => {
  test('is loaded from beside the command first', async () => {
    install('prefix/lib', 'orgchat-test-one', 'module.exports = "beside"');
    install('project', 'orgchat-test-one', 'module.exports = "project"');
    expect(await load('orgchat-test-one')).toBe('beside');
  });

  test('is loaded from the working directory if the command does not have it', async () => {
    install('project', 'orgchat-test-one', 'module.exports = "project"');
    expect(await load('orgchat-test-one')).toBe('project');
  });

  test('that is missing is a usage error with the line that installs all of them', async () => {
    await expect(load('orgchat-test-one')).rejects.toMatchObject({
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
    install('project', 'orgchat-test-one', text);
    await expect(load('orgchat-test-one')).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      message: `orgchat-test-one cannot be loaded: ${why}.`,
    });
  });

  test('that lacks the part which is needed is missing', async () => {
    const manifest = JSON.stringify({ name: 'orgchat-test-one', exports: { './a': './index.js' } });
    install('project', 'orgchat-test-one', '');
    write('project/node_modules/orgchat-test-one/package.json', manifest);
    await expect(load('orgchat-test-one/b')).rejects.toMatchObject({ code: 'PACKAGE_MISSING' });
  });
});

test('the line that installs packages says where the command would find them', () => {
  expect(getInstallLine(['a', 'b'], places.command)).toBe('npm install --global a b');
  write('prefix/lib/package.json', '{}');
  expect(getInstallLine(['a', 'b'], places.command)).toBe('npm install a b');
});
