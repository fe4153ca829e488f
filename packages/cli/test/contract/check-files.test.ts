import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differing, shortCheck, shorterCheck, useCheckedMocks } from '../../test-support/checked-mocks.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const { serve, interfere } = useCheckedMocks(cli);

describe('contract check', () => {
  test('writes a description; completes one, and keeps what was not asked and comments', async () => {
    const { run } = await serve({ server: differing });
    const file = join(cli.folder, 'written.yaml');
    await run([...shortCheck, '-o', file]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# How a server differs[\s\S]*records: \/items/);
    writeFileSync(
      file,
      '# ours\nserver: 1\ncodes:\n  staleRevision: stale # from support\n  notFound: gone\nshapes: { one: /item, list: { total: null } }\n',
    );
    expect((await run([...shortCheck, '-o', file])).code).toBe(0);
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
    const { run } = await serve({ server: differing });
    const [same, other] = [join(cli.folder, 'same.json'), join(cli.folder, 'other.json')];
    writeFileSync(same, JSON.stringify(differing));
    writeFileSync(other, '{"server":1,"codes":{"invalidInput":"validation_failed"}}');
    expect((await run([...shorterCheck, '--against', same, '--exit-code'])).code).toBe(0);
    const { code, json } = await run([...shorterCheck, '--against', other, '--exit-code', '--json']);
    expect(code).toBe(2);
    expect(json.differences).toEqual([{ key: 'shapes.list.records', value: '/items' }]);
    expect((await run([...shorterCheck, '--against', other])).code).toBe(0);
  });

  test('does not say that it wrote a file that could not be written', async () => {
    const folder = join(cli.folder, 'removed');
    mkdirSync(folder);
    const args = [...shorterCheck, '-o', join(folder, 'server.yaml'), '--format', 'table'];
    const { result } = await interfere(args, () => rmSync(folder, { recursive: true }));
    const { code, stdout, stderr } = result;
    expect([code, stdout]).toEqual([3, expect.stringContaining('Differs from the decisions: 2')]);
    expect(stdout).not.toContain('Use it: --server');
    expect(stderr).toContain('Cannot write');
  });

  test('writes a JUnit report: a case per topic, which fails if it differs from a file', async () => {
    const { run } = await serve({ server: differing });
    const [against, junit] = [join(cli.folder, 'before.json'), join(cli.folder, 'check.xml')];
    writeFileSync(against, '{"server":1,"codes":{"invalidInput":"validation_failed"}}');
    const { code } = await run([...shorterCheck, '--against', against, '--exit-code', '--junit', junit]);
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
});
