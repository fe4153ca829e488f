import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type RunOptions, useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
type Row = Readonly<Record<string, unknown>>;
const json = async (args: readonly string[], options?: RunOptions) =>
  (await cli.run([...args, '--json'], options)).json as unknown as Row[];
const friends = () => json(['friends', 'list']);
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const tag = (input: string, ...args: string[]) =>
  cli.run(['friends', 'tag', '-', '--json', ...args], { input });
const requests = async (operation: string) => (await cli.received(operation)).length;

describe('friends list', () => {
  test.each([
    [
      ['--status', 'unread'],
      ['Aiko Tanaka', 'Dana Novak'],
    ],
    [
      ['--tag', 'VIP'],
      ['Aiko Tanaka', 'Dana Novak'],
    ],
    [['--tag', 'VIP', '--tag', 'Newsletter'], ['Aiko Tanaka']],
    [['--tag', 'VIP,Newsletter', '--status', 'resolved'], []],
    [['--tag', 'VIP', '--account', 'Demo salon'], ['Dana Novak']],
    [['--status', 'unread', '--limit', '1'], ['Dana Novak']],
  ])('%j', async (args, names) => {
    const found = await json(['friends', 'list', ...args]);
    expect(found.map(({ displayName }) => displayName).sort()).toEqual(names);
  });

  test('says that there may be more than it shows', async () => {
    const { stderr } = await cli.run(['friends', 'list', '--status', 'unread', '--limit', '1', '--json']);
    expect(stderr).toBe('Showing 1 friends. Use --all to show all.\n');
  });

  test('rejects a tag or a status that does not exist', async () => {
    expect((await cli.run(['friends', 'list', '--tag', 'Nobody', '--json'])).code).toBe(6);
    expect((await cli.run(['friends', 'list', '--status', 'asleep', '--json'])).code).toBe(3);
  });
});

