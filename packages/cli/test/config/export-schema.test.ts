import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const at = (name: string): string => join(cli.folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const exportFile = (...args: string[]) => file.run(['export', '-o', 'orgchat.yaml', ...args]);
const schemaName = 'orgchat.schema.json';
const comment = `# yaml-language-server: $schema=./${schemaName}\n`;

describe('export --schema', () => {
  test('writes the schema, and names it in the first line of the file', async () => {
    const before = file.read();
    expect((await exportFile('--schema', schemaName)).json).toMatchObject({
      result: 'updated',
      schema: schemaName,
    });
    expect(file.read()).toBe(comment + before);
    expect(read(schemaName)).toBe((await cli.run(['schema', 'config'])).stdout);
    expect(statSync(at(schemaName)).mode).toBe(statSync(file.path).mode);
    expect((await exportFile('--schema', schemaName, '--json')).json.result).toBe('unchanged' as never);
    expect((await file.run(['diff', 'orgchat.yaml'])).json).toMatchObject({ differences: false });
    expect(readdirSync(cli.folder).sort()).toEqual([schemaName, 'orgchat.yaml', 'state']);
  });

  test('its line survives other exports, edits and applies', async () => {
    await exportFile('--schema', schemaName);
    file.edit(freshTag);
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    await exportFile();
    expect(file.read()).toContain('name: Fresh');
    expect(file.read()).toContain('color: green');
    await file.run(['apply', 'orgchat.yaml', '--yes']);
    file.edit(['color: green', 'color: pink']);
    await file.rival('tags', 'update', 'VIP', '--color', 'blue');
    expect((await exportFile('--force')).json.result).toBe('updated' as never);
    await exportFile('--only', 'tags/VIP');
    await exportFile('--resources', 'tags');
    expect(file.read().startsWith(`${comment}# The messaging configuration`)).toBe(true);
    expect(file.read().match(/yaml-language-server/g)).toHaveLength(1);
  });

  test('keeps line endings and byte order mark', async () => {
    const before = file.read().replaceAll('\n', '\r\n');
    file.write(`\ufeff${before}`);
    await exportFile('--schema', schemaName);
    expect(file.read()).toBe(`\ufeff${comment.replace('\n', '\r\n')}${before}`);
  });

  test('names a schema of another folder by its path from the file, and replaces the earlier line', async () => {
    for (const folder of ['schemas', 'config']) mkdirSync(at(folder));
    const args = ['export', '-o', 'config/own.yaml', '--schema', 'schemas/own.json'];
    expect((await file.run(args)).json.result).toBe('created' as never);
    expect(read('config/own.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/schemas\/own\.json\n# The /,
    );
    await file.run(['export', '-o', 'config/own.yaml', '--schema', `config/${schemaName}`]);
    expect(read('config/own.yaml').startsWith(`${comment}# The `)).toBe(true);
  });

  test('names it in the first key of a JSON file, which survives too', async () => {
    const args = ['export', '-o', 'own.json'];
    await file.run([...args, '--schema', schemaName]);
    const written = read('own.json');
    expect(Object.entries(JSON.parse(written)).slice(0, 2)).toEqual([
      ['$schema', `./${schemaName}`],
      ['version', 1],
    ]);
    expect((await file.run([...args, '--schema', schemaName])).json.result).toBe('unchanged' as never);
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    await file.run(args);
    expect(read('own.json')).toBe(written.replace('"pink"', '"green"'));
    expect((await file.run(['diff', 'own.json'])).json).toMatchObject({ differences: false });
    await file.run([...args, '--schema', 'other.json']);
    expect(read('own.json')).toBe(written.replace('"pink"', '"green"').replace(schemaName, 'other.json'));
  });

  test('names it on standard output by its path from the working directory', async () => {
    const { stdout } = await file.run(['export', '--format', 'yaml', '--schema', schemaName]);
    expect(stdout).toBe(comment + file.read());
    mkdirSync(at('schemas'));
    const { json } = await file.run(['export', '--format', 'json', '--schema', 'schemas/own.json']);
    expect(Object.entries(json)[0]).toEqual(['$schema', './schemas/own.json']);
    expect(read('schemas/own.json')).toBe(read(schemaName));
  });

  test('replaces an empty file and an earlier schema', async () => {
    for (const text of [
      '',
      '\n',
      '{ "$schema": "http://json-schema.org/draft-07/schema#", "$id": "urn:orgchat:schema:config" }',
    ]) {
      writeFileSync(at(schemaName), text);
      expect((await exportFile('--schema', schemaName)).code).toBe(0);
      expect(JSON.parse(read(schemaName)).properties).toHaveProperty('tags');
    }
  });
});

describe('a file of --schema that cannot be used', () => {
  const order = '{ "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Order" }';

  test.each([
    ['-', 'USAGE', 'standard output'],
    ['orgchat.yaml', 'USAGE', 'name the same file'],
    ['./orgchat.yaml', 'USAGE', 'name the same file'],
    ['link.yaml', 'USAGE', 'name the same file'],
    ['nodir/own.json', 'FILE_UNWRITABLE', 'no such directory'],
    ['state', 'FILE_UNWRITABLE', 'directory'],
    ['own.yaml', 'FILE_UNWRITABLE', 'is not a schema of configuration files'],
    ['package.json', 'FILE_UNWRITABLE', 'is not a schema of configuration files'],
    ['order.schema.json', 'FILE_UNWRITABLE', 'is not a schema of configuration files'],
    ['/dev/null', 'FILE_UNWRITABLE', 'is not a schema of configuration files'],
    ['my schema.json', 'USAGE', 'white space or #'],
    ['a#b.json', 'USAGE', 'white space or #'],
  ])('%s is refused before anything is sent, and loses nothing', async (schema, code, message) => {
    const before = file.read();
    symlinkSync('orgchat.yaml', at('link.yaml'));
    writeFileSync(at('own.yaml'), before);
    writeFileSync(at('package.json'), '{ "name": "own" }');
    writeFileSync(at('order.schema.json'), order);
    const sent = (await cli.received('readChat')).length;
    for (const output of [
      ['-o', 'orgchat.yaml'],
      ['-o', 'new.yaml'],
    ]) {
      if (output[1] === 'new.yaml' && message.includes('same file')) continue;
      const { code: exit, json } = await cli.run([
        'config',
        'export',
        ...output,
        '--schema',
        schema,
        '--json',
      ]);
      expect([exit, json.error]).toMatchObject([3, { code, message: expect.stringContaining(message) }]);
    }
    expect((await cli.received('readChat')).length).toBe(sent);
    expect([file.read(), read('own.yaml'), read('package.json'), read('order.schema.json')]).toEqual([
      before,
      before,
      '{ "name": "own" }',
      order,
    ]);
    expect(existsSync(at('new.yaml'))).toBe(false);
  });

  test('is noticed while it is written: the configuration stays as it is', async () => {
    const before = file.read();
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    for (const output of [['-o', 'orgchat.yaml'], ['-o', 'new.yaml'], []]) {
      // Nobody can create a file there, not even root.
      const args = ['config', 'export', ...output, '--schema', '/proc/own.json', '--pacing', 'off'];
      const { code, stdout, stderr } = await cli.run([...args, '--format', 'table']);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('Cannot write /proc/own.json');
    }
    expect(file.read()).toBe(before);
    expect(existsSync(at('new.yaml'))).toBe(false);
    expect((await exportFile('--schema', schemaName)).json).toMatchObject({ result: 'updated' });
  });

  test('is not written if the export has conflicts, whose hint repeats it', async () => {
    file.edit(greenVip);
    await file.rival('tags', 'update', 'VIP', '--color', 'blue');
    const { code, json } = await exportFile('--schema', schemaName);
    expect([code, json.error?.hint]).toEqual([
      5,
      expect.stringContaining(`orgchat config export -o orgchat.yaml --schema ${schemaName} --force`),
    ]);
    expect(existsSync(at(schemaName))).toBe(false);
  });
});
