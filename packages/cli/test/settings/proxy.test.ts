import { writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTls } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cert, key } from '../../../../test/test-support/certificate.ts';
import { Harness } from '../../test-support/harness.ts';

const cli = new Harness();
/** The mock, spoken to in TLS. */
const secured = createTls({ key, cert }, (socket) => link(socket, mockPort()));
let asked: { place: string | undefined; authorization: string | undefined }[] = [];

const mockPort = (): number => Number(new URL(cli.ready?.baseUrl ?? '').port);
const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

function link(socket: Duplex, port: number): void {
  const up = connect(port, '127.0.0.1');
  up.on('error', () => socket.destroy());
  socket.on('error', () => up.destroy());
  up.pipe(socket).pipe(up);
}

/** Whatever host is asked for, the mock answers: in TLS on port 443. */
function tunnel({ url, headers }: IncomingMessage, socket: Duplex): void {
  asked.push({ place: url, authorization: headers['proxy-authorization'] });
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  link(socket, url?.endsWith(':443') ? portOf(secured) : mockPort());
}

const proxy = createHttp().on('connect', tunnel);
const secureProxy = createHttps({ key, cert }).on('connect', tunnel);
const refusing = createHttp().on('connect', (_request, socket: Duplex) => {
  socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
});
const servers = [secured, proxy, secureProxy, refusing];

const https = { ORGCHAT_BASE_URL: 'https://api.example.test/api/v1' };
const http = { ORGCHAT_BASE_URL: 'http://api.example.test/api/v1' };
const trusting = { NODE_EXTRA_CA_CERTS: join(cli.folder, 'certificate.pem') };

beforeAll(async () => {
  writeFileSync(trusting.NODE_EXTRA_CA_CERTS, cert);
  await cli.start();
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 60_000);
beforeEach(async () => {
  asked = [];
  await cli.control('POST', '/reset');
});
afterAll(async () => {
  for (const server of servers) server.close();
  await cli.end();
});

test('http uses CONNECT, except for NO_PROXY and loopback', async () => {
  const env = { ...http, HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
  expect((await cli.run(['account', '--json'], { env })).code).toBe(0);
  expect(asked).toEqual([{ place: 'api.example.test:80' }]);

  const around = await cli.run(['account', '--retries', '0', '--json'], {
    env: { ...env, NO_PROXY: 'example.test' },
  });
  expect([around.code, around.json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
  // What runs on this machine is reached without a proxy, whatever the environment says.
  expect((await cli.run(['account', '--json'], { env: { HTTP_PROXY: env.HTTP_PROXY } })).code).toBe(0);
  expect(asked).toHaveLength(1);
});

test('https uses tunnels, with the password of the proxy', async () => {
  const env = { ...https, ...trusting, HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${portOf(proxy)}` };
  // It reads the tag first, to know what it changes.
  const { json } = await cli.run(['tags', 'update', 'VIP', '--color', 'green', '--json'], { env });
  expect(json).toMatchObject({ applied: true });
  const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  expect(asked[0]).toEqual({ place: 'api.example.test:443', authorization });
  expect(asked.filter((one) => one.authorization !== authorization)).toEqual([]);
});

test('a % in the password of the proxy may be itself', async () => {
  const env = { ...http, HTTP_PROXY: `http://me:50%off%C3%A9@127.0.0.1:${portOf(proxy)}` };
  expect((await cli.run(['account', '--json'], { env })).code).toBe(0);
  expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('me:50%offé').toString('base64')}`);
});

test('the proxy may speak https itself', async () => {
  const env = { ...https, ...trusting, https_proxy: `https://127.0.0.1:${portOf(secureProxy)}` };
  expect((await cli.run(['account', '--json'], { env })).code).toBe(0);
  expect(asked).toHaveLength(1);
});

test('a change that the proxy blocks has failed; its outcome is known', async () => {
  const change = ['tags', 'create', '--name', 'Near', '--color', 'pink', '--retries', '0', '--json'];
  const refused = await cli.run(change, {
    env: { ...https, HTTPS_PROXY: `http://127.0.0.1:${portOf(refusing)}` },
  });
  expect([refused.code, refused.json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
  expect(refused.json.error?.message).toContain('PROXY_407');
  expect(refused.json.error?.hint).toContain('The proxy requires credentials');
  const gone = await cli.run(change, { env: { ...https, HTTPS_PROXY: 'http://127.0.0.1:9' } });
  expect([gone.code, gone.json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
  // Nor is one that the server's certificate keeps back.
  const untrusted = await cli.run(change, {
    env: { ...https, HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` },
  });
  expect([untrusted.code, untrusted.json.error?.code]).toEqual([1, 'CONNECTION_FAILED']);
});

test.each([
  'socks5://me:secret@127.0.0.1:9',
  'http://me:secret@127.0.0.1:9/proxy',
  'http://me:secret@127.0.0.1:9?a',
  'http://me:12/secret@127.0.0.1:9',
])('the invalid proxy %s is reported without its password', async (HTTPS_PROXY) => {
  const env = { ...https, HTTPS_PROXY };
  const { code, json, stderr } = await cli.run(['account', '--json'], { env });
  expect([code, json.error?.code]).toEqual([3, 'INVALID_PROXY']);
  expect(stderr).not.toContain('secret');
});
