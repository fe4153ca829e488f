import { describe, expect, test } from 'vitest';
import { until, useCli } from '../test-support/harness.ts';
import { create, named } from '../test-support/tags.ts';

const cli = useCli({ inProcess: true });

describe('an unknown outcome', () => {
  const lose = () =>
    cli.control('POST', '/faults', { effect: 'lose-response', action: 'create-tags', times: 1 });

  test('exits 7 with the operation id, and resume finishes it', async () => {
    await lose();
    const lost = await cli.run([...create('Lost'), '--retries', '0']);
    const operationId = String(lost.json.error?.operationId);
    expect([lost.code, lost.json.error?.hint]).toEqual([7, `orgchat ops resume ${operationId}`]);
    expect((await cli.run(['ops', 'list', '--unsettled', '--json'])).json).toMatchObject([
      { operationId, state: 'unknown' },
    ]);
    const evidence = await cli.run(['ops', 'show', operationId, '--check', '--json']);
    expect(evidence.json.reconciliation?.verdict).not.toBe('not-applied');
    expect(JSON.stringify(evidence.json.reconciliation)).toContain('"name":"Lost"');
    const resumed = await cli.run(['ops', 'resume', operationId, '--json']);
    expect(resumed.json).toMatchObject({ operationId, replayed: true });
    expect(await named(cli, 'Lost')).toBe(1);
    expect((await cli.run(['ops', 'forget', operationId, '--json'])).json).toMatchObject({ forgotten: true });
  });

  test('is resolved by a retry, if retries are allowed', async () => {
    await lose();
    const { code, json } = await cli.run(create('Kept'));
    expect([code, json.replayed]).toEqual([0, true]);
  });

  test('stays open while the server reports an uncertain outcome', async () => {
    await cli.control('POST', '/faults', {
      effect: 'uncertain',
      action: 'create-tags',
      applied: true,
      resolve: { afterRequests: 2 },
    });
    const first = await cli.run([...create('Dim'), '--retries', '0']);
    expect(first.code).toBe(7);
    const open = await cli.run(['ops', 'resume', '--all', '--json']);
    expect([open.code, open.json[0]?.state]).toEqual([7, 'unknown']);
    expect(open.stderr).toContain(String(first.json.error?.operationId));
    await until(async () => (await cli.run(['ops', 'resume', '--all', '--json'])).code === 0);
    expect(await named(cli, 'Dim')).toBe(1);
  });
});
