import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodeMeanings } from '../../src/errors/exit-codes.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('exit codes and error documents', () => {
  const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
  const cases: [args: string, code: number, error: string, env?: Record<string, string | undefined>][] = [
    ['tags', 3, 'USAGE'],
    ['nonsense', 3, 'USAGE'],
    ['tags lst', 3, 'USAGE'],
    ['tags get', 3, 'USAGE'],
    ['tags list --limit many', 3, 'USAGE'],
    ['tags create --name x --color red', 3, 'USAGE'],
    ['tags create --name x', 3, 'INVALID_INPUT'],
    ['tags create --data nowhere.json', 3, 'FILE_UNREADABLE'],
    [`rich-menus delete ${id}`, 3, 'NOT_DELETABLE'],
    ['tags delete VIP', 3, 'CONFIRMATION_NEEDED'],
    ['account --api-key=sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['--token sk-secret-1 account', 3, 'KEY_IN_ARGUMENTS'],
    ['auth login sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['auth login --with-token=sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['auth login --with-token sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['account --access-token=sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['account --api_key=sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['account -ksk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['account --header=Bearer-sk-secret-1', 3, 'KEY_IN_ARGUMENTS'],
    ['ORGCHAT_API_KEY=sk-secret-1 account', 3, 'KEY_IN_ARGUMENTS'],
    ['account --nonsense=sk-secret-1', 3, 'USAGE'],
    ['auth sk-secret-1', 3, 'USAGE'],
    ['account sk-secret-1', 3, 'USAGE'],
    ['mock clock --url http://u:sk-secret-1@127.0.0.1:9', 3, 'USAGE'],
    ['tags get sk-secret-1', 4, 'UNAUTHORIZED', { ORGCHAT_API_KEY: 'sk-secret-1' }],
    ['ops show sk-secret-1', 3, 'USAGE', { ORGCHAT_API_KEY: 'sk-secret-1' }],
    ['account', 4, 'NO_KEY', { ORGCHAT_API_KEY: undefined }],
    ['account', 4, 'UNAUTHORIZED', { ORGCHAT_API_KEY: 'demo-revoked-key' }],
    ['account', 4, 'PLAN_REQUIRED', { ORGCHAT_API_KEY: 'demo-no-api-key' }],
    ['tags create --name x --color pink', 4, 'FORBIDDEN', { ORGCHAT_API_KEY: 'demo-read-key' }],
    ['account', 3, 'NO_BASE_URL', { ORGCHAT_BASE_URL: undefined }],
    ['account', 3, 'INVALID_BASE_URL', { ORGCHAT_BASE_URL: 'nowhere' }],
    ['account --retries 0', 1, 'CONNECTION_FAILED', { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' }],
    [`tags get ${id}`, 6, 'NOT_FOUND'],
    ['tags get Nobody', 6, 'NOT_FOUND'],
    ['keywords add nowhere x', 6, 'NOT_FOUND'],
    [`ops show ${id}`, 6, 'NOT_FOUND'],
    [`tags update VIP --color blue --expect-revision ${'0'.repeat(64)}`, 5, 'STALE_REVISION'],
    ['account --profile none', 3, 'UNKNOWN_PROFILE'],
  ];
  test.each(cases)('%s exits %i with %s', async (args, code, error, env) => {
    const result = await cli.run([...args.split(' '), '--json'], env ? { env } : {});
    expect(result.json).toEqual({
      error: expect.objectContaining({ code: error, message: expect.any(String), hint: expect.any(String) }),
    });
    expect(result.code).toBe(code);
    expect(result.stdout + result.stderr).not.toContain('sk-secret-1');
  });

  test('a limit exits 9, and reports when to try again', async () => {
    await cli.control('POST', '/faults', {
      operation: 'getAccount',
      effect: 'respond',
      status: 429,
      error: 'RATE_LIMITED',
      retryAfter: '3600',
    });
    const { code, json } = await cli.run(['account', '--json']);
    expect(code).toBe(9);
    expect(json.error).toMatchObject({ code: 'RATE_LIMITED', retryAt: expect.any(String) });
  });

  test('without JSON an error is text on stderr, and stdout stays empty', async () => {
    const { stdout, stderr, code } = await cli.run(['tags', 'get', 'Nobody', '--format', 'yaml']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 6 });
    expect(stderr).toMatch(/^orgchat: No tag named "Nobody"\.\n {2}next: .*orgchat tags list/);
  });
});

describe('the table of exit codes', () => {
  const table = exitCodeMeanings.map(([code, lines]): [string, string] => [`${code}`, lines.join('; ')]);

  test('is that of its page', () => {
    const page = readFileSync(new URL('../../docs/output.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('\n## Exit codes\n');
    const rows = section.split('\n## ', 1)[0]?.matchAll(/^\| (\d.*?) \| (.*) \|$/gm) ?? [];
    expect(Array.from(rows, ([, code, meaning]) => [code, meaning])).toEqual(table);
  });

  test('is that of the help', async () => {
    const { stdout } = await cli.run(['help', 'exit-codes']);
    const rows: string[][] = [];
    for (const [, code = '', line = ''] of stdout.matchAll(/^ {2}(\d+| +) {2,}(.+)$/gm)) {
      if (code.trim() === '') rows.at(-1)?.push(line);
      else rows.push([code, line]);
    }
    expect(rows.map(([code, ...lines]) => [code, lines.join('; ')])).toEqual(table);
  });
});

test('an error keeps its exit code if stdout is closed', async () => {
  const child = cli.spawn(['tags', 'get', 'nosuch', '--json']);
  child.stdout?.destroy();
  const [code] = await once(child, 'exit');
  expect(code).toBe(6);
});
