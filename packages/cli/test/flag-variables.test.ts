import { expect, test } from 'vitest';
import { flagVariables } from '../src/args/flag-variables.ts';
import { useCli } from '../test-support/harness.ts';

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
