import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { configurationResources } from '@orgchat/spec';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Harness } from './harness.ts';
import { withKeyring } from './keyring.ts';

let cli: Harness;
beforeAll(async () => {
  cli = new Harness();
  await cli.start();
}, 60_000);
afterAll(() => cli.end());
beforeEach(() => cli.control('POST', '/reset'));

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

  test('a limit is 9, and says when to go on', async () => {
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
    expect(stderr).toMatch(/^orgchat: There is none of tags named "Nobody"\.\n {2}next: .*orgchat tags list/);
  });
});

describe('formats', () => {
  test('off a terminal the result is JSON; others are asked for', async () => {
    const [json, ndjson, yaml, table] = await Promise.all(
      [[], ['--format', 'ndjson'], ['--format', 'yaml'], ['--format', 'table']].map((format) =>
        cli.run(['tags', 'list', '--fields', 'name,color', ...format]),
      ),
    );
    expect(json?.json).toContainEqual({ name: 'VIP', color: 'pink' });
    expect(ndjson?.stdout.trim().split('\n').at(-1)).toBe('{"name":"VIP","color":"pink"}');
    expect(yaml?.stdout).toContain('- name: VIP\n  color: pink\n');
    expect(table?.stdout).toMatch(/^NAME +COLOR\n/);
  });

  test.each(['json', 'ndjson', 'table'])('a field that nothing has is told, as %s', async (format) => {
    const { stderr, code } = await cli.run(['tags', 'list', '--fields', 'id,nope', '--format', format]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^orgchat: warning: there is no field nope in what is printed; there are id, .*color/,
    );
    const account = await cli.run(['account', '--fields', 'key.scope', '--format', format]);
    expect(account.stderr).toBe('');
  });

  test('what others wrote cannot steer a terminal', async () => {
    const name = 'a\u001b[2Jb\u202ec';
    await cli.run(['tags', 'create', '--data', '-'], { input: JSON.stringify({ name, color: 'pink' }) });
    const { stdout } = await cli.run(['tags', 'list', '--format', 'table']);
    expect([...stdout].filter((sign) => '\u001b\u202e'.includes(sign))).toEqual([]);
  });

  test('a list says on stderr that there is more, and --all prints it', async () => {
    for (const name of ['a', 'b', 'c'])
      await cli.run(['tags', 'create', '--name', name, '--color', 'blue', '-q']);
    const some = await cli.run(['tags', 'list', '--limit', '2', '--json']);
    expect(some.json).toHaveLength(2);
    expect(some.stderr).toContain('2 of 6 shown; --all');
    expect((await cli.run(['tags', 'list', '--all', '--json'])).json).toHaveLength(6);
    expect((await cli.run(['tags', 'list', '--search', 'vip', '--json'])).json).toHaveLength(1);
  });
});

