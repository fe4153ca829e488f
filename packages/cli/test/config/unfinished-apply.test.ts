import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const newForm = ['submitTagId: Newsletter', 'submitTagId: Fresh'] as const;
const applyUnasked = (...args: string[]) => file.run(['apply', 'orgchat.yaml', ...args]);
const apply = (...args: string[]) => applyUnasked('--yes', ...args);
const tagsNamed = async (name: string) =>
  (await cli.run(['tags', 'list', '--search', name, '--json'])).json as unknown as unknown[];

describe('an apply that was not finished', () => {
  /** A new tag is made, its answer is lost, and the form that is to refer to it is not begun. */
  async function unfinished() {
    file.edit(freshTag, newForm);
    await file.loseAnswerTo('create-tags');
    const lost = await apply('--retries', '0');
    expect([lost.code, lost.json.error?.code]).toEqual([7, 'OUTCOME_UNKNOWN']);
    return lost;
  }

  test('continues with the same operation ids', async () => {
    const lost = await unfinished();
    const again = await apply();
    expect(again.json).toMatchObject({ applied: 1, replayed: 1, failed: [], notStarted: [] });
    expect(again.json.steps?.[0]?.operationId).toBe(lost.json.error?.operationId);
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('is reported by diff and --dry-run, with what apply will do', async () => {
    const lost = await unfinished();
    const diff = await file.run(['diff', 'orgchat.yaml']);
    expect(diff.json.unfinished).toMatchObject({ steps: 2, willResume: true });
    expect(diff.stderr).toContain('did not finish (its plan has 2 steps). Run apply to resume it');
    const dry = await apply('--dry-run');
    expect(dry.json).toMatchObject({
      unfinished: { willResume: true },
      changes: [{ operationId: lost.json.error?.operationId }, {}],
    });
    expect((await apply('--dry-run', '--replan')).json).toMatchObject({
      unfinished: { willResume: false },
      changes: [{ resource: 'forms' }],
    });
    file.edit(greenVip);
    const changed = await file.run(['plan', 'orgchat.yaml']);
    expect(changed.json.unfinished).toMatchObject({ willResume: false });
    expect(changed.stderr).toContain('then makes a new plan');
  });

  test('is settled before a changed file is planned', async () => {
    await unfinished();
    file.edit(greenVip, ['name: Fresh\n    color: blue', 'name: Fresh\n    color: purple']);
    const { code, json } = await apply();
    expect([code, json.steps]).toMatchObject([
      0,
      [
        { label: 'Fresh', fields: [{ from: 'blue', to: 'purple', origin: 'file' }] },
        { label: 'VIP' },
        { resource: 'forms' },
      ],
    ]);
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('is finished after a rejection: the next run makes a new plan', async () => {
    await unfinished();
    await file.rival('forms', 'delete', 'Survey');
    const refused = await apply();
    expect([refused.code, refused.json.error]).toMatchObject([
      5,
      { code: 'NOT_FOUND', result: { applied: 0, replayed: 1, failed: [{ resource: 'forms' }] } },
    ]);
    expect((await file.run(['diff', 'orgchat.yaml'])).json.unfinished).toBeUndefined();
    // The file changed the form that somebody deleted.
    const next = await apply('--force-conflicts');
    expect([next.code, next.json.steps]).toMatchObject([0, [{ action: 'create', label: 'Survey' }]]);
  });

  test('can be given up if an outcome stays unknown', async () => {
    file.edit(freshTag);
    await cli.control('POST', '/faults', { effect: 'uncertain', action: 'create-tags', applied: false });
    expect((await apply()).code).toBe(7);
    file.edit(greenVip);
    const stuck = await apply();
    expect([stuck.code, stuck.json.error?.hint]).toEqual([7, expect.stringContaining('--replan')]);
    const given = await apply('--replan');
    expect([given.code, given.json.applied]).toEqual([0, 2]);
    expect(given.stderr).toMatch(/the outcome of [0-9a-f-]{36} is unknown/);
  });

  test('is not disturbed while it still runs, and keeps its plan', async () => {
    file.edit(freshTag);
    await cli.control('POST', '/faults', {
      ...{ effect: 'delay', delayMs: 60_000, applied: true, action: 'create-tags' },
    });
    const first = cli.begin(['config', 'apply', 'orgchat.yaml', '--yes', '--pacing', 'off', '--json']);
    const sent = async () =>
      (await cli.received('changeChat')).find(({ action }) => action === 'create-tags');
    await expect.poll(sent).toBeDefined();
    first.child.kill('SIGSTOP');
    const second = await apply();
    expect([second.code, second.json.error]).toMatchObject([
      5,
      {
        code: 'APPLY_UNDER_WAY',
        message: expect.stringContaining(`process ${first.child.pid} on ${hostname()}, since 2`),
        holder: { pid: first.child.pid, host: hostname(), since: expect.any(String) },
      },
    ]);
    expect((await apply('--replan')).json.error?.code).toBe('APPLY_UNDER_WAY' as never);
    first.child.kill('SIGKILL');
    await first.result;
    expect((await apply()).json).toMatchObject({ applied: 0, replayed: 1 });
  });

  test('starts only once if two processes try', async () => {
    file.edit(freshTag, newForm);
    const start = () => file.run(['apply', 'orgchat.yaml', '--yes'], { ownProcess: true });
    const codes = (await Promise.all([start(), start()])).map(({ code }) => code);
    expect(codes.every((code) => code === 0 || code === 5)).toBe(true);
    expect((await apply()).json).toMatchObject({ applied: 0, failed: [] });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });
});

test('the drill finds no step applied twice, at whichever step apply is killed', async () => {
  file.edit(freshTag, newForm, greenVip);
  const { code, json } = await cli.run(['mock', 'drill', 'orgchat.yaml', '--json']);
  expect(json).toMatchObject({ steps: 3, kills: 3, appliedTwice: 0, lost: 0 });
  expect(code).toBe(0);
});
