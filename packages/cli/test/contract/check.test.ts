import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digest } from '../../src/contract/run-file.ts';
import { isHeldLock } from '../../src/locks/holder.ts';
import { Lock } from '../../src/locks/process-lock.ts';
import { differing, shortCheck, useCheckedMocks } from '../../test-support/checked-mocks.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const { serve, interfere } = useCheckedMocks(cli);

describe('contract check', () => {
  test('prints the requested fields in a table, too', async () => {
    const { run, baseUrl } = await serve();
    const check = ['contract', 'check', '--only', 'missing', '--rate', '60', '--format', 'table'];
    const { stdout } = await run([...check, '--fields', 'baseUrl,stopped']);
    expect(stdout).toMatch(/^baseUrl +http\S+\nstopped +\S*\n$/);
    expect(stdout).toContain(baseUrl);
  });

  test('says in words what differs, what it means, and what to do', async () => {
    const { run, mock } = await serve({ server: differing });
    const { code, stdout } = await run([...shortCheck, '--format', 'table']);
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
    const { code, json } = await run([...shortCheck, '--json']);
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
    const refused = await cli.run([...shortCheck, '--json'], {
      env: { ORGCHAT_API_KEY: 'demo-revoked-key' },
    });
    expect([refused.code, refused.json.error?.code]).toEqual([4, 'KEY_REFUSED']);
    const early = await run([...shortCheck, '--budget', '5', '--json']);
    expect([early.code, early.json.stopped?.reason, early.json.requests]).toEqual([7, 'budget', 5]);
    const next = await run([...shortCheck, '--json']);
    expect([next.code, next.json.stopped]).toEqual([0, undefined]);
    const spent = await serve({ monthlyLimit: 0 });
    const limited = await spent.run([...shortCheck, '--json']);
    expect([limited.code, limited.json.error?.code]).toEqual([9, 'LIMITED']);
    const almost = await serve({ monthlyLimit: 1 });
    expect((await almost.run([...shortCheck, '--json'])).code).toBe(9);
  });

  test('stops before its next request if another one took its lock', async () => {
    const { result, requests } = await interfere([...shortCheck, '--json'], (state, baseUrl) =>
      writeFileSync(join(state, 'contract', `${digest(baseUrl)}.lock`), '{}'),
    );
    expect([result.code, result.json.error?.code]).toEqual([7, 'CHECK_TAKEN_OVER']);
    expect(requests).toBeLessThanOrEqual(2);
  });

  test('exits 5 while another check of the server is in progress, before a request', async () => {
    const { run, mock, state, baseUrl } = await serve();
    const lock = await Lock.take(join(state, 'contract', `${digest(baseUrl)}.lock`), 60_000);
    const { code, json } = await run([...shortCheck, '--json']);
    expect([code, json.error?.code]).toEqual([5, 'CHECK_IN_PROGRESS']);
    expect(mock.requests.list()).toEqual([]);
    if (isHeldLock(lock)) await lock.release();
    expect((await run([...shortCheck, '--json'])).code).toBe(0);
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
