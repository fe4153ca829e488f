import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

/** A file of codes in the folder of the test. */
function codesFile(codes: Record<string, unknown>): string {
  const file = join(cli.folder, 'server.json');
  writeFileSync(file, JSON.stringify({ server: 1, codes }));
  return file;
}

/** Lets the next request of an operation be answered as a server with other error codes does. */
const answer = (operation: string, status: number, error: string) =>
  cli.control('POST', '/faults', { effect: 'respond', operation, status, error });

describe('a server with other error codes', () => {
  const update = ['tags', 'update', 'VIP', '--color', 'blue', '--json'];

  test('is explained with --server, in the error and in ops list', async () => {
    await answer('changeChat', 409, 'VERSION_CHANGED');
    const { code, json, stdout } = await cli.run(update);
    expect([code, json.error?.reason]).toEqual([7, 'VERSION_CHANGED']);
    const advice =
      /409 VERSION_CHANGED is not a known error code\. .*staleRevision.*--server FILE\. .*orgchat help server/;
    expect(json.error?.hint).toMatch(advice);
    expect(stdout).not.toMatch(/createClient|resume\(\)/);
    const list = await cli.run(['ops', 'list', '--json']);
    expect(list.stderr).toMatch(advice);
    const known = await cli.run([
      'ops',
      'list',
      '--json',
      '--server',
      codesFile({ staleRevision: 'VERSION_CHANGED' }),
    ]);
    expect(known.stderr).toBe('');
  });

  test('gets exit codes by the meaning of its codes, from the option or the variable', async () => {
    const file = codesFile({ staleRevision: 'VERSION_CHANGED', keywordLimitExceeded: ['FULL', 'NO_ROOM'] });
    await answer('changeChat', 409, 'VERSION_CHANGED');
    const stale = await cli.run([...update, '--server', file]);
    expect([stale.code, stale.json.error?.code, stale.json.error?.meaning]).toEqual([
      5,
      'VERSION_CHANGED',
      'staleRevision',
    ]);
    await answer('addSeoKeywords', 400, 'NO_ROOM');
    const full = await cli.run(['keywords', 'add', 'demo-site', 'x', '--json'], {
      env: { ORGCHAT_SERVER: file },
    });
    expect([full.code, full.json.error?.meaning]).toEqual([9, 'keywordLimitExceeded']);
  });

  test('may answer 404 for an unavailable runtime, which is not a missing record', async () => {
    const file = codesFile({ runtimeUnavailable: 'NO_RUNTIME' });
    await answer('readChat', 404, 'NO_RUNTIME');
    const { code, json } = await cli.run(['tags', 'list', '--retries', '0', '--json', '--server', file]);
    expect([code, json.error?.hint]).toEqual([1, expect.stringContaining('runtime')]);
    await answer('readChat', 404, 'NO_RUNTIME');
    const unknown = await cli.run(['tags', 'list', '--json']);
    expect(unknown.code).toBe(6);
    expect(unknown.json.error?.hint).toContain('404 NO_RUNTIME is not a known error code');
  });

  test('a code such as constructor is a code like any other', async () => {
    await answer('getAccount', 403, 'constructor');
    const { code, json } = await cli.run(['account', '--json']);
    expect([code, json.error?.code]).toEqual([4, 'constructor']);
  });

  test.each([
    [{ stale: 'A' }, '"stale"'],
    [{ staleRevision: 409 }, 'codes.staleRevision'],
    [{ staleRevision: 'INPUT_CONFLICT' }, 'staleRevision and inputConflict'],
  ])('codes that cannot be are refused with 3: %j', async (codes, named) => {
    const file = codesFile(codes);
    const { code, json } = await cli.run(['tags', 'list', '--server', file, '--json']);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_SERVER']);
    expect(json.error?.message).toContain(file);
    expect(json.error?.message).toContain(named);
  });

  test('a missing file exits 3', async () => {
    const { code, json } = await cli.run(['account', '--json'], { env: { ORGCHAT_SERVER: 'nowhere.yaml' } });
    expect([code, json.error?.code]).toEqual([3, 'FILE_UNREADABLE']);
  });

  test('the meanings are listed by orgchat help server', async () => {
    const { stdout } = await cli.run(['help', 'server']);
    expect(stdout).toMatch(/staleRevision +STALE_REVISION \(409\): a stale revision/);
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

describe('a profile', () => {
  const bare = { ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: undefined };
  const login = (...args: string[]) =>
    cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--json', ...args], {
      input: 'demo-write-key\n',
      env: { ORGCHAT_API_KEY: undefined },
    });
  const read = async () => {
    await answer('readChat', 400, 'NO_SUCH_THING');
    const { json } = await cli.run(['tags', 'list', '--json'], { env: bare });
    return json.error?.meaning;
  };

  test('remembers the file that describes its server, until the next login with none', async () => {
    const file = codesFile({ invalidInput: 'NO_SUCH_THING' });
    expect((await login('--server', file)).json).toMatchObject({ server: file });
    expect(await read()).toBe('invalidInput');
    expect((await login()).json).toMatchObject({ server: file });
    expect((await login('--server', 'none')).json).not.toHaveProperty('server');
    expect(await read()).toBeUndefined();
  });

  test('whose file is gone says so, with the profile and how to forget it', async () => {
    const file = join(cli.folder, 'gone.json');
    writeFileSync(file, '{"server":1}');
    await login('--server', file);
    rmSync(file);
    const { code, json } = await cli.run(['tags', 'list', '--json'], { env: bare });
    expect([code, json.error?.code]).toEqual([3, 'FILE_UNREADABLE']);
    expect(json.error?.message).toContain('Profile "default" remembers');
    expect(json.error?.hint).toContain('--server none');
    const once = await cli.run(['tags', 'list', '--json', '--server', 'none'], { env: bare });
    expect(once.code).toBe(0);
  });
});
