import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock, type MockOptions } from '@orgchat/mock-server';
import { afterEach, describe, expect, test } from 'vitest';
import { digest } from '../../src/contract/run-file.ts';
import { isHeldLock } from '../../src/locks/holder.ts';
import { Lock } from '../../src/locks/process-lock.ts';
import { checkWrites } from '../../test-support/contract-servers.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Three runs have fewer than 60 requests, so that no test waits for the pacing. */
const short = ['contract', 'check', '--only', 'invalid,missing,lists', '--rate', '60'];

const shorter = ['contract', 'check', '--only', 'invalid,lists', '--rate', '60'];

/** A mock on a port, with a state directory of its own for its runs. */
async function serve(options: MockOptions = {}) {
  const mock = createMock(options);
  const server = await mock.listen({ port: 0 });
  closing.push(() => server.close());
  const state = join(cli.folder, `state-${closing.length}-${new URL(server.baseUrl).port}`);
  const env = { ORGCHAT_BASE_URL: server.baseUrl, ORGCHAT_STATE_DIR: state };
  return {
    mock,
    state,
    baseUrl: server.baseUrl,
    run: (args: readonly string[]) => cli.run([...args], { env }),
  };
}

const described = {
  server: 1,
  codes: { invalidInput: 'validation_failed' },
  shapes: { list: { records: '/items' } },
} as const;

