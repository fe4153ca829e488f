import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const run = (...args: string[]) => cli.run([...args, '--json']);
const sent = async () => (await cli.received('changeChat')).length;
const getFriend = async (name: string) => (await run('friends', 'get', name)).json;

describe('a change that changes nothing', () => {
  test.each([
    ['a field of a record', ['tags', 'update', 'VIP', '--color', 'pink']],
    ['white space and a field that is null', ['links', 'update', 'Spring page', '--name', ' Spring page ']],
    ['a reference', ['routes', 'update', 'Shop counter', '--scenario', 'Welcome series']],
  ])('is not sent: %s', async (_what, args) => {
    const { code, json, stderr } = await run(...args);
    expect([code, json]).toMatchObject([
      0,
      {
        outcome: 'unchanged',
        operationId: null,
        applied: false,
        replayed: false,
        result: { id: expect.any(String) },
      },
    ]);
    expect(stderr).toContain('Nothing was sent: the record is already like this.');
    expect(await sent()).toBe(0);
  });

  test('is not sent for a friend: notes, status and tags in any order', async () => {
    const { userId, status, tagIds } = await getFriend('Dana Novak');
    const before = (tagIds as unknown as string[]).toReversed();
    const results = [
      await run('friends', 'update', String(userId), '--status', String(status)),
      await run('friends', 'tag', String(userId), '--tag', 'VIP'),
      await run('friends', 'tag', String(userId), '--remove', 'Trial'),
      await run('friends', 'tag', String(userId), '--set', before.join(',')),
    ];
    expect(results.map(({ code, json }) => [code, json.outcome])).toEqual(
      results.map(() => [0, 'unchanged']),
    );
    expect(await sent()).toBe(0);
  });

  test('is not sent from the file that get printed', async () => {
    const record = await run('scenarios', 'get', 'Welcome series');
    const { json } = await cli.run(['scenarios', 'update', 'Welcome series', '--data', '-', '--json'], {
      input: record.stdout,
    });
    expect(json.outcome).toBe('unchanged' as never);
    expect(await sent()).toBe(0);
  });

  test('is sent with an intent or an operation id, so that it is used up', async () => {
    const named = await run('tags', 'update', 'VIP', '--color', 'pink', '--intent', 'once');
    expect(named.json).toMatchObject({ outcome: 'applied', applied: true, replayed: false });
    await run('tags', 'update', 'VIP', '--color', 'green');
    const again = await run('tags', 'update', 'VIP', '--color', 'pink', '--intent', 'once');
    expect(again.json).toMatchObject({ outcome: 'applied', replayed: true });
    expect((await run('tags', 'get', 'VIP')).json.color).toBe('green' as never);
    const id = '00000000-0000-4000-8000-000000000001';
    const { userId } = await getFriend('Dana Novak');
    expect(
      (await run('friends', 'tag', String(userId), '--tag', 'VIP', '--operation-id', id)).json,
    ).toMatchObject({
      outcome: 'applied',
      operationId: id,
    });
  });

  test('is a conflict if another revision was expected', async () => {
    const stale = await run('tags', 'update', 'VIP', '--color', 'pink', '--expect-revision', '0'.repeat(64));
    expect([stale.code, stale.json.error?.code]).toEqual([5, 'STALE_REVISION']);
  });

  test('is refused first if it is not valid', async () => {
    const { code } = await run('links', 'update', 'Spring page', '--url', 'not a url');
    expect(code).toBe(3);
  });

  test('prints the record in a table, and with --fields', async () => {
    const table = await cli.run(['tags', 'update', 'VIP', '--color', 'pink', '--format', 'table']);
    expect(table.stdout).toMatch(/^name +VIP$/m);
    const args = [
      'tags',
      'update',
      'VIP',
      '--color',
      'pink',
      '--format',
      'value',
      '--fields',
      'outcome,name',
    ];
    expect((await cli.run(args)).stdout).toBe('unchanged\tVIP\n');
  });
});

test('a list in another order, or a field less in one of its items, is a change', async () => {
  const { json } = await run('scenarios', 'get', 'Welcome series');
  const steps = json.steps as unknown as Record<string, unknown>[];
  const timed = steps.map((step) => ({ ...step, timingMode: 'elapsed' }));
  const update = (data: object) =>
    cli.run(['scenarios', 'update', 'Welcome series', '--data', '-', '--json'], {
      input: JSON.stringify(data),
    });
  expect((await update({ steps: timed })).json.outcome).toBe('applied' as never);
  expect((await update({ steps })).json.outcome).toBe('applied' as never);
  expect((await update({ steps })).json.outcome).toBe('unchanged' as never);
});

test('the same tag cannot be added and removed, by name or by id', async () => {
  const { userId } = await getFriend('Dana Novak');
  const { id } = (await run('tags', 'get', 'VIP')).json;
  for (const other of ['VIP', String(id)]) {
    const { code, json } = await run('friends', 'tag', String(userId), '--tag', 'VIP', '--remove', other);
    expect([code, json.error?.code]).toEqual([3, 'USAGE']);
  }
  expect(await sent()).toBe(0);
});
