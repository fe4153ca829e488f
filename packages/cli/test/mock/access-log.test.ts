import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness, once, until } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

const operationId = '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10';

/** What the mock writes to stderr for the same requests. */
async function logOf(...args: string[]): Promise<string[]> {
  const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', ...args]);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const { url } = JSON.parse((await once(child))[0]) as { url: string };
  const send = async (path: string, body?: object): Promise<{ baseUrl?: string } | undefined> => {
    const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    try {
      return (await (await fetch(`${url}${path}`, init)).json()) as object;
    } catch {
      return undefined;
    }
  };
  const create = { operationId, change: { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } };
  await send('/api/v1/me?key=secret');
  await send('/_mock/faults', { effect: 'lose-response', action: 'create-tags' });
  await send('/api/v1/chat/changes', create);
  await send('/api/v1/chat/changes', create);
  await send('/api/v1/chat/read', { resource: 'friends', limit: 900 });
  const { baseUrl = '' } = (await send('/_mock/sandboxes', {})) ?? {};
  await send(new URL(`${baseUrl}/nothing`).pathname);
  await send(new URL(baseUrl.replace('/api/v1', '/_mock/clock')).pathname);
  await send('/');
  const isDone = (): boolean => args.includes('off') || / GET \/ 200|"path":"\/",/.test(log);
  await until(async () => isDone());
  child.kill('SIGTERM');
  expect((await result).code).toBe(0);
  return log.trimEnd().split('\n');
}

describe('the access log', () => {
  let json: Record<string, unknown>[] = [];
  beforeAll(async () => {
    json = (await logOf('--access-log', 'json')).map((line) => JSON.parse(line) as Record<string, unknown>);
  }, 60_000);

  test('as JSON has every field in every line', () => {
    const fields =
      'time method path status durationMs requestId operation action resource operationId code applied replayed faults sandbox';
    expect(json).toHaveLength(6);
    for (const line of json) expect(Object.keys(line).join(' ')).toBe(fields);
    expect(json[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/me',
      status: 200,
      operation: 'getAccount',
    });
  });

  test('says what a change did, and which fault hit it', () => {
    const change = {
      operation: 'changeChat',
      action: 'create-tags',
      resource: 'tags',
      operationId,
      code: null,
    };
    expect(json[1]).toMatchObject({
      ...change,
      status: null,
      applied: true,
      replayed: false,
      faults: ['lose-response'],
    });
    expect(json[2]).toMatchObject({ ...change, status: 200, applied: false, replayed: true, faults: [] });
  });

  test('names the code of a refusal, and the sandbox', () => {
    expect(json[3]).toMatchObject({ status: 400, resource: 'friends', code: 'INVALID_INPUT', sandbox: null });
    expect(json[4]).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      sandbox: expect.stringMatching(/^sandbox-/),
    });
    expect(json[5]).toMatchObject({ path: '/', operation: null, requestId: null });
  });

  test('as text has the same facts in one line per request', async () => {
    const time = '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}';
    const lines = await logOf('--access-log', 'text');
    const patterns = [
      'GET /api/v1/me 200 \\d+ ms getAccount',
      'POST /api/v1/chat/changes aborted \\d+ ms changeChat create-tags tags applied fault=lose-response',
      'POST /api/v1/chat/changes 200 \\d+ ms changeChat create-tags tags replayed',
      'POST /api/v1/chat/read 400 \\d+ ms readChat friends INVALID_INPUT',
      'GET /_sandbox/(sandbox-\\w+)/api/v1/nothing 404 \\d+ ms NOT_FOUND sandbox=\\1',
      'GET / 200 \\d+ ms',
    ];
    expect(lines).toHaveLength(patterns.length);
    for (const [index, pattern] of patterns.entries())
      expect(lines[index]).toMatch(new RegExp(`^${time} ${pattern}$`));
  });

  test('is off with --json, unless it is asked for, and if it is turned off', async () => {
    expect(await logOf('--access-log', 'off')).toEqual(['']);
    const { code, stderr } = await cli.run(['mock', 'start', '--port', '0', '--access-log', 'xml']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('text, json, off')]);
  });
});
