import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const user = 'U70a62c6116f2ebacf5abf7e23b07a711';

/** How many requests the mock was sent. */
const countRequests = async (): Promise<number> => {
  const { requests } = (await cli.control('GET', '/requests')) as { requests: unknown[] };
  return requests.length;
};

// What a script passes if a variable is not set.
test.each([
  ['friends tag', user, '--set', ''],
  ['friends tag', user, '--set', ','],
  ['friends tag', user, '--tag', 'VIP,,New'],
  ['friends tag', user, '--remove', ' '],
  ['friends tag', '', user, '--tag', 'VIP'],
  ['friends get', ''],
  ['friends list', '--account', ''],
  ['friends enroll', user, '--scenario', ''],
  ['links update', 'Spring page', '--tag', ''],
  ['routes update', 'Shop counter', '--scenario', ''],
  [
    'broadcasts create',
    '--account',
    'Demo shop',
    '--title',
    'B',
    '--message',
    'x',
    '--target',
    'tags',
    '--tag',
    '',
  ],
  ['tags get', ''],
  ['tags create', '--name', '', '--color', 'blue'],
  ['tags create', '--name', 'Daily', '--color', 'blue', '--intent', ''],
  ['tags create', '--name', 'Daily', '--color', 'blue', '--operation-id', ''],
  ['tags delete', 'VIP', '--yes', '--expect-label', ''],
  ['tags list', '--profile', ''],
  ['tags list', '--base-url', ''],
  ['tags list', '--fields', 'id,'],
  ['keywords add', 'demo-site', 'word', '--group', ''],
  ['keywords add', 'demo-site', 'word', ''],
  ['keywords add', '', 'word'],
  ['keywords import', 'demo-site', '-', '--column', ''],
  ['studio projects', '--cursor', ''],
  ['config export', '--output', ''],
  ['config export', '--resources', ','],
  ['ops resume', ''],
])('%s %j is a usage error, and nothing is sent', async (command, ...args) => {
  const sent = await countRequests();
  const { code, json } = await cli.run([...command.split(' '), ...args.map(String), '--json'], {
    input: 'word',
  });
  expect([code, json.error?.code]).toEqual([3, expect.stringMatching(/^(?:USAGE|INVALID_INPUT)$/)]);
  expect(await countRequests()).toBe(sent);
});

describe('what clears', () => {
  const result = async (...args: string[]) => {
    const { code, json } = await cli.run([...args, '--json']);
    return code === 0 ? json.result : json;
  };

  test('a reference: none', async () => {
    expect(await result('links', 'update', 'Spring page', '--tag', 'VIP')).toMatchObject({
      tagId: expect.any(String),
    });
    expect(await result('links', 'update', 'Spring page', '--tag', 'none')).toMatchObject({ tagId: null });
    const hint = await cli.run(['links', 'update', 'Spring page', '--tag', '', '--json']);
    expect(hint.json.error?.message).toMatch(/It must not be empty\. Pass none to clear it\.$/);
  });

  test('a list of references: none', async () => {
    const draft = [
      '--account',
      'Demo shop',
      '--title',
      'Draft',
      '--message',
      'x',
      '--tag',
      'VIP',
      '--tag',
      'Newsletter',
    ];
    expect(await result('broadcasts', 'create', ...draft)).toMatchObject({
      target: 'tags',
      tagIds: { length: 2 },
    });
    const cleared = await result('broadcasts', 'update', 'Draft', '--target', 'all', '--tag', 'none');
    expect(cleared).toMatchObject({ target: 'all', tagIds: [] });
  });

  test('the tags of a friend: --clear', async () => {
    await result('friends', 'tag', user, '--set', 'VIP');
    expect(await result('friends', 'tag', user, '--clear')).toMatchObject({ tagIds: [] });
  });

  test('free text: an empty text', async () => {
    expect(await result('friends', 'update', user, '--notes', 'x')).toMatchObject({ notes: 'x' });
    expect(await result('friends', 'update', user, '--notes', '')).toMatchObject({ notes: '' });
  });
});

test.each([
  'ORGCHAT_API_KEY_FILE',
  'ORGCHAT_PREVIOUS_API_KEY',
  'ORGCHAT_PROFILE',
  'ORGCHAT_CODES',
  'ORGCHAT_JOURNAL',
  'ORGCHAT_MOCK_CONTROL_TOKEN',
  'ORGCHAT_MOCK_TOKEN',
  'ORGCHAT_CONFIG_DIR',
  'ORGCHAT_STATE_DIR',
  'ORGCHAT_COMPLETE_NAMES',
  'ORGCHAT_LOG',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'TERM',
  'COLUMNS',
])('%s counts as unset if it is empty', async (name) => {
  const list = ['tags', 'list', '--format', 'table'];
  const empty = await cli.run(list, { env: { [name]: '' } });
  // The variables of the system are not set: the harness passes on only a few.
  const unset = await cli.run(list, name in cli.env ? { env: { [name]: undefined } } : {});
  expect(empty).toMatchObject({ code: 0, stdout: unset.stdout, stderr: unset.stderr });
});

test.each([
  ['ORGCHAT_BASE_URL', 3, 'NO_BASE_URL'],
  ['ORGCHAT_API_KEY', 4, 'NO_KEY'],
])('%s counts as unset if it is empty', async (name, exit, problem) => {
  const { code, json } = await cli.run(['tags', 'list', '--json'], { env: { [name]: '' } });
  expect([code, json.error?.code]).toEqual([exit, problem]);
});
