import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createMock, type Listening, type ListenOptions, MockOptionsError } from '../../src/index.ts';

let opened: Listening[] = [];
afterEach(async () => {
  await Promise.all(opened.map((listening) => listening.close()));
  opened = [];
});

async function serve(options: ListenOptions = {}): Promise<Listening> {
  const listening = await createMock({ controlToken: 'let-me-in' }).listen({ port: 0, ...options });
  opened.push(listening);
  return listening;
}

interface ControlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** Makes a call with a given Host header. */
function ask(
  { port }: Listening,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      response.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    call.on('error', reject).end();
  });
}

const token = { Authorization: 'Bearer let-me-in' };

describe('the addresses in answers', () => {
  it.each(['mock:4010', '192.0.2.2:4682', 'MOCK.example', '[2001:db8::1]:80', 'localhost:1'])(
    'use the Host of the request: %s',
    async (host) => {
      const listening = await serve({ host: '0.0.0.0' });
      const origin = `http://${host.toLowerCase()}`;
      const made = await ask(listening, 'POST', '/_mock/sandboxes', { ...token, Host: host });
      expect(made).toMatchObject({
        status: 201,
        body: {
          baseUrl: expect.stringMatching(/\/_sandbox\/sandbox-\w+\/api\/v1$/),
          controlUrl: expect.stringMatching(/\/_sandbox\/sandbox-\w+\/_mock$/),
        },
      });
      for (const url of [made.body.baseUrl, made.body.controlUrl])
        expect(String(url)).toMatch(`${origin}/_sandbox/`);
      const about = await ask(listening, 'GET', '/', { Host: host });
      expect(about.body).toMatchObject({
        baseUrl: `${origin}/api/v1`,
        controlUrl: `${origin}/_mock`,
        openapi: `${origin}/openapi.yaml`,
        tryThis: expect.stringContaining(` ${origin}/api/v1/me`),
      });
    },
  );

  it.each(['a b', 'x@y', 'x/y', '"', 'x:99999', "'$(reboot)'"])(
    'use its own address if the Host is invalid: %s',
    async (host) => {
      const listening = await serve({ host: '0.0.0.0' });
      expect((await ask(listening, 'GET', '/', { Host: host })).body.baseUrl).toBe(`${listening.url}/api/v1`);
    },
  );

  it('use publicUrl if it is set', async () => {
    const listening = await serve({ publicUrl: 'https://ci.example/mock/' });
    expect(listening).toMatchObject({
      url: `http://127.0.0.1:${listening.port}`,
      baseUrl: 'https://ci.example/mock/api/v1',
      controlUrl: 'https://ci.example/mock/_mock',
      loopbackOnly: true,
    });
    const { body } = await ask(listening, 'GET', '/', { Host: 'localhost' });
    expect(body.baseUrl).toBe('https://ci.example/mock/api/v1');
  });

  it.each(['mock:4010', 'ftp://mock', 'http://u:p@mock', 'http://mock/?x', 'http://mock/#x', ''])(
    'reject an invalid publicUrl: %j',
    async (publicUrl) => {
      await expect(createMock().listen({ port: 0, publicUrl })).rejects.toThrow(MockOptionsError);
      await expect(createMock().listen({ port: 0, publicUrl })).rejects.toThrow(/publicUrl must be/);
    },
  );
});

describe('beyond loopback', () => {
  it('health needs no token, and everything else does', async () => {
    const listening = await serve({ host: '0.0.0.0' });
    expect(listening.loopbackOnly).toBe(false);
    const health = await ask(listening, 'GET', '/_mock/health', { Host: 'mock:4010' });
    expect(health).toMatchObject({ status: 200, body: { status: 'ready' } });
    const { body } = await ask(listening, 'POST', '/_mock/sandboxes', { ...token, Host: 'mock:4010' });
    const path = `/_sandbox/${String(body.id)}/_mock`;
    expect((await ask(listening, 'GET', `${path}/health`, { Host: 'mock' })).status).toBe(200);
    for (const closed of [`${path}/state`, '/_mock/state', '/_mock/health/x', '/_mock//health'])
      expect((await ask(listening, 'GET', closed, { Host: 'mock' })).status).toBe(401);
    const page = { Host: 'mock', Origin: 'http://evil.example' };
    expect((await ask(listening, 'GET', '/_mock/health', page)).status).toBe(403);
  });

  it('an empty token is rejected', () => {
    expect(() => createMock({ controlToken: '' })).toThrow(MockOptionsError);
  });
});

describe('responses outside the API', () => {
  it('is not for pages of other origins', async () => {
    const listening = await serve();
    for (const path of ['/', '/_mock/health', '/_mock/nowhere']) {
      expect((await ask(listening, 'GET', path, token)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});