describe('friends tag -', () => {
  test('tags the friends of a list, with a result for each, and leaves out those that have the tag', async () => {
    const { code, json: rows, stderr } = await tag(lines(await friends()), '--tag', 'VIP', '--yes');
    const outcomes = new Map(
      (rows as unknown as Row[]).map(({ displayName, outcome }) => [displayName, outcome]),
    );
    expect(code).toBe(0);
    expect(outcomes).toEqual(
      new Map([
        ['Emi Sato', 'applied'],
        ['Dana Novak', 'unchanged'],
        ['千佳 🌸', 'applied'],
        ['Ben Carter', 'applied'],
        ['Aiko Tanaka', 'unchanged'],
      ]),
    );
    expect(stderr).toContain('3 applied');
    expect(await requests('changeChat')).toBe(3);
    expect(await json(['friends', 'list', '--tag', 'VIP'])).toHaveLength(5);
  });

  test('reads ids, with and without the account, and each friend once', async () => {
    const [emi, dana] = await friends();
    const input = `${emi?.userId}\r\n\n${dana?.accountId}/${dana?.userId}\n${emi?.userId}\n`;
    expect((await tag(input, '--set', 'Newsletter', '--yes')).json).toHaveLength(2);
    const tagged = await json(['friends', 'list', '--tag', 'Newsletter', '--account', 'Demo salon']);
    expect(tagged.map(({ displayName }) => displayName).sort()).toEqual(['Dana Novak', 'Emi Sato']);
    expect(await requests('changeChat')).toBe(2);
  });

  test('prints a line per friend as ndjson and as values', async () => {
    const input = lines((await friends()).slice(0, 2));
    const ndjson = await cli.run(['friends', 'tag', '-', '--tag', 'VIP', '--yes', '--format', 'ndjson'], {
      input,
    });
    expect(
      ndjson.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).outcome)
        .sort(),
    ).toEqual(['applied', 'unchanged']);
    const args = [
      'friends',
      'tag',
      '-',
      '--tag',
      'VIP',
      '--yes',
      '--format',
      'value',
      '--fields',
      'displayName,outcome',
    ];
    expect((await cli.run(args, { input })).stdout.split('\n').sort()).toEqual([
      '',
      'Dana Novak\tunchanged',
      'Emi Sato\tunchanged',
    ]);
  });

  test('refuses an intent that was used for other tags, and takes the same ones in another order', async () => {
    const input = lines((await friends()).slice(0, 1));
    const named = ['--yes', '--intent', 'summer'];
    expect((await tag(input, '--tag', 'VIP,Newsletter', ...named)).code).toBe(0);
    for (const other of [
      ['--tag', 'VIP'],
      ['--remove', 'VIP,Newsletter'],
      ['--set', 'VIP,Newsletter'],
    ]) {
      const refused = await tag(input, ...other, ...named);
      expect(refused.json[0]).toMatchObject({ applied: false, error: { code: 'INPUT_CONFLICT' } });
      expect(refused.code).toBe(5);
    }
    expect(await requests('changeChat')).toBe(1);
    const again = await tag(input, '--tag', 'Newsletter', '--tag', 'VIP', ...named);
    expect(again.json[0]).toMatchObject({ outcome: 'applied', replayed: true });
  });

  test('is sent once per friend under an intent, in any order and with others', async () => {
    const [emi, dana, third] = await friends();
    await tag(lines([emi, dana]), '--tag', 'VIP', '--yes', '--intent', 'spring');
    expect(await requests('changeChat')).toBe(2);
    await cli.run(['friends', 'tag', String(emi?.userId), '--clear']);
    const again = await tag(lines([third, dana, emi]), '--tag', 'VIP', '--yes', '--intent', 'spring');
    const replayed = (again.json as unknown as Row[]).map(({ displayName, replayed }) => [
      displayName,
      replayed,
    ]);
    expect(new Map(replayed as [string, boolean][])).toEqual(
      new Map([
        [String(third?.displayName), false],
        ['Dana Novak', true],
        ['Emi Sato', true],
      ]),
    );
    expect(await json(['friends', 'list', '--tag', 'VIP', '--search', 'Emi'])).toEqual([]);
  });

  test('exits 7 if the outcome of one is unknown, and names the operation', async () => {
    await cli.control('POST', '/faults', { effect: 'lose-response', action: 'set-friend-tags' });
    const {
      code,
      json: rows,
      stderr,
    } = await tag(lines(await friends()), '--tag', 'Trial', '--yes', '--retries', '0');
    const unknown = (rows as unknown as Row[]).filter(({ outcome }) => outcome === 'unknown');
    expect([code, unknown]).toMatchObject([
      7,
      [{ operationId: expect.any(String), error: { code: 'OUTCOME_UNKNOWN' } }],
    ]);
    expect(stderr).toContain('orgchat ops resume');
    expect((await cli.run(['ops', 'resume', '--all'])).code).toBe(0);
    expect(await json(['friends', 'list', '--tag', 'Trial'])).toHaveLength(5);
  });

  test('a friend that does not exist does not stop the others', async () => {
    const [emi] = await friends();
    const input = `U${'0'.repeat(32)}\n${emi?.userId}\n`;
    const { code, json: rows } = await tag(input, '--tag', 'VIP', '--yes');
    const outcomes = (rows as unknown as Row[]).map(({ outcome }) => outcome).sort();
    expect([code, outcomes]).toEqual([7, ['abandoned', 'applied']]);
  });

  describe('what concerns all friends stops the run', () => {
    /** Ten lines: each friend with and without the account. */
    const tagTen = async (options: RunOptions): Promise<[number | null, Set<unknown>]> => {
      const all = await friends();
      const input = lines([...all, ...all.map(({ userId }) => ({ userId }))]);
      await cli.run(['tags', 'create', '--name', 'New', '--color', 'blue']);
      const args = ['friends', 'tag', '-', '--tag', 'New', '--yes', '--json'];
      const { code, json: rows } = await cli.run(args, { ...options, input });
      expect(rows).toHaveLength(10);
      return [code, new Set((rows as unknown as Row[]).map(({ outcome }) => outcome))];
    };

    test('a key that may not write', async () => {
      const env = { ORGCHAT_API_KEY: 'demo-read-key' };
      expect(await tagTen({ env })).toEqual([4, new Set(['refused', 'not-started'])]);
    });

    test('a limit', async () => {
      const quota = { effect: 'respond', status: 429, error: 'QUOTA_EXCEEDED', times: 'always' };
      await cli.control('POST', '/faults', { ...quota, action: 'set-friend-tags' });
      expect(await tagTen({})).toEqual([9, new Set(['refused', 'not-started'])]);
    });
  });

  test.each([
    ['no confirmation', ['--tag', 'VIP'], 'CONFIRMATION_NEEDED'],
    [
      'an id of one operation',
      ['--tag', 'VIP', '--yes', '--operation-id', '00000000-0000-4000-8000-000000000001'],
      'USAGE',
    ],
    ['another friend', ['--tag', 'VIP', '--yes', '--user', `U${'1'.repeat(32)}`], 'USAGE'],
    ['no tag', ['--yes'], 'USAGE'],
    ['a tag that does not exist', ['--tag', 'Nobody', '--yes'], 'NOT_FOUND'],
    ['the same tag twice', ['--tag', 'VIP', '--remove', 'VIP', '--yes'], 'USAGE'],
  ])('sends nothing with %s', async (_what, args, error) => {
    const { json: document } = await tag(lines(await friends()), ...args);
    expect(document.error?.code).toBe(error as never);
    expect(await requests('changeChat')).toBe(0);
  });

  test('asks for --yes before it reads standard input', async () => {
    const child = cli.spawn(['friends', 'tag', '-', '--tag', 'VIP', '--json']);
    const code = new Promise((resolve) => child.once('close', resolve));
    const output = await text(child.stdout as Readable);
    expect([await code, JSON.parse(output).error]).toEqual([
      3,
      expect.objectContaining({ code: 'CONFIRMATION_NEEDED', hint: 'Pass --yes to confirm.' }),
    ]);
  });

  test('sends nothing if a line names no friend', async () => {
    const { code, json: document } = await tag(
      `${lines(await friends())}Emi Sato\n`,
      '--tag',
      'VIP',
      '--yes',
    );
    expect([code, document.error?.invalid]).toEqual([
      3,
      [{ line: 6, problem: expect.stringContaining('not a friend id') }],
    ]);
    expect(await requests('changeChat')).toBe(0);
  });

  test('previews what it would do', async () => {
    const { json: document } = await tag(lines(await friends()), '--tag', 'VIP', '--dry-run');
    expect(document.friends).toHaveLength(5);
    expect(document.add).toHaveLength(1);
  });
});
