import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { typing } from '../../test-support/terminal.ts';

const cli = useCli({ inProcess: true });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that is not ours; resolves to the settings that lead to it. */
async function answering(listener: RequestListener): Promise<{ env: Record<string, string>; host: string }> {
  const server = createServer(listener);
  stops.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { env: { ORGCHAT_BASE_URL: `http://${host}/api/v1` }, host };
}

describe('invalid settings are usage errors that name the option', () => {
  test.each([
    [['account', '--timeout', '0'], 'Invalid value "0" for --timeout <time>.'],
    [['account', '--timeout', '0.2ms'], 'longer than 0'],
    [['account', '--base-url', 'http://127.0.0.1:9/api?x=1'], '--base-url has a query or a fragment.'],
    [['account', '--base-url', 'http://127.0.0.1:9/api?'], '--base-url has a query or a fragment.'],
    [['account', '--base-url', 'http://127.0.0.1:9/api#x'], '--base-url has a query or a fragment.'],
    [['account', '--base-url', 'http://127.0.0.1:9/@me/api'], '--base-url has an @ in its path.'],
    [['account', '--base-url', 'ftp://127.0.0.1/api'], 'is not a valid http or https URL'],
    [['account', '--profile', 'constructor'], 'No profile named "constructor".'],
    [['auth', 'logout', '--profile', '__proto__'], 'No profile named "__proto__".'],
  ])('%j', async (args, message) => {
    const { code, json } = await cli.run([...args, '--json']);
    expect(code).toBe(args[0] === 'auth' ? 6 : 3);
    expect(json.error?.message).toContain(message);
    expect(JSON.stringify(json)).not.toMatch(/timeoutMs|baseUrl/);
  });

  test('an invalid URL that was typed at the prompt is not reported as an option', async () => {
    const line = `ORGCHAT_BASE_URL= ORGCHAT_API_KEY= ${process.execPath} ${cli.command} auth login --profile typed; echo "exit $?"`;
    const shown = await typing(cli, line, [['Base URL', 'nowhere\r']]);
    expect(shown).toContain('The base URL is not a valid http or https URL.');
    expect(shown).toContain('exit 3');
  });

  test.each(['json', 'ndjson', 'yaml', 'table'])(
    'fields that every object inherits are not fields, as %s',
    async (format) => {
      const args = ['tags', 'list', '--limit', '1', '--format', format];
      const { code, stdout, stderr } = await cli.run([...args, '--fields', 'constructor,__proto__,name']);
      const isDocument = format === 'json' || format === 'ndjson';
      expect([code, isDocument ? JSON.parse(stdout).error.message : stderr]).toEqual([
        3,
        expect.stringContaining('Unknown fields in --fields: "constructor", "__proto__".'),
      ]);
      if (!isDocument) expect(stdout).toBe('');
    },
  );

  test('names that every object inherits are not help topics', async () => {
    expect((await cli.run(['help', 'constructor', '--json'])).code).toBe(3);
  });
});

