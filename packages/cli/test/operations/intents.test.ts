import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { create, named } from '../../test-support/tags.ts';

const cli = useCli({ inProcess: true });

describe('an intent', () => {
  test('that is used twice is applied once, and the second run prints the stored result', async () => {
    const first = await cli.run([...create('Once'), '--intent', 'once']);
    const second = await cli.run([...create('Once'), '--intent', 'once']);
    expect([first.json.replayed, second.json.replayed]).toEqual([false, true]);
    expect(second.json.result).toEqual(first.json.result);
    expect(await named(cli, 'Once')).toBe(1);
  });

  test('belongs to one change', async () => {
    await cli.run([...create('One'), '--intent', 'taken']);
    const { code, json } = await cli.run([...create('Other'), '--intent', 'taken']);
    expect([code, json.error?.code]).toEqual([5, 'INPUT_CONFLICT']);
    expect(await named(cli, 'Other')).toBe(0);
  });

  test('belongs to one record', async () => {
    const deletion = (name: string): string[] => [
      'tags',
      'delete',
      name,
      '--yes',
      '--intent',
      'gone',
      '--json',
    ];
    expect((await cli.run(deletion('VIP'))).code).toBe(0);
    expect((await cli.run(deletion('VIP'))).json.replayed).toBe(true as never);
    const other = await cli.run(deletion('Trial'));
    expect([other.code, other.json.error?.code]).toEqual([5, 'INPUT_CONFLICT']);
    expect(await named(cli, 'Trial')).toBe(1);
  });

  test('works for an update, although the revision has changed by then', async () => {
    const update = ['tags', 'update', 'VIP', '--color', 'green', '--intent', 'recolour', '--json'];
    expect((await cli.run(update)).json.replayed).toBe(false as never);
    expect((await cli.run(update)).json.replayed).toBe(true as never);
  });

  test('is replayed if the named record was deleted', async () => {
    const [friend] = (await cli.run(['friends', 'list', '--search', 'ben', '--json'])).json as unknown as {
      userId: string;
    }[];
    const tag = (name: string): string[] => [
      ...['friends', 'tag', String(friend?.userId), '--tag', name],
      ...['--intent', 'tag ben', '--json'],
    ];
    const link = ['links', 'create', '--name', 'L', '--url', 'https://example.com', '--tag', 'Trial'];
    const linked = [...link, '--intent', 'link', '--json'];
    expect((await cli.run(tag('Trial'))).json.replayed).toBe(false as never);
    expect((await cli.run(linked)).json.replayed).toBe(false as never);
    await cli.run(['tags', 'delete', 'Trial', '--yes']);
    expect((await cli.run(tag('Trial'))).json.replayed).toBe(true as never);
    expect((await cli.run(linked)).json.replayed).toBe(true as never);
    expect((await cli.run(tag('VIP'))).json.error?.code).toBe('INPUT_CONFLICT');
    const another = tag('Trial').map((word) => (word === 'tag ben' ? 'another' : word));
    expect((await cli.run(another)).code).toBe(6);
  });

  test('belongs to one friend, account and expected revision', async () => {
    const [friend] = (await cli.run(['friends', 'list', '--search', 'ben', '--json'])).json as unknown as {
      userId: string;
      revision: string;
      label: string;
    }[];
    const accounts = (await cli.run(['accounts', 'list', '--json'])).json as unknown as { name: string }[];
    const update = (...named: string[]): string[] => [
      ...['friends', 'update', ...named, '--status', 'resolved'],
      ...['--intent', 'resolve', '--json'],
    ];
    const user = String(friend?.userId);
    const own = 'Demo shop';
    const guard = ['--expect-revision', String(friend?.revision), '--expect-label', String(friend?.label)];
    expect((await cli.run(update(own, user, ...guard))).json.replayed).toBe(false as never);
    for (const same of [[user], [own, user], [own, user, ...guard]])
      expect((await cli.run(update(...same))).json.replayed).toBe(true as never);
    const other = String(accounts.find(({ name }) => name !== own)?.name);
    const others = [
      [other, user],
      [user, '--expect-revision', '0'.repeat(64)],
      [user, '--expect-label', 'Bob'],
    ];
    for (const wrong of others)
      expect((await cli.run(update(...wrong))).json.error?.code).toBe('INPUT_CONFLICT');
  });

  test('is recognized by the names as they were typed, in a file or as options', async () => {
    const update = (...more: string[]) =>
      cli.run(['tags', 'update', 'VIP', '--intent', 'paint', '--json', ...more], {
        input: '{ "color": "blue" }',
      });
    expect((await update('--data', '-')).json.replayed).toBe(false as never);
    expect((await update('--color', 'blue')).json.replayed).toBe(true as never);
    expect((await update('--color', 'pink')).json.error?.code).toBe('INPUT_CONFLICT');
    expect((await update('--color', 'blue', '--expect-label', 'Other')).json.error?.code).toBe(
      'INPUT_CONFLICT',
    );
  });

  test('is compared by its input if another program made the change', async () => {
    const operationId = '7f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const change = { action: 'create-tags', data: { name: 'Shared', color: 'blue' } };
    await cli.run(['change', '-', '--json'], { input: JSON.stringify({ operationId, change }) });
    const again = await cli.run([...create('Shared'), '--operation-id', operationId]);
    expect([again.json.replayed, await named(cli, 'Shared')]).toEqual([true, 1]);
    const other = await cli.run([...create('Different'), '--operation-id', operationId]);
    expect([other.code, other.json.error?.code]).toEqual([5, 'INPUT_CONFLICT']);
  });

  test('works for a change file with an operation id', async () => {
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const input = JSON.stringify({
      operationId,
      change: { action: 'create-tags', data: { name: 'F', color: 'pink' } },
    });
    const runs = [
      await cli.run(['change', '-', '--json'], { input }),
      await cli.run(['change', '-', '--json'], { input }),
    ];
    expect(runs.map(({ json }) => [json.operationId, json.replayed])).toEqual([
      [operationId, false],
      [operationId, true],
    ]);
  });
});
