import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

/* Hints that fit the mistake: what a user reads, word by word. */

const cli = useCli({ inProcess: true });
const change = '{"action":"create-tags","data":{"name":"VIP","color":"pink"}}';

describe('a file that contains an array', () => {
  test.each([
    [['change', '-'], `Example: ${change}`],
    [['tags', 'create', '--data', '-'], 'Example: {"name":"VIP","color":"pink"}'],
    [['forms', 'create', '--data', '-'], 'Example: {"name":"…"}, with the fields of a form'],
    [['broadcasts', 'create', '--data', '-'], 'Example: {"title":"…"}, with the fields of a broadcast'],
    [['friends', 'update', '--data', '-'], 'Example: {"status":"resolved","notes":"Prefers mornings."}'],
  ])('%j shows what the command accepts', async (args, hint) => {
    const { json, code } = await cli.run([...args, '--json'], { input: '[]' });
    expect(code).toBe(3);
    expect(json.error).toMatchObject({ message: 'Standard input does not contain an object.', hint });
  });
  test('the example of change is accepted', async () => {
    expect((await cli.run(['change', '-', '--json'], { input: change })).code).toBe(0);
  });
});

test('a friend who was named by display name is not a missing friend', async () => {
  const { json, code } = await cli.run(['friends', 'tag', 'Emi Sato', '--tag', 'VIP', '--json']);
  expect(code).toBe(3);
  expect(json.error).toMatchObject({
    message: '"Emi Sato" is not a friend id (U followed by 32 hex digits).',
    hint: "Changes require the id. Find it: orgchat friends get 'Emi Sato'",
  });
});

describe('a record without the expected revision or label', () => {
  const expected = ['--expect-label', 'Another'];
  const revision = '0'.repeat(64);
  const friend = async (): Promise<string> => {
    const { json } = await cli.run(['friends', 'list', '--limit', '1', '--json']);
    return (json as unknown as { userId: string }[])[0]?.userId ?? '';
  };
  const hint = (read: string): string =>
    `The record does not have the expected revision or label. Read it: orgchat ${read}`;

  test.each([
    [['tags', 'update', 'VIP', '--color', 'blue', ...expected], 'tags get VIP'],
    [['tags', 'update', 'VIP', '--color', 'blue', '--expect-revision', revision], 'tags get VIP'],
    [['tags', 'delete', 'VIP', '--yes', ...expected], 'tags get VIP'],
  ])('%j names the command that reads it', async (args, read) => {
    const { json, code } = await cli.run([...args, '--json']);
    expect(code).toBe(5);
    expect(json.error).toMatchObject({ code: 'STALE_REVISION', hint: hint(read) });
  });
  test('a friend is read by id', async () => {
    const user = await friend();
    for (const rest of [
      ['tag', user, '--tag', 'VIP'],
      ['update', user, '--status', 'resolved'],
    ]) {
      const { json } = await cli.run(['friends', ...rest, ...expected, '--json']);
      expect(json.error).toMatchObject({ code: 'STALE_REVISION', hint: hint(`friends get ${user}`) });
    }
  });
  test('a change in a file is corrected there', async () => {
    const { json: tag } = await cli.run(['tags', 'get', 'VIP', '--json']);
    const { id } = tag as unknown as { id: string };
    const guard = { expectedRevision: revision, expectedLabel: 'VIP' };
    const input = JSON.stringify({ action: 'delete-configuration', resource: 'tags', id, ...guard });
    const { json } = await cli.run(['change', '-', '--yes', '--json'], { input });
    expect(json.error).toMatchObject({
      code: 'STALE_REVISION',
      hint: 'The record does not have the expectedRevision and expectedLabel of the change. Read it with get, then correct the change.',
    });
  });
  test('an edit in the meantime is reported as one if the command expected nothing', async () => {
    const edit = { effect: 'rival-edit', operation: 'changeChat' };
    await cli.control('POST', '/faults', edit);
    const { json } = await cli.run(['tags', 'update', 'VIP', '--color', 'blue', '--json']);
    expect(json.error).toMatchObject({
      code: 'STALE_REVISION',
      hint: 'Someone else changed the record. Read it again with get, then repeat the command.',
    });
  });
});

describe('a name in place of an id', () => {
  const step = { delayValue: 1, delayUnit: 'hours', sendTime: null, text: 'Hello' };
  const scenario = {
    name: 'S',
    accountId: null,
    trigger: 'tag',
    triggerTagId: 'VIP',
    active: true,
    steps: [step],
  };
  const condition = { type: 'tag_exists', tagId: 'VIP' };
  const nested = { ...scenario, triggerTagId: null, steps: [{ ...step, condition }] };

  test.each([
    [
      ['scenarios', 'create', '--data', '-'],
      scenario,
      'Invalid scenario: triggerTagId must be an id.',
      'Fix the data on standard input. For a name in place of an id: --trigger-tag',
    ],
    [
      ['scenarios', 'create', '--data', '-'],
      nested,
      'Invalid scenario: steps[0].condition.tagId must be an id.',
      'Fix the data on standard input. A configuration file takes names: orgchat config apply FILE',
    ],
    [
      ['broadcasts', 'create', '--data', '-'],
      { accountId: 'Demo shop', title: 'T', messages: [{ type: 'text', text: 'x' }], tagIds: ['VIP'] },
      'Invalid broadcast: accountId must be an id; tagIds[0] must be an id.',
      'Fix the data on standard input. For a name in place of an id: --account, --tag',
    ],
    [
      ['change', '-'],
      { action: 'create-scenarios', data: scenario },
      'Invalid change: data.triggerTagId must be an id.',
      'Fix the change. See an example: orgchat change --help. Look up an id: orgchat tags get NAME --fields id',
    ],
  ])('in %j of %j names what takes a name', async (args, data, message, hint) => {
    const { code, json } = await cli.run([...args, '--json'], { input: JSON.stringify(data) });
    expect([code, json.error]).toMatchObject([3, { code: 'INVALID_INPUT', message, hint }]);
  });
});
