import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { useCli } from '../test-support/harness.ts';
import { wrongMentions } from '../test-support/mentions.ts';

/* SKILL.md is for programs that read: each of its commands runs, against the demo organization. */

const skill = readFileSync(new URL('../SKILL.md', import.meta.url), 'utf8');
const cli = useCli({ inProcess: true });

/** The commands below a heading, each as its arguments, with the ids that a reader fills in. */
function commandsBelow(heading: string, ids: Readonly<Record<string, string>> = {}): string[][] {
  const section = skill.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [, block = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(section) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? ''))
    .map(([command, ...args]) => {
      expect(command).toBe('orgchat');
      return args.map((word) => ids[word] ?? word);
    });
}

test('the skill is small enough to be read whole, and is in the package', () => {
  expect(Buffer.byteLength(skill)).toBeLessThanOrEqual(4096);
  expect(manifest.files).toContain('SKILL.md');
  expect(skill).toMatch(/^---\nname: orgchat\ndescription: .{40,1024}\n---\n/);
});

test('every command and option that the skill names exists', () => {
  expect(skill.split('\n').flatMap((line) => wrongMentions(line))).toEqual([]);
});

test('each command for reading prints JSON and changes nothing', async () => {
  const commands = commandsBelow('Read');
  expect(commands.length).toBeGreaterThan(5);
  for (const args of commands) {
    const { code, stdout } = await cli.run(args);
    expect([args, code]).toEqual([args, 0]);
    expect(() => JSON.parse(stdout)).not.toThrow();
  }
  expect(await cli.received('changeChat')).toEqual([]);
});

describe('each command for writing', () => {
  const isWrite = (args: readonly string[]): boolean => !args.includes('--dry-run');

  test('has an intent of its own', () => {
    const writes = commandsBelow('Write').filter(isWrite);
    const intents = writes.map((args) => args[args.indexOf('--intent') + 1]);
    expect(writes.filter((args) => !args.includes('--intent'))).toEqual([]);
    expect(new Set(intents).size).toBe(intents.length);
  });

  test('is applied once, however often all of them run', async () => {
    const { json } = await cli.run(['friends', 'list', '--search', 'emi', '--json']);
    const commands = commandsBelow('Write', { USER_ID: String(json[0]?.userId) });
    const writes = commands.filter(isWrite);
    for (const args of commands) expect([args, (await cli.run(args)).code]).toEqual([args, 0]);
    const { length } = (await cli.received('changeChat')).filter(({ applied }) => applied);
    expect(length).toBe(writes.length);
    for (const args of writes) expect((await cli.run(args)).json.replayed).toBe(true as never);
    const applied = (await cli.received('changeChat')).filter((request) => request.applied);
    expect(applied.length).toBe(length);
  });
});

test('after exit 7, its commands find the operation and finish it', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', action: 'create-tags', times: 1 });
  const create = ['tags', 'create', '--name', 'Lost', '--color', 'green', '--intent', 'lost', '--json'];
  const lost = await cli.run([...create, '--retries', '0']);
  expect(lost.code).toBe(7);
  const operationId = String(lost.json.error?.operationId);
  const commands = commandsBelow('After exit 7', { OPERATION_ID: operationId });
  expect(commands).toHaveLength(3);
  const results = [];
  for (const args of commands) results.push(await cli.run(args));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(results[0]?.json).toMatchObject([{ operationId, state: 'unknown' }]);
  expect(results[2]?.json).toMatchObject({ operationId, replayed: true });
});

test('its exit codes are those of the command', async () => {
  const help = await cli.run(['help', 'exit-codes']);
  const documented = Array.from(skill.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  const known = Array.from(help.stdout.matchAll(/^\s*(\d+)\s/gm), ([, code]) => Number(code));
  // 2 is for --exit-code, and the others are of signals and of "mock exec".
  expect(documented).toEqual(known.filter((code) => code < 100 && code !== 2));
});
