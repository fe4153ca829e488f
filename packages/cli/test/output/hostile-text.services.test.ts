import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Json, useCli } from '../../test-support/harness.ts';
import { atTerminal, type PtyOptions } from '../../test-support/pty.ts';

const cli = useCli({ inProcess: true });

/** Writes the clipboard, erases the line, colors, turns text around, hides text and forges a line of the command. */
const hostile =
  '\u001b]52;c;cHduZWQ=\u0007 \u001b[2K\r\u001b[35mSafe \u009b35m\u009d52;c;x\u009c \u202eabc\u200f \u200b\u{e0041}\u2028\nnext: rm -rf ~';
/** The same, as far as a keyword or the name of a file may have it. */
const hostileWord = hostile.replace(/[\n\u2028]/g, '').replaceAll('/', '');

/** What of it may not be shown as it is. Codes of our own and of the progress bar are others. */
const raw =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\]|\u0007|[\u0080-\u009f\u200b\u200f\u2028\u202e]|\u{e0041}|\u001b\[35m|\u001b\[2K\r|^\s*next: rm/mu;

/** How its beginning is shown; YAML has a shorter escape. */
const escaped = /\\(?:u001b|e)\]52/;

let tag: Json;

/** Runs a command at a terminal; returns what it showed, which has to be the text, made safe. */
async function shownBy(args: readonly string[], options?: PtyOptions): Promise<string> {
  const { shown } = await atTerminal(cli, args, { columns: 200, ...options });
  expect(shown).not.toMatch(raw);
  return shown;
}

describe.runIf(process.platform !== 'win32')('text of other people on a terminal', () => {
  beforeEach(async () => {
    const input = JSON.stringify({ name: hostile, color: 'blue' });
    const created = await cli.run(['tags', 'create', '--data', '-', '--json'], { input });
    tag = created.json.result as Json;
  });

  test.each([
    ['a table of records', ['tags', 'list']],
    ['a table of one record', () => ['tags', 'get', `${tag.id}`]],
    ['JSON', () => ['tags', 'get', `${tag.id}`, '--json']],
    ['JSON lines', ['tags', 'list', '--format', 'ndjson']],
    ['YAML', ['tags', 'list', '--format', 'yaml']],
    ['an error', ['tags', 'get', `no ${hostile}`]],
    ['an error in JSON', ['tags', 'get', `no ${hostile}`, '--json']],
    ['an exported configuration', ['config', 'export', '--resources', 'tags']],
    ['an exported configuration as JSON', ['config', 'export', '--resources', 'tags', '--json']],
    ['a change that is not sent', ['tags', 'create', '--name', hostile, '--color', 'green', '--dry-run']],
    ['a saved state', ['mock', 'state', 'save']],
    ['the name of a file', ['config', 'validate', `${hostileWord}.yaml`]],
    ['an unknown command', ['tags', hostile]],
    ['completion', ['complete', '--', hostile]],
  ])('is escaped in %s', async (name, args) => {
    const shown = await shownBy(typeof args === 'function' ? args() : args);
    // Neither repeats what was typed.
    if (name !== 'completion' && name !== 'an unknown command') expect(shown).toMatch(escaped);
  });

  test.each([
    ['JSON', 'json', (text: string) => JSON.parse(text) as Json],
    ['YAML', 'yaml', (text: string) => parse(text.replaceAll('\r\n', '\n')) as Json],
  ])('is the same value in %s of a terminal, and unchanged in a pipe', async (_name, format, read) => {
    const args = ['tags', 'get', `${tag.id}`, '--format', format];
    const piped = await cli.run(args);
    expect(read(await shownBy(args))).toEqual(read(piped.stdout));
    expect(read(piped.stdout).name).toBe(hostile);
    if (format === 'json')
      expect(piped.stdout).toBe(`${JSON.stringify(JSON.parse(piped.stdout), null, 2)}\n`);
  });

  test('is escaped in a question', async () => {
    const shown = await shownBy(['tags', 'delete', `${tag.id}`], { typed: [['[y/N]', 'n']] });
    expect(shown).toMatch(/Delete .*\\u001b\]52.*\[y\/N\]/);
  });

  test('is escaped in a plan, its question, its progress and its result', async () => {
    const name = `${hostile}!`;
    writeFileSync(
      join(cli.folder, 'hostile.yaml'),
      JSON.stringify({ version: 1, tags: [{ name, color: 'green' }] }),
    );
    const diff = await shownBy(['config', 'diff', 'hostile.yaml', '--prune']);
    expect(diff).toMatch(escaped);
    // Long enough for the bar to be drawn with each of the two.
    for (const action of ['create-tags', 'delete-configuration'])
      await cli.control('POST', '/faults', { effect: 'delay', action, delayMs: 400, times: 5 });
    const shown = await shownBy(['config', 'apply', 'hostile.yaml', '--prune', '--pacing', 'off'], {
      typed: [['[y/N]', 'y']],
    });
    expect(shown).toMatch(/creating tag \\u001b\]52/);
    expect(shown).toMatch(/deleting tag \\u001b\]52/);
  });

  test('is escaped in the progress of keywords', async () => {
    // Control characters are refused before anything is sent.
    const word = '\u202eabc\u200f \u200b\u{e0041}';
    const words = Array.from({ length: 120 }, (_, at) => `${word} ${at}`);
    writeFileSync(join(cli.folder, 'hostile.txt'), words.join('\n'));
    // Long enough for the bar to be drawn with a keyword.
    const delay = { effect: 'delay', operation: 'addSeoKeywords', delayMs: 400, times: 3 };
    await cli.control('POST', '/faults', delay);
    const shown = await shownBy(['keywords', 'import', 'demo-site', 'hostile.txt', '--pacing', 'off']);
    expect(shown).toContain('\\u202eabc');
  });

  test('is escaped in an uncaught error', async () => {
    const crash = join(cli.folder, 'crash.mjs');
    writeFileSync(crash, `process.on('SIGUSR2', () => { throw new Error(${JSON.stringify(hostile)}) })`);
    const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${crash}` };
    const shown = await shownBy(['tags', 'delete', `${tag.id}`], {
      ...{ env, typed: [['[y/N]', (pid) => process.kill(pid, 'SIGUSR2')]] },
    });
    expect(shown).toMatch(/Internal error: .*\\u001b\]52/);
  });

  describe('of a server', () => {
    let server: Server;
    let address: string;
    beforeAll(async () => {
      server = createServer((_request, response) => {
        response.writeHead(400, { 'Content-Type': 'application/json', 'X-Request-Id': 'id \u009b35m' });
        response.end(JSON.stringify({ error: hostile, message: hostile }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    });
    afterAll(() => server.close());

    test.each([
      ['an error', []],
      ['an error in JSON', ['--json']],
      ['--debug', ['--debug']],
    ])('is escaped in %s', async (_name, more) => {
      const shown = await shownBy(['account', '--base-url', address, '--retries', '0', ...more]);
      expect(shown).toMatch(escaped);
      if (more.includes('--debug')) expect(shown).toContain('id \\u009b35m');
    });
  });
});
