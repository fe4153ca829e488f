import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until, useCli } from '../../test-support/harness.ts';
import { create, named } from '../../test-support/tags.ts';

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

describe('an intent that the server knows from another machine', () => {
  const elsewhere = { env: { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') } };

  test('exits 7, is not sent again, and is never reported as not applied', async () => {
    const intent = ['--intent', 'order-17', '--json'];
    expect((await cli.run(['tags', 'create', '--name', 'First', '--color', 'pink', ...intent])).code).toBe(0);
    const second = ['tags', 'create', '--name', 'Second', '--color', 'pink', ...intent];
    for (let n = 0; n < 2; n++) {
      const { code, json } = await cli.run(second, elsewhere);
      const { code: error, reason, hint, operationId } = json.error ?? {};
      expect([code, error, reason]).toEqual([7, 'OUTCOME_UNKNOWN', 'intent-known']);
      expect(hint).toContain(`orgchat ops show ${operationId} --check`);
    }
    const entry = (await cli.run(['ops', 'list', '--json'], elsewhere)).json[0];
    const id = String(entry?.operationId);
    expect(entry).toMatchObject({ state: 'unknown' });
    expect((await cli.run(['ops', 'list', '--unsettled', '--json'], elsewhere)).json).toEqual([]);
    expect((await cli.run(['ops', 'resume', '--all', '--json'], elsewhere)).code).toBe(0);
    const resumed = await cli.run(['ops', 'resume', id, '--json'], elsewhere);
    expect([resumed.code, resumed.json.error?.reason]).toEqual([7, 'intent-known']);
    const shown = await cli.run(['ops', 'show', id, '--check', '--json'], elsewhere);
    expect(shown.json.reconciliation).toMatchObject({ verdict: 'inconclusive', evidence: 'intent-known' });
    expect(await named(cli, 'Second')).toBe(0);
    // The input that the server knows is answered with a replay.
    const first = ['tags', 'create', '--name', 'First', '--color', 'pink', ...intent];
    expect((await cli.run(first, elsewhere)).json).toMatchObject({ replayed: true });
  });

  test('found by ops resume --all exits 7 once', async () => {
    const intent = ['--intent', 'order-18', '--json'];
    await cli.control('POST', '/faults', { effect: 'drop-request', action: 'create-tags', times: 1 });
    const lost = ['tags', 'create', '--name', 'Lost second', '--color', 'pink', '--retries', '0', ...intent];
    expect((await cli.run(lost, elsewhere)).code).toBe(7);
    await cli.run(['tags', 'create', '--name', 'Faster', '--color', 'pink', ...intent]);
    const { code, stderr } = await cli.run(['ops', 'resume', '--all', '--json'], elsewhere);
    expect(code).toBe(7);
    expect(stderr).toContain('orgchat ops show ID --check');
    expect((await cli.run(['ops', 'resume', '--all', '--json'], elsewhere)).code).toBe(0);
  });
});
