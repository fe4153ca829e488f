import { randomUUID } from 'node:crypto';
import { once as event } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Harness } from './harness.ts';
import { typing } from './terminal.ts';

let cli: Harness;
beforeAll(async () => {
  cli = new Harness();
  await cli.start();
}, 60_000);
afterAll(() => cli.end());
beforeEach(() => cli.control('POST', '/reset'));

const create = (name: string): string[] => ['tags', 'create', '--name', name, '--color', 'blue', '--json'];
const named = async (name: string): Promise<number> => {
  const { json } = await cli.run(['tags', 'list', '--all', '--search', name, '--json']);
  return Number(json.length);
};

async function until(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a failure stays one where the reader of stdout is gone', async () => {
  const child = cli.spawn(['tags', 'get', 'nosuch', '--json']);
  child.stdout?.destroy();
  const [code] = await event(child, 'exit');
  expect(code).toBe(6);
});

describe('an intent', () => {
  test('that is run twice is applied once, and the second answer is the stored one', async () => {
    const first = await cli.run([...create('Once'), '--intent', 'once']);
    const second = await cli.run([...create('Once'), '--intent', 'once']);
    expect([first.json.replayed, second.json.replayed]).toEqual([false, true]);
    expect(second.json.result).toEqual(first.json.result);
    expect(await named('Once')).toBe(1);
  });

  test('belongs to one change', async () => {
    await cli.run([...create('One'), '--intent', 'taken']);
    const { code, json } = await cli.run([...create('Other'), '--intent', 'taken']);
    expect([code, json.error?.code]).toEqual([5, 'INPUT_CONFLICT']);
    expect(await named('Other')).toBe(0);
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
    expect(await named('Trial')).toBe(1);
  });

  test('holds for an update, which by then reads another revision', async () => {
    const update = ['tags', 'update', 'VIP', '--color', 'green', '--intent', 'recolour', '--json'];
    expect((await cli.run(update)).json.replayed).toBe(false as never);
    expect((await cli.run(update)).json.replayed).toBe(true as never);
  });

  test('is a replay where what it named is gone by now', async () => {
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

  test('belongs to one friend, of one account, under one guard', async () => {
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

  test('holds for a change from a file with its operation id', async () => {
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

test.runIf(process.platform === 'linux')(
  'a state folder that cannot be made is named, and keeps nothing from reading',
  async () => {
    const env = { ORGCHAT_STATE_DIR: '/proc/orgchat/state' };
    const change = await cli.run(create('Nowhere'), { env });
    expect([change.code, change.json.error?.code]).toEqual([1, 'FILE_UNWRITABLE']);
    expect(change.json.error?.hint).toContain('ORGCHAT_STATE_DIR');
    expect((await cli.run(['tags', 'list'], { env })).code).toBe(0);
    expect((await cli.run(['ops', 'list', '--json'], { env })).json.error?.code).toBe('FILE_UNWRITABLE');
    expect((await cli.run(['mock', 'start', '--detach', '--port', '0', '--json'], { env })).code).toBe(1);
    expect(await named('Nowhere')).toBe(0);
  },
);

test('an entry that a later version wrote is named, and no other folder is offered to send it again from', async () => {
  const folder = join(cli.folder, 'later');
  const env = { ORGCHAT_STATE_DIR: folder };
  const once = [...create('Later'), '--intent', 'later', '--json'];
  expect((await cli.run(once, { env })).code).toBe(0);
  const [name = ''] = readdirSync(join(folder, 'journal'));
  const file = join(folder, 'journal', name);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format":1', '"format":2'));
  const { code, json } = await cli.run(once, { env });
  expect([code, json.error?.code]).toEqual([1, 'JOURNAL_FAILED']);
  expect(json.error?.message).toContain(`${name}: it was written in format 2`);
  expect(json.error?.hint).toContain(join(folder, 'journal'));
  expect(json.error?.hint).not.toContain('ORGCHAT_STATE_DIR');
  expect(await named('Later')).toBe(1);
});

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
    expect(await named('Lost')).toBe(1);
    expect((await cli.run(['ops', 'forget', operationId, '--json'])).json).toMatchObject({ forgotten: true });
  });

  test('is seen through by a retry where that is allowed', async () => {
    await lose();
    const { code, json } = await cli.run(create('Kept'));
    expect([code, json.replayed]).toEqual([0, true]);
  });

  test('stays open while the server does not know either', async () => {
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
    expect(await named('Dim')).toBe(1);
  });
});

describe('ops resume --all', () => {
  let journal: { env: Record<string, string> };
  beforeEach(() => {
    journal = { env: { ORGCHAT_STATE_DIR: join(cli.folder, randomUUID()) } };
  });
  const lost = async (change: readonly string[], action: string): Promise<string> => {
    await cli.control('POST', '/faults', { effect: 'drop-request', action, times: 1 });
    const { code, json } = await cli.run([...change, '--retries', '0', '--json'], journal);
    expect(code).toBe(7);
    return String(json.error?.operationId);
  };
  const update = (name: string): string[] => ['tags', 'update', name, '--color', 'brown'];
  const resumeAll = () => cli.run(['ops', 'resume', '--all', '--json'], journal);

  test('exits as the change that it had refused would have', async () => {
    const operationId = await lost(update('VIP'), 'update-tags');
    await cli.run(['tags', 'update', 'VIP', '--color', 'green']);
    const { code, json } = await resumeAll();
    expect([code, json]).toMatchObject([
      5,
      [{ operationId, state: 'refused', error: { code: 'STALE_REVISION', hint: expect.any(String) } }],
    ]);
    expect((await resumeAll()).code).toBe(0);
  });

  test('exits 1 where changes were refused in different ways', async () => {
    await lost(update('VIP'), 'update-tags');
    await lost(update('Trial'), 'update-tags');
    await cli.run(['tags', 'update', 'VIP', '--color', 'green']);
    await cli.run(['tags', 'delete', 'Trial', '--yes']);
    const { code, json } = await resumeAll();
    expect(json).toMatchObject([{ error: { code: 'STALE_REVISION' } }, { error: { code: 'NOT_FOUND' } }]);
    expect(code).toBe(1);
  });

  test('says of a keyword request, which it cannot ask about, how that is ended', async () => {
    await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
    const added = await cli.run(['keywords', 'add', 'demo-site', 'lost', '--json'], journal);
    const operationId = String(added.json.error?.operationId);
    const all = await resumeAll();
    expect([all.code, all.json]).toMatchObject([7, [{ operationId, kind: 'keywords', state: 'unknown' }]]);
    expect(all.stderr).toContain(`orgchat ops forget ${operationId} --yes`);
    const one = await cli.run(['ops', 'resume', operationId, '--json'], journal);
    expect([one.code, one.json.error]).toMatchObject([7, { code: 'NOT_RESUMABLE', operationId }]);
    const hint = String(one.json.error?.hint);
    expect(hint).toContain('keywords import SITE FILE --retry-unknown');
    const doctor = await cli.run(['doctor', '--fields', 'checks', '--json'], journal);
    expect(JSON.stringify(doctor.json)).toContain(`orgchat ops forget ${operationId} --yes`);
    expect(JSON.stringify(doctor.json)).not.toContain('ops resume');
    // The next step is one that can be run as it is printed.
    const [, ...forget] = /orgchat (ops forget \S+ --yes)/.exec(hint)?.[0].split(' ') ?? [];
    expect((await cli.run(forget, journal)).code).toBe(0);
    expect((await resumeAll()).code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  const slow = (delayMs: number) =>
    cli.control('POST', '/faults', { effect: 'delay', operation: 'changeChat', delayMs });
  const received = async (): Promise<boolean> => {
    const { requests } = (await cli.control('GET', '/requests')) as { requests: { operation: string }[] };
    return requests.some(({ operation }) => operation === 'changeChat');
  };

  test('lets what is in flight finish and exits 130', async () => {
    await slow(800);
    const { child, result } = cli.begin(create('Slow'));
    await until(received);
    child.kill('SIGINT');
    const { code, json } = await result;
    expect([code, json.applied]).toEqual([130, true]);
  });

  test('again leaves at once; the journal has it, and resume finishes it', async () => {
    await slow(1_500);
    const { child, result } = cli.begin(create('Left'));
    await until(received);
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
    expect((await cli.run(['ops', 'list', '--unsettled', '--json'])).json).toHaveLength(1);
    await until(async () => (await cli.run(['ops', 'resume', '--all', '--json'])).code === 0);
    expect(await named('Left')).toBe(1);
  });

  test.runIf(process.platform === 'linux')('is answered on a line of its own beside a bar', async () => {
    const delay = { effect: 'delay', operation: 'addSeoKeywords', delayMs: 600, times: 9 };
    await cli.control('POST', '/faults', delay);
    const words = Array.from({ length: 300 }, (_, index) => `word ${index}`);
    writeFileSync(join(cli.folder, 'words.txt'), words.join('\n'));
    const shown = await typing(
      cli,
      `trap : INT; stty cols 80; ${process.execPath} ${cli.command} keywords import demo-site words.txt; echo "exit $?"`,
      [['1/6', '\x03']],
    );
    const [, after] = shown.split(
      '\norgchat: finishing this request; press Ctrl-C again to leave at once\r\n',
    );
    // No bar is drawn there any more, which would end by putting the cursor back over this line.
    expect(after).toContain('notSent');
    expect(after).not.toContain('█');
    expect(shown).toContain('exit 130');
  });

  test('breaks off a wait for the minute limit, which is told on stderr unless quiet is asked for', async () => {
    // A lookup by name takes one request, reading the record the next.
    const args = ['tags', 'get', 'VIP', '--pacing', '1', '--timeout', '5m', '--json'];
    const { child, result } = cli.begin(args);
    const quiet = cli.begin([...args, '--quiet']);
    let said = '';
    child.stderr?.on('data', (text: string) => {
      said += text;
    });
    await until(async () => said.includes('waiting'));
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
    expect(said).toMatch(/^waiting (60|5\d) s for the minute limit \(1 a minute; .*--pacing N\)\n/);
    quiet.child.kill('SIGINT');
    expect((await quiet.result).stderr).toBe('');
  });

  test('breaks off a read, with 143 for SIGTERM', async () => {
    await cli.control('POST', '/faults', { effect: 'delay', operation: 'readChat', delayMs: 5_000 });
    const { child, result } = cli.begin(['tags', 'list', '--json']);
    await event(child, 'spawn');
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill('SIGTERM');
    const { code, json } = await result;
    expect([code, json.error?.code]).toEqual([143, 'TERMINATED']);
  });
});

test('a process that is killed leaves its operation to the next', async () => {
  await cli.control('POST', '/faults', { effect: 'delay', operation: 'changeChat', delayMs: 600 });
  const { child, result } = cli.begin([...create('Killed'), '--intent', 'killed']);
  await new Promise((resolve) => setTimeout(resolve, 450));
  child.kill('SIGKILL');
  await result;
  await new Promise((resolve) => setTimeout(resolve, 700));
  const again = await cli.run([...create('Killed'), '--intent', 'killed']);
  expect(again.code).toBe(0);
  expect(await named('Killed')).toBe(1);
});
