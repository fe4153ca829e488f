import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { flagVariables } from '../../src/args/flag-variables.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const list = (env: Record<string, string>, ...args: string[]) =>
  cli.run(['tags', 'list', '--fields', 'name', ...args], { env });

test('a format comes from a variable, and a flag takes precedence', async () => {
  expect((await list({ ORGCHAT_FORMAT: 'value' })).stdout).toBe('Trial\nNewsletter\nVIP\n');
  expect((await list({ ORGCHAT_FORMAT: 'value' }, '--format', 'ndjson')).stdout).toMatch(
    /^\{"name":"Trial"\}\n/,
  );
  expect((await list({ ORGCHAT_FORMAT: 'value' }, '--json')).stdout).toMatch(/^\[\n/);
  expect((await list({ ORGCHAT_FORMAT: '' })).stdout).toMatch(/^\[\n/);
});

test('a variable decides how errors are printed', async () => {
  const env = { ORGCHAT_FORMAT: 'table' };
  const { stdout, stderr } = await cli.run(['tags', 'get', 'Nobody'], { env });
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('No tag named "Nobody".')]);
});

test.each([
  ['ORGCHAT_FORMAT', 'xml', 'ORGCHAT_FORMAT is not valid: "xml".'],
  ['ORGCHAT_TIMEOUT', 'soon', 'It must be a time such as 500ms, 30s or 2m.'],
  ['ORGCHAT_TIMEOUT', '0', 'It must be longer than 0'],
  ['ORGCHAT_PACING', 'fast', 'It must be a whole number'],
])('%s=%s is an error that names the variable', async (name, value, message) => {
  const { code, json } = await cli.run(['tags', 'list'], { env: { [name]: value } });
  expect([code, json.error]).toMatchObject([
    3,
    { code: 'USAGE', message: expect.stringContaining(message), hint: `Correct or unset ${name}.` },
  ]);
});

test('a deadline comes from a variable', async () => {
  await cli.control('POST', '/faults', {
    effect: 'delay',
    delayMs: 60_000,
    operation: 'readChat',
    times: 'always',
  });
  const { code } = await list({ ORGCHAT_TIMEOUT: '200ms' });
  expect(code).toBe(9);
});

describe('the deadline of a variable is only that of calls of the API:', () => {
  const env = { ORGCHAT_TIMEOUT: '1ms' };

  test('not of mock wait', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ended = await cli.run(['mock', 'wait', '--url', url, '--json'], { env });
    server.close();
    expect([ended.code, asked]).toEqual([0, 3]);
  });

  test('not of the runs of mock drill', async () => {
    const { code, json } = await cli.run(['mock', 'drill', '--json', '--', process.execPath, '-e', '1'], {
      env,
    });
    expect([code, json.error?.code]).toEqual([3, 'NOTHING_WRITTEN']);
  });
});

test.each([
  [['mock', 'clock'], /^\{\n/],
  [['doctor'], /^\{\n/],
  [['tags', 'list'], /^\[\n/],
])(
  '%j prints what it prints without ORGCHAT_FORMAT=value, which needs --fields',
  async (command, printed) => {
    const { code, stdout } = await cli.run(command, { env: { ORGCHAT_FORMAT: 'value' } });
    expect([code, stdout]).toEqual([0, expect.stringMatching(printed)]);
  },
);

test('ORGCHAT_FORMAT=value prints an error as without it, unless --fields is passed', async () => {
  const env = { ORGCHAT_FORMAT: 'value' };
  const [plain, bare] = [
    await cli.run(['tags', 'get', 'Nobody'], { env }),
    await cli.run(['tags', 'get', 'Nobody', '--fields', 'id'], { env }),
  ];
  expect([plain.json.error?.code, bare.stdout]).toEqual(['NOT_FOUND', '']);
});

test('ORGCHAT_FORMAT does not change what a command writes in its own format', async () => {
  const env = { ORGCHAT_FORMAT: 'json' };
  const exported = (...args: string[]) => cli.run(['config', 'export', '--only', ...args], { env });
  expect((await exported('tags/VIP')).stdout).toMatch(/^version: 1\n/m);
  expect((await exported('tags/VIP', '--json')).json.version).toBe(1 as never);
  // The error would be in the file.
  const failed = await exported('tags/Nobody');
  expect([failed.stdout, failed.stderr]).toEqual(['', expect.stringContaining('No tag named "Nobody"')]);
  expect((await exported('tags/Nobody', '--json')).json.error?.code).toBe('NOT_FOUND');
});

test('the pacing comes from a variable', async () => {
  const paced = await cli.run(['friends', 'get', 'Emi Sato'], {
    env: { ORGCHAT_PACING: '1', ORGCHAT_TIMEOUT: '1s' },
  });
  expect([
    paced.code,
    (await cli.run(['friends', 'get', 'Emi Sato'], { env: { ORGCHAT_PACING: 'off' } })).code,
  ]).toEqual([9, 0]);
});

test('the help names every variable', async () => {
  const [topic, flags] = [await cli.run(['help', 'environment']), await cli.run(['--help'])];
  for (const [flag, variable] of flagVariables) {
    expect(topic.stdout).toMatch(new RegExp(`^ {2}${variable} +${flag}: `, 'm'));
    expect(flags.stdout.replaceAll(/\s+/g, ' ')).toContain(`(${variable})`);
  }
});