describe('a failure names the server and what to check', () => {
  test('a refused connection', async () => {
    const { env, host } = await answering(() => {});
    stops.shift()?.();
    const { code, json } = await cli.run(['tags', 'list', '--retries', '0', '--json'], { env });
    expect([code, json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
    expect(json.error?.message).toMatch(new RegExp(`^Could not connect to ${host}: .*ECONNREFUSED`));
    const { stderr } = await cli.run(['tags', 'list', '--retries', '0', '--debug'], { env });
    expect(stderr).toContain(`debug: server ${host} (http://${host}/api/v1 from ORGCHAT_BASE_URL`);
  });

  test('an address without the API: login sends no key to it', async () => {
    const keys: unknown[] = [];
    const { host } = await answering(({ headers }, response) => {
      keys.push(headers.authorization);
      response.writeHead(404).end('not here');
    });
    const args = [
      'auth',
      'login',
      '--with-token',
      '--insecure-storage',
      '--base-url',
      `http://${host}`,
      '--json',
    ];
    const { code, json } = await cli.run(args, {
      input: 'demo-write-key\n',
      env: { ORGCHAT_API_KEY: undefined },
    });
    expect([code, json.error?.code]).toEqual([6, 'NOT_FOUND']);
    expect(json.error?.message).toBe(
      `No API at http://${host}: GET http://${host}/me was answered with 404. Nothing was saved.`,
    );
    expect(keys).toEqual([undefined]);
  });

  test('a web server is not taken for a mock', async () => {
    const { host } = await answering((_, response) => response.writeHead(404).end('not here'));
    const { code, json } = await cli.run(['mock', 'stop', '--url', `http://${host}`, '--json']);
    expect([code, json.error?.message]).toEqual([6, `No detached mock was started at http://${host}.`]);
  });

  test('a server without TLS at an https address', async () => {
    const { host } = await answering((_, response) => void response.end('{}'));
    const env = { ORGCHAT_BASE_URL: `https://${host}/api/v1` };
    const read = await cli.run(['tags', 'list', '--retries', '0', '--json'], { env });
    expect(read.json.error?.hint).toMatch(/^The server may not use TLS\. .* http:\/\/ instead of https:\/\//);
    const create = ['tags', 'create', '--name', 'Plain', '--color', 'blue', '--retries', '0', '--json'];
    const { code, json } = await cli.run(create, { env });
    // Nothing was sent before the handshake.
    expect([code, json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
    expect(json.error?.hint).toMatch(/^The server may not use TLS\./);
  });

  test('a host or proxy that does not exist', async () => {
    const { json } = await cli.run(['tags', 'list', '--retries', '0', '--json'], {
      env: { ORGCHAT_BASE_URL: 'http://nowhere.invalid/api/v1' },
    });
    expect(json.error?.message).toContain('Could not connect to nowhere.invalid');
    const proxied = await cli.run(['tags', 'list', '--retries', '0', '--json'], {
      env: { ORGCHAT_BASE_URL: 'https://nowhere.invalid/api/v1', HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    expect(proxied.json.error?.message).toContain('nowhere.invalid through the proxy 127.0.0.1:9');
  });

  test('an HTML page instead of a response: a wrong URL, or a login page of the network', async () => {
    const { env, host } = await answering((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<html>Log in to this Wi-Fi</html>');
    });
    const { code, json } = await cli.run(['tags', 'list', '--retries', '0', '--json'], { env });
    expect([code, json.error?.code]).toEqual([1, 'INVALID_RESPONSE']);
    expect(json.error?.message).toContain(host);
    expect(json.error?.hint).toMatch(/not from the API\. Check the base URL.*login page/);
  });

  test('an endless response is read up to 32 MiB', async () => {
    const { env, host } = await answering((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      const piece = Buffer.alloc(1024 * 1024, ' ');
      const more = (): void => {
        while (response.write(piece));
        response.once('drain', more);
      };
      response.on('close', () => response.removeAllListeners('drain'));
      more();
    });
    const { code, json } = await cli.run(['tags', 'list', '--retries', '0', '--json'], { env });
    expect([code, json.error?.code]).toEqual([1, 'RESPONSE_TOO_LARGE']);
    expect(json.error?.message).toContain(host);
    expect(json.error?.hint).toContain('Check the base URL');
  });

  test('no failure advises to change an option of the SDK', async () => {
    const { env } = await answering(() => {});
    const html = await answering((_, response) => void response.end('<html>'));
    const runs = [
      await cli.run(['account', '--timeout', '200ms', '--json'], { env }),
      await cli.run(['tags', 'get', 'VIP', '--pacing', '1', '--timeout', '2s', '--json']),
      await cli.run(['account', '--retries', '0', '--json'], { env: html.env }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([9, 9, 1]);
    for (const { json } of runs)
      expect(JSON.stringify(json.error)).not.toMatch(/timeoutMs|baseUrl|perMinute|maxResponseBytes|pacing\./);
    expect(runs.map(({ json }) => json.error?.message)).toEqual([
      expect.stringMatching(/^The deadline passed \(GET \/me\); asked 127\.0\.0\.1:\d+$/),
      expect.stringMatching(
        /^The rate limit has no free slot before the deadline; the next one is at 20\d\d-/,
      ),
      expect.stringMatching(/^The response did not come from this API \(GET \/me\); asked /),
    ]);
  });

  test('another server, without the path of the API', async () => {
    const { env } = await answering((_, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>Not Found</html>');
    });
    for (const args of [['account'], ['tags', 'list'], ['keywords', 'add', 'demo-site', 'x']]) {
      const { json } = await cli.run([...args, '--retries', '0', '--json'], { env });
      expect(json.error?.hint).toContain('Check the base URL, including its path');
    }
  });

  test('a redirect is reported without terms of the SDK', async () => {
    const { env } = await answering((_, response) => {
      response.writeHead(302, { Location: 'https://elsewhere.example/api/v1' }).end();
    });
    const { json } = await cli.run(['account', '--retries', '0', '--json'], { env });
    expect(json.error?.message).not.toContain('baseUrl');
    expect(json.error?.hint).toContain('base URL');
  });

  test('a base URL without the version', async () => {
    const env = { ORGCHAT_BASE_URL: String(cli.ready?.baseUrl).replace(/\/v1$/, '') };
    for (const [args, exit] of [
      [['account'], 1],
      [['tags', 'list'], 6],
      [['config', 'export'], 1],
    ] as const) {
      const { code, json } = await cli.run([...args, '--json'], { env });
      expect([code, json.error?.hint]).toEqual([exit, expect.stringContaining('Check the base URL')]);
    }
  });

  test('a missing site or document', async () => {
    const site = await cli.run(['keywords', 'add', 'nowhere', 'x', '--json']);
    expect(site.json.error?.hint).toContain('Check the site id "nowhere"');
    const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const found = await cli.run(['studio', 'projects', '--json']);
    const document = await cli.run(['studio', 'document', String(found.json[0]?.id), id, '--json']);
    expect([document.code, document.json.error?.hint]).toEqual([
      6,
      expect.stringContaining('studio documents'),
    ]);
  });

  test.each([
    [
      ['keywords', 'add', 'demo-site', 'ok', 'x'.repeat(81)],
      undefined,
      'Keyword 2 is',
      'Shorten or remove the keyword',
    ],
    [['keywords', 'add', 'demo-site', '-'], `ok\n${'x'.repeat(81)}\n`, 'Line 2 is', 'keywords import'],
    [['keywords', 'import', 'demo-site', '-'], 'x'.repeat(81), 'Line 1 is', '--skip-invalid'],
  ])('a keyword that is too long, in %j', async (args, input, message, hint) => {
    const { code, json } = await cli.run([...args, '--json'], input === undefined ? {} : { input });
    expect([code, json.error?.message, json.error?.hint]).toEqual([
      3,
      expect.stringContaining(message),
      expect.stringContaining(hint),
    ]);
  });
});

describe('a command with raw output', () => {
  test.each([
    ['studio', 'document', 'nope', 'x', '--body'],
    ['config', 'export', '--resources', 'nope'],
    ['mock', 'state', '--url', 'http://127.0.0.1:9/_mock'],
  ])('leaves stdout empty when it fails: %s %s', async (...args) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stdout]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^orgchat: .*\n {2}next: /);
    const asked = await cli.run([...args, '--json']);
    expect(asked.json.error).toMatchObject({ code: expect.any(String) });
  });
});