describe('records', () => {
  test('create, get, update of what changes only, delete', async () => {
    const made = await cli.run([
      'links',
      'create',
      '--name',
      'L',
      '--url',
      'https://example.com',
      '--tag',
      'VIP',
      '--json',
    ]);
    expect(made.json).toMatchObject({
      applied: true,
      replayed: false,
      result: { name: 'L', scenarioId: null },
    });
    const id = String(made.json.result?.id);
    const changed = await cli.run(['links', 'update', id, '--tag', 'none', '--json']);
    expect(changed.json.result).toMatchObject({ name: 'L', url: 'https://example.com', tagId: null });
    expect((await cli.run(['links', 'get', 'L', '--json'])).json).toEqual(changed.json.result);
    const gone = await cli.run(['links', 'delete', id, '--yes', '--json']);
    expect(gone.json.result).toEqual({ id, deleted: true });
  });

  test('a record that was read goes back as it is, guarded by what was read', async () => {
    const read = await cli.run(['tags', 'get', 'VIP', '--json']);
    writeFileSync(join(cli.folder, 'vip.json'), JSON.stringify({ ...read.json, color: 'green' }));
    await cli.run(['tags', 'update', 'VIP', '--color', 'brown', '-q']);
    const late = await cli.run(['tags', 'update', 'VIP', '--data', 'vip.json', '--json']);
    expect([late.code, late.json.error?.code]).toEqual([5, 'STALE_REVISION']);
  });

  test.each(configurationResources)(
    'what get prints of %s goes into update and create as it is',
    async (resource) => {
      const [first] = (await cli.run([resource, 'list', '--json'])).json as unknown as { id: string }[];
      const id = String(first?.id);
      const read = await cli.run([resource, 'get', id, '--format', 'yaml']);
      const updated = await cli.run([resource, 'update', id, '--data', '-', '--json'], {
        input: read.stdout,
      });
      expect([updated.code, updated.json.applied]).toEqual([0, true]);
      // The guards are those of the file, so that a second one comes too late.
      const late = await cli.run([resource, 'update', id, '--data', '-', '--json'], { input: read.stdout });
      expect([late.code, late.json.error?.code]).toEqual([5, 'STALE_REVISION']);
      const copy = await cli.run([resource, 'create', '--data', '-', '--json'], { input: read.stdout });
      expect(copy.code).toBe(0);
      expect(copy.json.result?.id).not.toBe(id);
    },
  );

  test('what get prints of a friend goes into update, which says what it does not change', async () => {
    const [first] = (await cli.run(['friends', 'list', '--json'])).json as unknown as { userId: string }[];
    const userId = String(first?.userId);
    const { json: friend } = await cli.run(['friends', 'get', userId, '--json']);
    const update = (file: object, ...named: string[]) =>
      cli.run(['friends', 'update', ...named, '--data', '-', '--json'], { input: JSON.stringify(file) });
    const edited = { ...friend, notes: 'Read and given back.' };
    const changed = await update(edited);
    expect([changed.code, changed.json.result]).toMatchObject([0, { userId, notes: 'Read and given back.' }]);
    expect((await update(edited, userId)).json.error?.code).toBe('STALE_REVISION');
    const now = (await cli.run(['friends', 'get', userId, '--json'])).json;
    const tagged = await update({ ...now, tagIds: [] });
    expect([tagged.code, tagged.json.error?.hint]).toEqual([
      3,
      expect.stringContaining('friends tag USER --set'),
    ]);
    const other = await update(edited, `U${'0'.repeat(32)}`);
    expect([other.code, other.json.error?.message]).toEqual([3, expect.stringContaining('another record')]);
  });

  test('the record of another one is refused', async () => {
    const { stdout } = await cli.run(['tags', 'get', 'VIP', '--json']);
    const { code, json } = await cli.run(['tags', 'update', 'Trial', '--data', '-', '--json'], {
      input: stdout,
    });
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
  });

  test('a dry run prints what would be sent and sends nothing', async () => {
    const { json, code } = await cli.run([
      'tags',
      'create',
      '--name',
      'x',
      '--color',
      'pink',
      '--dry-run',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json.change).toEqual({ action: 'create-tags', data: { name: 'x', color: 'pink' } });
    expect((await cli.run(['tags', 'list', '--json'])).json).toHaveLength(3);
  });

  test('a broadcast draft from flags', async () => {
    const { json } = await cli.run([
      'broadcasts',
      'create',
      '--title',
      'N',
      '--account',
      'Demo shop',
      '--message',
      'Hi',
      '--tag',
      'VIP',
      '--json',
    ]);
    expect(json.result).toMatchObject({
      target: 'tags',
      status: 'draft',
      scheduledAt: null,
      messages: [{ type: 'text', text: 'Hi' }],
    });
  });

  test('tags for a draft that stays for all are warned of', async () => {
    const tag = ['broadcasts', 'update', 'New courses', '--tag', 'VIP', '--json'];
    const forAll = await cli.run(tag);
    expect(forAll.json.result).toMatchObject({ target: 'all', tagIds: [expect.any(String)] });
    expect(forAll.stderr).toContain('its target stays all; for its tags alone: --target tags');
    const forTags = await cli.run([...tag, '--target', 'tags']);
    expect([forTags.json.result?.target, forTags.stderr]).toEqual(['tags', '']);
    expect((await cli.run(tag)).stderr).toBe('');
  });

  test('friends by user id, tags by name', async () => {
    const list = await cli.run(['friends', 'list', '--search', 'ben', '--json']);
    const [userId, accountId] = [String(list.json[0]?.userId), String(list.json[0]?.accountId)];
    const tagged = await cli.run(['friends', 'tag', userId, '--tag', 'VIP', '--json']);
    expect(tagged.json.result?.tagIds).toHaveLength(2);
    const untagged = await cli.run([
      'friends',
      'tag',
      accountId,
      userId,
      '--remove',
      'VIP,Newsletter',
      '--json',
    ]);
    expect(untagged.json.result?.tagIds).toEqual([]);
    const enrolled = await cli.run([
      'friends',
      'enroll',
      `Demo shop/${userId}`,
      '--scenario',
      'Welcome series',
      '--json',
    ]);
    expect(enrolled.json.result).toMatchObject({ userId, status: 'active' });
    expect((await cli.run(['friends', 'automations', userId, '--json'])).json).toHaveLength(1);
    expect((await cli.run(['friends', 'messages', userId, '--json'])).json[0]).toHaveProperty('text');
    const updated = await cli.run([
      'friends',
      'update',
      userId,
      '--status',
      'resolved',
      '--notes',
      'none',
      '--json',
    ]);
    expect(updated.json.result).toMatchObject({ status: 'resolved', notes: null });
  });

  test('what belongs to a form and a link, and Studio', async () => {
    expect((await cli.run(['forms', 'submissions', 'Survey', '--json'])).json[0]).toHaveProperty('values');
    expect((await cli.run(['links', 'clicks', 'Spring page', '--json'])).json[0]).toHaveProperty('clickedAt');
    const all = await cli.run(['studio', 'documents', 'Website', '--all', '--json']);
    expect(Number(all.json.length)).toBeGreaterThan(50);
    const one = await cli.run(['studio', 'document', 'Website', String(all.json[0]?.id), '--body']);
    expect(one.stdout).toMatch(/^# /);
    expect((await cli.run(['studio', 'projects', '--archived', '--json'])).json).toHaveLength(1);
  });
});

describe('keys', () => {
  test('a file, and a warning where others can read it', async () => {
    const file = join(cli.folder, 'key.txt');
    writeFileSync(file, 'demo-read-key\n');
    chmodSync(file, 0o644);
    const env = { ORGCHAT_API_KEY: undefined, ORGCHAT_API_KEY_FILE: file };
    const open = await cli.run(['account', '--json'], { env });
    expect(open.json.key?.scope).toBe('read');
    expect(open.stderr).toContain('chmod 600');
  });

  test('a profile: kept in a 0600 file where there is no keychain, and sent to its own server only', async () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--json'], {
      input: 'demo-write-key\n',
      env: none,
    });
    expect(login.json).toMatchObject({ profile: 'default', storage: 'file', organizationId: 'org_demo' });
    const bare = { ...none, ORGCHAT_BASE_URL: undefined };
    expect((await cli.run(['auth', 'status', '--json'], { env: bare })).json).toMatchObject({
      keyFrom: 'profile default',
    });
    const elsewhere = await cli.run(['account', '--json'], {
      env: { ...none, ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    });
    expect([elsewhere.code, elsewhere.json.error?.code]).toEqual([4, 'KEY_OF_ANOTHER_SERVER']);
    await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--profile', 'second', '--json'], {
      input: 'demo-read-key\n',
      env: none,
    });
    const left = await cli.run(['auth', 'logout', '--json'], { env: bare });
    expect(left.json).toMatchObject({ profile: 'second' });
    expect(left.stderr).toContain('Commands use the profile default (http');
    expect((await cli.run(['auth', 'logout', '--json'], { env: bare })).json).toEqual({
      profile: 'default',
      loggedOut: true,
    });
    expect((await cli.run(['account', '--json'], { env: bare })).code).toBe(3);
  });

  test('one that does not work is not kept', async () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = await cli.run(['auth', 'login', '--with-token', '--profile', 'wrong', '--json'], {
      input: 'sk-secret-1\n',
      env: none,
    });
    expect([login.code, login.json.error?.code]).toEqual([4, 'UNAUTHORIZED']);
    expect(login.json.error?.hint).toMatch(/^Nothing was kept\./);
    const used = await cli.run(['account', '--profile', 'wrong', '--json'], { env: none });
    expect([used.code, used.json.error?.code]).toEqual([3, 'UNKNOWN_PROFILE']);
  });

  describe('in the keychain', () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = (env: Record<string, string | undefined>) =>
      cli.run(['auth', 'login', '--with-token', '--profile', 'ring', '--json'], {
        input: 'demo-write-key\n',
        env: { ...none, ...env },
      });

    test('where there is one: kept there and nowhere else, and used from there', async () => {
      const ring = withKeyring(cli, 'ring.json');
      expect((await login(ring.env)).json).toMatchObject({ profile: 'ring', storage: 'keychain' });
      expect(ring.kept()).toEqual({ 'orgchat/ring': 'demo-write-key' });
      const keys = join(cli.folder, 'config/keys.json');
      expect(existsSync(keys) ? readFileSync(keys, 'utf8') : '').not.toContain('ring');
      const env = { ...none, ...ring.env };
      const status = await cli.run(['auth', 'status', '--profile', 'ring', '--json'], { env });
      expect(status.json).toMatchObject({ keyFrom: 'profile ring', organizationId: 'org_demo' });
      const doctor = await cli.run(['doctor', '--json'], { env: ring.env });
      expect(JSON.stringify(doctor.json)).toContain(
        '{"check":"keychain","result":"ok","detail":"available"}',
      );
      expect((await cli.run(['auth', 'logout', '--profile', 'ring', '--json'], { env })).code).toBe(0);
      expect(ring.kept()).toEqual({});
    });

    test('where there is none: said so, and kept in a file of one’s own', async () => {
      const broken = withKeyring(cli, undefined);
      const { json, stderr } = await login(broken.env);
      expect(json).toMatchObject({ storage: 'file' });
      expect(stderr).toContain('there is no system keychain here');
      const file = join(cli.folder, 'config/keys.json');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(stderr).toContain(file);
    });

    test('one that cannot be reached any more is said to be so', async () => {
      const ring = withKeyring(cli, 'other.json');
      await login(ring.env);
      const env = { ...none, ...withKeyring(cli, undefined).env };
      const { code, json } = await cli.run(['account', '--profile', 'ring', '--json'], { env });
      expect([code, json.error?.code]).toEqual([4, 'KEYCHAIN_UNREACHABLE']);
    });
  });

  test('never shown, not even by --debug', async () => {
    const { stderr, stdout } = await cli.run(['account', '--debug']);
    expect(stderr).toContain('debug: attempt');
    expect(stdout + stderr).not.toContain('demo-write-key');
  });

  test('doctor says what it sees, and fails where something is wrong', async () => {
    const well = await cli.run(['doctor', '--json']);
    expect(well.json).toMatchObject({ ok: true });
    const ill = await cli.run(['doctor', '--json'], { env: { ORGCHAT_API_KEY: 'wrong' } });
    expect([ill.code, ill.json.ok]).toEqual([4, false]);
    // It sends nobody to itself, as other commands do.
    const hints = JSON.stringify(ill.json);
    expect(hints).toContain('"hint":"Give a key that works."');
    const alone = await cli.run(['doctor', '--json', '--retries', '0'], {
      env: { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    });
    expect(JSON.stringify(alone.json)).toContain('"hint":"Check the address and the network."');
  });
});

