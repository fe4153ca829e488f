import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli();
const count = 120;

const delay = (action: string): Promise<unknown> =>
  cli.control('POST', '/faults', { effect: 'delay', action, delayMs: 20, times: count });

/** The exit codes of the parts of a pipeline, from bash itself: `0 0`. */
function codesOf(pipeline: string): Promise<{ codes: string; stderr: string }> {
  const env = Object.fromEntries(Object.entries(cli.env).filter(([, value]) => value !== undefined));
  const line = `orgchat() { '${process.execPath}' '${cli.command}' "$@"; }; ${pipeline}; echo "codes \${PIPESTATUS[*]}" >&3`;
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', `exec 3>&2; { ${line}; } 3>'${join(cli.folder, 'codes')}'; cat '${join(cli.folder, 'codes')}'`],
      { cwd: cli.folder, env },
      (_error, stdout, stderr) =>
        resolve({ codes: /codes ([\d ]+)/.exec(stdout)?.[1]?.trim() ?? stdout, stderr }),
    );
  });
}

const templates = async (): Promise<number> =>
  (
    (await cli.run(['templates', 'list', '--all', '--search', 'piped', '--json']))
      .json as unknown as unknown[]
  ).length;

describe.runIf(process.platform !== 'win32')('a closed pipe', () => {
  beforeAll(() => {
    const records = Array.from({ length: count }, (_, at) => `  - {name: piped ${at}, text: hello}`);
    writeFileSync(join(cli.folder, 'many.yaml'), `version: 1\ntemplates:\n${records.join('\n')}\n`);
    writeFileSync(
      join(cli.folder, 'words.txt'),
      Array.from({ length: 500 }, (_, at) => `piped ${at}`).join('\n'),
    );
  });

  describe('on stderr changes neither the work nor the exit code', () => {
    test('of config apply', async () => {
      await delay('create-templates');
      const { codes } = await codesOf(
        `orgchat config apply many.yaml --yes --pacing off --debug --json 2> >(head -c 1 >/dev/null) >applied.json`,
      );
      expect([codes, await templates()]).toEqual(['0', count]);
    });

    test('of keywords import', async () => {
      const { codes } = await codesOf(
        `orgchat keywords import demo-site words.txt --pacing off --debug 2> >(head -c 1 >/dev/null) >imported.json`,
      );
      expect(codes).toBe('0');
      expect(await cli.received('addSeoKeywords')).toHaveLength(10);
    });

    test('of a command that fails', async () => {
      expect((await codesOf('orgchat tags get Nobody --json 2> >(true) >failed.json')).codes).toBe('6');
    });
  });

  describe('on stdout', () => {
    test('lets config apply finish and exit 7', async () => {
      await delay('create-templates');
      const { codes } = await codesOf(
        'orgchat config apply many.yaml --yes --pacing off --debug 2>&1 | head -c 1 >/dev/null',
      );
      expect([codes, await templates()]).toEqual(['7 0', count]);
    });

    test('lets keywords import finish and exit 7', async () => {
      const { codes, stderr } = await codesOf(
        'orgchat keywords import demo-site words.txt --pacing off | true',
      );
      expect([codes, stderr]).toEqual(['7 0', expect.stringContaining('could not be written to stdout')]);
      expect(await cli.received('addSeoKeywords')).toHaveLength(10);
    });

    test('makes a single change exit 7 after it was applied', async () => {
      const { codes, stderr } = await codesOf('orgchat tags create --name Unread --color green | true');
      expect([codes, stderr]).toEqual(['7 0', expect.stringContaining('orgchat ops list')]);
      expect(await cli.received('changeChat')).toMatchObject([{ applied: true }]);
    });

    test('does not hide that a change failed', async () => {
      await cli.run(['tags', 'create', '--name', 'Taken', '--color', 'green']);
      const { codes } = await codesOf('orgchat tags create --name Taken --color nothing | true');
      expect(codes).toBe('3 0');
    });

    test('ends a read immediately without a message', async () => {
      const { codes, stderr } = await codesOf(
        'orgchat friends list --all --format ndjson | head -1 >/dev/null',
      );
      expect([codes, stderr]).toEqual(['0 0', '']);
    });
  });
});