describe('contract check', () => {
  test('prints the requested fields in a table, too', async () => {
    const { run, baseUrl } = await serve();
    const check = ['contract', 'check', '--only', 'missing', '--rate', '60', '--format', 'table'];
    const { stdout } = await run([...check, '--fields', 'baseUrl,stopped']);
    expect(stdout).toMatch(/^baseUrl +http\S+\nstopped +\S*\n$/);
    expect(stdout).toContain(baseUrl);
  });

  test('says in words what differs, what it means, and what to do', async () => {
    const { run, mock } = await serve({ server: described });
    const { code, stdout } = await run([...short, '--format', 'table']);
    expect(code).toBe(0);
    expect(stdout).toContain('Differs from the decisions: 2');
    expect(stdout).toContain('here: validation_failed; decided: INVALID_INPUT');
    expect(stdout).toContain('key of the description: shapes.list.records');
    expect(stdout).toContain('the group one was not asked:');
    expect(stdout).toContain('orgchat contract check -o server.yaml');
    expect(mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
  });

  test('is a document with --json, and keeps its run in a file that only its owner can read', async () => {
    const { run, state } = await serve();
    const { code, json } = await run([...short, '--json']);
    expect(code).toBe(0);
    const topics = json.topics as unknown as { topic: string; verdict: string; reason?: string }[];
    expect(topics.find(({ topic }) => topic === 'codes.invalidInput')).toMatchObject({
      verdict: 'as decided',
      basis: 'D76',
      seen: [{ fact: 'INVALID_INPUT' }],
    });
    expect(topics.find(({ topic }) => topic === 'shapes.one')?.reason).toBe('the group one was not asked');
    const folder = join(state, 'contract');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('writes a description; completes one, and keeps what was not asked and comments', async () => {
    const { run } = await serve({ server: described });
    const file = join(cli.folder, 'written.yaml');
    await run([...short, '-o', file]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# How a server differs[\s\S]*records: \/items/);
    writeFileSync(
      file,
      '# ours\nserver: 1\ncodes:\n  staleRevision: stale # from support\n  notFound: gone\nshapes: { one: /item, list: { total: null } }\n',
    );
    expect((await run([...short, '-o', file])).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# ours');
    expect(text).toContain('staleRevision: stale # from support');
    expect(text).toContain('one: /item');
    expect(text).toContain('invalidInput: validation_failed');
    expect(text).toContain('records: /items');
    // Both were asked, and are as decided.
    expect(text).not.toMatch(/notFound: gone|total: null/);
    const used = await run(['tags', 'list', '--server', file, '--json']);
    expect(used.code).toBe(0);
  });

  test('reports what it learned, although the file would say two things of one place, and leaves the file', async () => {
    const { run } = await serve({ server: { server: 1, shapes: { record: { revision: '/meta/version' } } } });
    const file = join(cli.folder, 'shared.json');
    const text = '{"server":1,"shapes":{"resources":{"friends":{"record":{"label":"/meta/version"}}}}}';
    writeFileSync(file, text);
    const { code, stdout, stderr } = await run([
      ...['contract', 'check', '--only', 'one', '--rate', '60', '-o', file, '--format', 'table'],
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain('here: /meta/version; decided: /revision');
    expect(stdout).not.toContain('Use it: --server');
    expect(stderr).toMatch(/shared\.json was not written: .*revision and label/);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('exits 2 if the server differs from a file, with the keys', async () => {
    const { run } = await serve({ server: described });
    const [same, other] = [join(cli.folder, 'same.json'), join(cli.folder, 'other.json')];
    writeFileSync(same, JSON.stringify(described));
    writeFileSync(other, '{"server":1,"codes":{"invalidInput":"validation_failed"}}');
    expect((await run([...shorter, '--against', same, '--exit-code'])).code).toBe(0);
    const { code, json } = await run([...shorter, '--against', other, '--exit-code', '--json']);
    expect(code).toBe(2);
    expect(json.differences).toEqual([{ key: 'shapes.list.records', value: '/items' }]);
    expect((await run([...shorter, '--against', other])).code).toBe(0);
  });

  test('exits 1 for a violation, and names the clause and the request', async () => {
    const { run, mock } = await serve();
    mock.faults.arm({ effect: 'respond', operation: 'readChat', status: 418, undeclared: true, times: 50 });
    const { code, stdout } = await run(['contract', 'check', '--only', 'invalid', '--format', 'table']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /limit 51: answered 418, not 400 \(clause 4\.3\.19\)\n +POST \/chat\/read \(tags, limit\)/,
    );
  });

  test('exits 4 for a refused key, 9 for a limit before the first probe, 7 if it ends early', async () => {
    const { run } = await serve();
    const refused = await cli.run([...short, '--json'], {
      env: { ORGCHAT_API_KEY: 'demo-revoked-key' },
    });
    expect([refused.code, refused.json.error?.code]).toEqual([4, 'KEY_REFUSED']);
    const early = await run([...short, '--budget', '5', '--json']);
    expect([early.code, early.json.stopped?.reason, early.json.requests]).toEqual([7, 'budget', 5]);
    const next = await run([...short, '--json']);
    expect([next.code, next.json.stopped]).toEqual([0, undefined]);
    const spent = await serve({ monthlyLimit: 0 });
    const limited = await spent.run([...short, '--json']);
    expect([limited.code, limited.json.error?.code]).toEqual([9, 'LIMITED']);
    const almost = await serve({ monthlyLimit: 1 });
    expect((await almost.run([...short, '--json'])).code).toBe(9);
  });

  /** Runs a check, and does something between its first request and the others. */
  async function interfere(args: readonly string[], work: (state: string, baseUrl: string) => void) {
    const { run, mock, state, baseUrl } = await serve({ server: described });
    mock.faults.arm({ effect: 'delay', delayMs: 500, operation: 'readChat', times: 1 });
    const running = run(args);
    while (mock.requests.list().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    work(state, baseUrl);
    const result = await running;
    return { result, requests: mock.requests.list().length };
  }

  test('does not say that it wrote a file that could not be written', async () => {
    const folder = join(cli.folder, 'removed');
    mkdirSync(folder);
    const args = [...shorter, '-o', join(folder, 'server.yaml'), '--format', 'table'];
    const { result } = await interfere(args, () => rmSync(folder, { recursive: true }));
    const { code, stdout, stderr } = result;
    expect([code, stdout]).toEqual([3, expect.stringContaining('Differs from the decisions: 2')]);
    expect(stdout).not.toContain('Use it: --server');
    expect(stderr).toContain('Cannot write');
  });

  test('stops before its next request if another one took its lock', async () => {
    const { result, requests } = await interfere([...short, '--json'], (state, baseUrl) =>
      writeFileSync(join(state, 'contract', `${digest(baseUrl)}.lock`), '{}'),
    );
    expect([result.code, result.json.error?.code]).toEqual([7, 'CHECK_TAKEN_OVER']);
    expect(requests).toBeLessThanOrEqual(2);
  });

  test('writes a JUnit report: a case per topic, which fails if it differs from a file', async () => {
    const { run } = await serve({ server: described });
    const [against, junit] = [join(cli.folder, 'before.json'), join(cli.folder, 'check.xml')];
    writeFileSync(against, '{"server":1,"codes":{"invalidInput":"validation_failed"}}');
    const { code } = await run([...shorter, '--against', against, '--exit-code', '--junit', junit]);
    const text = readFileSync(junit, 'utf8');
    expect(code).toBe(2);
    expect(text.match(/<failure type="(\w+)"/g)).toEqual(['<failure type="differs"']);
    const caseOf = (topic: string): string =>
      text.split('\n    <testcase').find((one) => one.includes(topic)) ?? '';
    expect(caseOf('shapes.list.records')).toMatch(
      /classname="contract.lists" .*differs from the file of --against[\s\S]*here: \/items; decided: \/records/,
    );
    expect(caseOf('codes.invalidInput')).toMatch(/<system-out>[\s\S]*here: validation_failed/);
    expect(caseOf('shapes.one')).toContain('<skipped message="the group one was not asked"/>');
    expect(caseOf('codes.uncertain')).toContain('<skipped message="cannot be caused"/>');
    expect(caseOf('invalid.refused')).toMatch(/time="0.000"\/>$/);
  });

  test('fails cases of a JUnit report by what contradicts the contract, and by what was not asked', async () => {
    const { run, mock } = await serve();
    mock.faults.arm({ effect: 'respond', operation: 'readChat', status: 418, undeclared: true, times: 50 });
    const junit = join(cli.folder, 'violated.xml');
    const args = [
      'contract',
      'check',
      '--only',
      'invalid',
      '--budget',
      '3',
      '--rate',
      '60',
      '--junit',
      junit,
    ];
    expect((await run(args)).code).toBe(7);
    const text = readFileSync(junit, 'utf8');
    expect(text.match(/<failure type="(\w+)"/g)).toEqual([
      '<failure type="unfinished"',
      '<failure type="violates"',
    ]);
    expect(text).toMatch(/answered 418, not 400 \(clause 2\.2\)[\s\S]*POST \/chat\/read/);
  });

  test('exits 5 while another check of the server is in progress, before a request', async () => {
    const { run, mock, state, baseUrl } = await serve();
    const lock = await Lock.take(join(state, 'contract', `${digest(baseUrl)}.lock`), 60_000);
    const { code, json } = await run([...short, '--json']);
    expect([code, json.error?.code]).toEqual([5, 'CHECK_IN_PROGRESS']);
    expect(mock.requests.list()).toEqual([]);
    if (isHeldLock(lock)) await lock.release();
    expect((await run([...short, '--json'])).code).toBe(0);
  });

  test.each([
    [['--exit-code'], '--against'],
    [['--only', 'nothing'], 'No group named "nothing"'],
    [['--against', 'nowhere.yaml'], 'nowhere.yaml'],
    [['-o', 'no/such/folder.yaml'], 'no such directory'],
    [['-o', '.'], 'it is a directory'],
    // A draft beside it would have a name that is too long.
    [['-o', `${'x'.repeat(240)}.yaml`], 'ENAMETOOLONG: name too long.'],
    [['--junit', `${'x'.repeat(240)}.xml`], 'ENAMETOOLONG: name too long.'],
    [['--rate', '61'], '1 to 60'],
    [['--write'], '--write and --organization ID need each other'],
    [['--organization', 'org_demo'], '--write and --organization ID need each other'],
    [['--write', '--organization', 'org_demo'], 'Confirmation required'],
  ])('%j is refused with 3, before a request', async (flags, named) => {
    const { run, mock } = await serve();
    const { code, json } = await run(['contract', 'check', ...flags, '--json']);
    expect(code).toBe(3);
    expect(json.error?.message).toContain(named);
    expect(mock.requests.list()).toEqual([]);
    expect(existsSync('no')).toBe(false);
  });
});

describe('contract check --write', () => {
  test('learns what changes do, removes what it created, and keeps it in a private file until then', async () => {
    const { run, mock, state } = await serve({ rateLimit: 'off' });
    const file = join(cli.folder, 'learned.json');
    const { code, json } = await run([...checkWrites, '--yes', '-o', file, '--json']);
    expect([code, json.left, json.stopped]).toEqual([0, [], undefined]);
    const { unknown } = JSON.parse(readFileSync(file, 'utf8'));
    expect(unknown).not.toContain('staleRevision');
    expect(unknown).not.toContain('inputConflict');
    const folder = join(state, 'contract');
    const [kept = ''] = readdirSync(folder).filter((name) => name.startsWith('scratch-'));
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600);
    const { json: tags } = await run(['tags', 'list', '--search', 'orgchat check', '--json']);
    expect(tags).toEqual([]);
    expect(mock.requests.list().filter(({ operation }) => operation === 'changeChat').length).toBeGreaterThan(
      20,
    );
    const cleaned = await run(['contract', 'clean', '--rate', '60', '--json']);
    expect([cleaned.code, cleaned.json]).toEqual([0, { removed: [], left: [] }]);
  });

  test('exits 7 while something is left, with its ids; contract clean asks, and removes it', async () => {
    const { run, mock } = await serve({ rateLimit: 'off' });
    // Nothing is created unless the lists of tags and links can be read.
    mock.faults.arm({ effect: 'lose-response', operation: 'readChat', after: 2, times: 'always' });
    const checked = await run([...checkWrites, '--yes', '--format', 'table']);
    expect(checked.code).toBe(7);
    expect(checked.stdout).toMatch(/Created and not removed: \d+\n {2}(tag|link) [\da-f-]{36}\n/);
    expect(checked.stdout).toContain('Remove what is left: orgchat contract clean');
    const left = await run(['contract', 'clean', '--rate', '60', '--yes', '--json']);
    expect(left.code).toBe(7);
    expect((left.json.left as unknown as object[]).length).toBeGreaterThan(0);
    expect(left.stderr).toContain('What it cannot remove, delete in the app; then run it again.');
    const limited = await run([
      'contract',
      'check',
      '--only',
      'path',
      '--budget',
      '1',
      '--rate',
      '60',
      '--json',
    ]);
    expect([limited.code, limited.json.stopped?.reason]).toEqual([7, 'budget']);
    mock.faults.disarm();
    const asked = await run(['contract', 'clean', '--rate', '60', '--json']);
    expect([asked.code, asked.json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    const cleaned = await run(['contract', 'clean', '--rate', '60', '--yes', '--json']);
    expect([cleaned.code, cleaned.json.left]).toEqual([0, []]);
    const { json: tags } = await run(['tags', 'list', '--search', 'orgchat check', '--json']);
    expect(tags).toEqual([]);
  });

  test('exits 7 while something is left, and names it, although its files cannot be written anymore', async () => {
    const { run, mock } = await serve({ rateLimit: 'off' });
    const folder = join(cli.folder, 'gone');
    mkdirSync(folder);
    mock.faults.arm({ effect: 'lose-response', operation: 'readChat', after: 2, times: 'always' });
    const files = ['-o', join(folder, 'server.yaml'), '--junit', join(folder, 'check.xml')];
    const running = run([...checkWrites, '--yes', ...files, '--json']);
    while (mock.requests.list().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    rmSync(folder, { recursive: true });
    const { code, json, stderr } = await running;
    expect([code, (json.left as unknown as object[]).length > 0, json.written]).toEqual([7, true, undefined]);
    const errors = json.errors as unknown as { code: string; message: string }[];
    expect(errors.map(({ code }) => code)).toEqual(['FILE_UNWRITABLE', 'FILE_UNWRITABLE']);
    for (const { message } of errors) expect(stderr).toContain(message);
  });

  test('exits 4 with a key of another organization, before a change', async () => {
    const { run, mock } = await serve();
    const { code, json } = await run([...checkWrites.slice(0, -1), 'org_other', '--yes', '--json']);
    expect([code, json.error?.code]).toEqual([4, 'KEY_OF_ANOTHER_ORGANIZATION']);
    expect(mock.requests.list()).toHaveLength(1);
  });
});