describe('help', () => {
  test('exit codes, environment, examples', async () => {
    expect((await cli.run(['help', 'exit-codes'])).stdout).toMatch(/ 7 +outcome unknown/);
    expect((await cli.run(['help', 'environment'])).stdout).toContain('ORGCHAT_API_KEY_FILE');
    expect((await cli.run(['help', 'tags', 'create'])).stdout).toContain(
      'Examples:\n  $ orgchat tags create',
    );
    expect((await cli.run([])).code).toBe(0);
  });

  test('words are completed from the contract', async () => {
    const { stdout } = await cli.run(['complete', '--', 'tags', 'create', '--color', '']);
    expect(stdout.split('\n')[4]).toMatch(/^pink\t/);
    expect((await cli.run(['completion', 'fish'])).stdout).toContain('complete -c orgchat');
    const list = await cli.run(['complete', '--', 'config', 'export', '--resources', 'tags,']);
    expect(list.stdout).toContain('tags,links\t');
    expect(list.stdout).not.toContain('tags,tags');
  });

  test.each([
    [
      ['tags', 'create', '--color', 'p'],
      ['purple', 'pink'],
    ],
    // So bash takes --color=p apart.
    [
      ['tags', 'create', '--color', '=', 'p'],
      ['purple', 'pink'],
    ],
    [['config', 'export', '--resources', 'tags,l'], ['tags,links']],
    [['config', 'export', '--resources', '=', 'l'], ['links']],
    [['tags', 'create', '--col'], ['--color']],
    [
      ['mock', 'sandbox', ''],
      ['create', 'drop'],
    ],
  ])('bash completes %j', async (words, expected) => {
    const { stdout: script } = await cli.run(['completion', 'bash']);
    const ask = `orgchat() { "${process.execPath}" "${cli.command}" "$@"; }
COMP_WORDS=(orgchat "$@"); COMP_CWORD=$#; _orgchat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`, 'bash', ...words]);
    expect(stdout.trim().split('\n')).toEqual(expected);
  });
});
