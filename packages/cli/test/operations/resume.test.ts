import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

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

  test('exits with the code of a rejected change', async () => {
    const operationId = await lost(update('VIP'), 'update-tags');
    await cli.run(['tags', 'update', 'VIP', '--color', 'green']);
    const { code, json } = await resumeAll();
    expect([code, json]).toMatchObject([
      5,
      [{ operationId, state: 'refused', error: { code: 'STALE_REVISION', hint: expect.any(String) } }],
    ]);
    expect((await resumeAll()).code).toBe(0);
  });

  test('exits 1 if changes were rejected in different ways', async () => {
    await lost(update('VIP'), 'update-tags');
    await lost(update('Trial'), 'update-tags');
    await cli.run(['tags', 'update', 'VIP', '--color', 'green']);
    await cli.run(['tags', 'delete', 'Trial', '--yes']);
    const { code, json } = await resumeAll();
    expect(json).toMatchObject([{ error: { code: 'STALE_REVISION' } }, { error: { code: 'NOT_FOUND' } }]);
    expect(code).toBe(1);
  });

  test.each(['', '{"entry":', '\0\0\0\0'])(
    'exits 7 if the only entry is %j, as after a power failure, and the same command settles it',
    async (text) => {
      const change = ['tags', 'create', '--name', 'Cut', '--color', 'blue', '--intent', 'cut'];
      const operationId = await lost(change, 'create-tags');
      const folder = join(journal.env.ORGCHAT_STATE_DIR ?? '', 'journal');
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
      const { code, json, stderr } = await resumeAll();
      const hint = `Check in the app whether it was applied. Then take its entry out of the journal: orgchat ops forget ${operationId} --yes`;
      expect([code, json]).toMatchObject([7, [{ operationId, state: 'unknown', error: { hint } }]]);
      expect(stderr).not.toContain('Nothing to resume.');
      // The same command knows the input, so it may send it again: the server recognizes the id.
      expect((await cli.run([...change, '--json'], journal)).json).toMatchObject({
        operationId,
        applied: true,
      });
    },
  );

  test('exits 7 if an entry cannot be read, and finishes the others', async () => {
    const operationId = await lost(update('VIP'), 'update-tags');
    const folder = join(journal.env.ORGCHAT_STATE_DIR ?? '', 'journal');
    const [file = ''] = readdirSync(folder).filter((name) => name.startsWith(operationId));
    const unreadable = `00000000${operationId.slice(8)}`;
    writeFileSync(join(folder, file.replace(operationId, unreadable)), '{"entry":');
    const { code, json, stderr } = await resumeAll();
    expect([code, json]).toMatchObject([
      7,
      [
        { operationId, state: 'applied' },
        { operationId: unreadable, state: 'unknown', error: { code: 'JOURNAL_FAILED' } },
      ],
    ]);
    expect(stderr).toContain(`The journal entry of operation ${unreadable} in `);
  });

  test('asks about an operation at once, also if it was asked about a moment ago', async () => {
    const operationId = await lost(update('Trial'), 'update-tags');
    await cli.control('POST', '/faults', { effect: 'uncertain', action: 'update-tags', times: 2 });
    for (let n = 0; n < 2; n++)
      expect((await resumeAll()).json).toMatchObject([{ operationId, error: { code: expect.anything() } }]);
    expect((await resumeAll()).json).toMatchObject([{ operationId, state: 'unknown', error: {} }]);
  });

  test('explains how to settle a keyword request, which it cannot resend', async () => {
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
    const doctor = await cli.run(['doctor', '--fields', 'detail,hint', '--json'], journal);
    expect(JSON.stringify(doctor.json)).toContain(`orgchat ops forget ${operationId} --yes`);
    expect(JSON.stringify(doctor.json)).not.toContain('ops resume');
    // The next step is one that can be run as it is printed.
    const [, ...forget] = /orgchat (ops forget \S+ --yes)/.exec(hint)?.[0].split(' ') ?? [];
    expect((await cli.run(forget, journal)).code).toBe(0);
    expect((await resumeAll()).code).toBe(0);
  });
});

test.each([
  [[], 'No operations in '],
  [['--unsettled'], 'No unsettled operations in '],
  [['--state', 'refused'], 'No refused operations in '],
])('an empty table of ops list %j names the journal', async (args, text) => {
  const state = join(cli.folder, randomUUID());
  const env = { ORGCHAT_STATE_DIR: state };
  const table = await cli.run(['ops', 'list', ...args, '--format', 'table'], { env });
  expect([table.code, table.stdout, table.stderr]).toEqual([0, '', `${text}${join(state, 'journal')}.\n`]);
  const json = await cli.run(['ops', 'list', ...args, '--json'], { env });
  expect([json.json, json.stderr]).toEqual([[], '']);
});

test('ops forget names the file of an entry that cannot be read', async () => {
  const env = { ORGCHAT_STATE_DIR: join(cli.folder, randomUUID()) };
  await cli.control('POST', '/faults', { effect: 'drop-request', action: 'update-tags', times: 1 });
  const change = ['tags', 'update', 'VIP', '--color', 'brown', '--retries', '0', '--json'];
  const operationId = String((await cli.run(change, { env })).json.error?.operationId);
  const folder = join(env.ORGCHAT_STATE_DIR, 'journal');
  const file = join(folder, readdirSync(folder).find((name) => name.startsWith(operationId)) ?? '');
  writeFileSync(file, '{"ent');
  const { code, json } = await cli.run(['ops', 'forget', operationId, '--yes', '--json'], { env });
  expect([code, json.error]).toEqual([
    6,
    {
      code: 'NOT_FOUND',
      message: `The journal entry of operation ${operationId} cannot be read: the file is truncated or corrupted.`,
      hint: `Check the outcome of that operation in the app, then move its file out of the journal: ${file}`,
    },
  ]);
  expect(existsSync(file)).toBe(true);
});

test.each([
  [[], /--journal and ORGCHAT_JOURNAL are not set/],
  [['--journal', 'file'], /^The selected journal is "file"/],
])('ops migrate %j without a shared journal says why there is none', async (args, message) => {
  const { code, json } = await cli.run(['ops', 'migrate', ...args, '--json']);
  expect([code, json.error]).toMatchObject([3, { code: 'USAGE', message: expect.stringMatching(message) }]);
});
