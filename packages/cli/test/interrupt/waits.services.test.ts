import { describe, expect, test } from 'vitest';
import { useConfigFile } from '../../test-support/config-harness.ts';
import { type Json, type Result, until } from '../../test-support/harness.ts';
import { signalInChange } from '../../test-support/signal-in-change.ts';
import { create, named } from '../../test-support/tags.ts';

const file = useConfigFile({ holdsAnswers: true });
const { cli } = file;
const sent = async () => (await cli.received('changeChat')).length;
const states = async () => {
  const { json } = await cli.run(['ops', 'list', '--json']);
  return (json as unknown as Json[]).map(({ state }) => String(state));
};

/** Runs a command and presses Ctrl-C in its first wait for the rate limit. */
async function interruptWait(args: readonly string[]): Promise<Result> {
  const { child, result } = cli.begin(args);
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  await until(async () => said.includes('Waiting'));
  child.kill('SIGINT');
  return result;
}

const tags = Array.from({ length: 8 }, (_, n) => `Queued ${n}`);

describe('Ctrl-C in a wait for the rate limit', () => {
  test('of config apply sends no step that was not sent, and the next run sends the rest', async () => {
    const records = tags.map((name) => `  - name: ${name}\n    color: blue\n`).join('');
    file.edit(['\ntags:\n', `\ntags:\n${records}`]);
    // Reading takes 10 of the 14 requests.
    const args = ['config', 'apply', 'orgchat.yaml', '--yes', '--json'];
    const { code, json } = await interruptWait([...args, '--pacing', '14']);
    const applied = await sent();
    expect(applied).toBeGreaterThan(0);
    expect(applied).toBeLessThan(8);
    expect([code, json.applied, json.failed]).toEqual([130, applied, []]);
    expect(json.notStarted).toHaveLength(8 - applied);
    expect(new Set(await states())).toEqual(new Set(['applied', 'abandoned']));
    const preview = await file.run(['apply', 'orgchat.yaml', '--dry-run']);
    expect(preview.stderr).toContain('did not finish (its plan has 8 steps)');
    const rest = await file.run(['apply', 'orgchat.yaml', '--yes']);
    expect([rest.code, rest.json.applied, rest.json.replayed]).toEqual([0, 8 - applied, applied]);
    expect(await named(cli, 'Queued')).toBe(8);
  });

  test('of a change sends nothing', async () => {
    // The tag is found by its name, and read, before the change.
    const args = ['tags', 'update', 'VIP', '--color', 'blue', '--pacing', '2', '--json'];
    const { code, json } = await interruptWait(args);
    expect([code, json.error?.code]).toEqual([130, 'INTERRUPTED']);
    expect(await sent()).toBe(0);
    expect(await states()).toEqual(['abandoned']);
  });
});

const tooMany = { effect: 'respond', status: 429, retryAfter: 30 };

describe('Ctrl-C in a wait that the server asked for', () => {
  test('of keywords add ends it', async () => {
    await cli.control('POST', '/faults', { ...tooMany, operation: 'addSeoKeywords' });
    const { code, json } = await interruptWait(['keywords', 'add', 'demo-site', 'one', '--json']);
    expect([code, json.error?.code]).toEqual([130, 'INTERRUPTED']);
    expect(await cli.received('addSeoKeywords')).toHaveLength(1);
    expect(await states()).toEqual(['abandoned']);
  });

  test('of ops resume ends it, and the outcome stays unknown', async () => {
    await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'changeChat' });
    const lost = await cli.run([...create('Lost'), '--retries', '0']);
    expect(lost.code).toBe(7);
    await cli.control('POST', '/faults', { ...tooMany, operation: 'changeChat' });
    const { operationId } = lost.json.error ?? {};
    const { code, json } = await interruptWait(['ops', 'resume', `${operationId}`, '--json']);
    expect([code, json.error?.code]).toEqual([7, 'OUTCOME_UNKNOWN']);
    expect(await states()).toEqual(['unknown']);
  });
});

describe('Ctrl-C in ops resume --all', () => {
  const resumeAll = ['ops', 'resume', '--all', '--json'];

  test('ends the wait for a living process, which it announced', async () => {
    await cli.control('POST', '/faults', { effect: 'delay', operation: 'changeChat', delayMs: 60_000 });
    const living = cli.begin(create('Held'));
    try {
      await until(async () => (await sent()) === 1);
      const { code, json, stderr } = await interruptWait([...resumeAll, '--wait']);
      expect([code, json]).toMatchObject([130, [{ state: 'pending', kind: 'change' }]]);
      const line =
        /^Waiting for operation (\S+), which another process holds, until \d{4}-.+Z at the latest\.\n/;
      expect(line.exec(stderr)?.[1]).toBe(json[0]?.operationId);
      expect(await sent()).toBe(1);
    } finally {
      living.child.kill('SIGKILL');
      await living.result;
    }
  });

  test('lets the request finish that is on its way, and sends no other', async () => {
    for (const name of ['First', 'Second']) {
      await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'changeChat' });
      expect((await cli.run([...create(name), '--retries', '0'])).code).toBe(7);
    }
    const { code, json } = await signalInChange(cli, resumeAll, 'SIGINT');
    expect([code, json]).toMatchObject([130, [{ state: 'applied', replayed: true }, { state: 'unknown' }]]);
    expect(await sent()).toBe(3);
  });
});
