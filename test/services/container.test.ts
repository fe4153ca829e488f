import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBaseFiles } from './container-base.ts';

/*
 * The Containerfile, built and run with buildah and podman. The base is made of this machine's own Node. Building without
 * root requires settings of the machine, and macOS and Windows have no containers of their own.
 */
const isPossible = process.platform === 'linux' && process.getuid?.() === 0;

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'container-'));
const roots = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
const storage = [...roots, '--storage-driver', 'vfs'];
/** No system daemon is needed: neither systemd for control groups, nor a network of containers. */
const engine = [...storage, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
const token = 'token-of-the-test';
const { NODE_OPTIONS: _options, ...env } = process.env;

function run(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(command, [...args], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}
const podman = (...args: string[]): string => run('podman', [...engine, ...args]);
const statusOf = (...args: string[]): number | null =>
  spawnSync('podman', [...engine, ...args], { env, stdio: 'ignore' }).status;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

let port = 0;
/** Starts the image; the port is one of this machine, because the container shares its network. */
function start(name: string, ...args: string[]): void {
  const settings = [
    ...['--network', 'host', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'],
    ...['--env', `ORGCHAT_MOCK_CONTROL_TOKEN=${token}`, '--env', `ORGCHAT_MOCK_URL=http://127.0.0.1:${port}`],
    ...['--volume', 'mock-data:/data'],
  ];
  podman(
    'run',
    '--detach',
    '--name',
    name,
    ...settings,
    'localhost/orgchat-mock',
    '--port',
    String(port),
    ...args,
  );
}

async function waitUntilReady(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/_mock/health`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The container did not get ready:\n${podman('logs', 'first')}`);
}

const call = (path: string, body?: object): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });

beforeAll(async () => {
  if (!isPossible) return;
  const files = join(folder, 'base');
  makeBaseFiles(files);
  execFileSync('tar', ['-C', files, '-cf', join(folder, 'base.tar'), '.']);
  const variables = ['PATH=/usr/bin:/bin', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'];
  const changes = variables.flatMap((variable) => ['--change', `ENV ${variable}`]);
  podman('import', ...changes, join(folder, 'base.tar'), 'localhost/base');
  const context = join(folder, 'context');
  mkdirSync(context);
  for (const file of ['Containerfile', '.dockerignore']) cpSync(join(root, file), join(context, file));
  const pack = ['pack', '--silent', '--ignore-scripts', '--workspace', '@orgchat/cli'];
  run('npm', [...pack, '--pack-destination', context]);
  const build = ['bud', '--format', 'docker', '--isolation', 'chroot', '--build-arg', 'BASE=localhost/base'];
  run('buildah', [...storage, ...build, '--tag', 'orgchat-mock', context]);
  port = await freePort();
}, 300_000);

afterAll(() => {
  if (!isPossible) return;
  for (const name of ['first', 'second']) statusOf('rm', '--force', name);
  // podman mounts its own folder, which cannot be removed until it is unmounted.
  for (const [mounted] of readFileSync('/proc/mounts', 'utf8').matchAll(new RegExp(`${folder}\\S*`, 'g')))
    spawnSync('umount', [mounted]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe.runIf(isPossible)('the container', () => {
  test('starts as a user that is not root, with a health check', async () => {
    start('first', '--data', '/data/mock.sqlite', '--access-log', 'json');
    await waitUntilReady();
    expect(podman('exec', 'first', 'node', '-p', 'process.getuid()').trim()).toBe('1000');
    expect(statusOf('healthcheck', 'run', 'first')).toBe(0);
    const image = podman('image', 'inspect', 'localhost/orgchat-mock');
    expect(image).toMatch(/"Healthcheck": \{\s+"Test": \[[^\]]*"wait"/);
    expect(JSON.parse(image)).toMatchObject([
      { Config: { User: '1000:1000', Volumes: { '/data': {} }, ExposedPorts: { '4010/tcp': {} } } },
    ]);
  });

  test('answers, and its control API requires the token', async () => {
    const change = { action: 'create-tags', data: { name: 'Kept', color: 'pink' } };
    const created = await call('/api/v1/chat/changes', { operationId: crypto.randomUUID(), change });
    expect(created.status).toBe(200);
    const requests = `http://127.0.0.1:${port}/_mock/requests`;
    expect((await fetch(requests)).status).toBe(401);
    const listed = await fetch(requests, { headers: { Authorization: `Bearer ${token}` } });
    expect(((await listed.json()) as { requests: unknown[] }).requests).toHaveLength(1);
    expect(spawnSync('podman', [...engine, 'logs', 'first'], { env, encoding: 'utf8' }).stderr).toContain(
      '"action":"create-tags"',
    );
  });

  test('ends at SIGTERM with 0, and the next one has its data', async () => {
    podman('stop', '--time', '20', 'first');
    expect(podman('inspect', 'first', '--format', '{{.State.ExitCode}}').trim()).toBe('0');
    start('second', '--data', '/data/mock.sqlite');
    await waitUntilReady();
    const { records } = (await (await call('/api/v1/chat/read', { resource: 'tags' })).json()) as {
      records: { name: string }[];
    };
    expect(records.map(({ name }) => name)).toContain('Kept');
  });

  test('is unhealthy if nothing answers', () => {
    const healthCheck = ['node', '/opt/orgchat/node_modules/@orgchat/cli/bin/orgchat.cjs', 'mock', 'wait'];
    const elsewhere = ['--env', 'ORGCHAT_MOCK_URL=http://127.0.0.1:1'];
    expect(statusOf('exec', 'second', ...healthCheck, '--timeout', '3s')).toBe(0);
    expect(statusOf('exec', ...elsewhere, 'second', ...healthCheck, '--timeout', '200ms')).toBe(9);
  });
});
