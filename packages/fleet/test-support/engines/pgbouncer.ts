import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';

/** Starts pgbouncer in front of an engine, on a free loopback port. */
export async function startPgbouncer(enginePort: number, mode: 'session' | 'transaction' = 'transaction') {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  for (const path of [folder, tmpdir()]) chmodSync(path, statSync(path).mode | 0o055);
  const settings = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${enginePort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'ignore_startup_parameters = extra_float_digits',
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings.join('\n'));
  const isRoot = process.getuid?.() === 0;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
  const child: ChildProcess = spawn('pgbouncer', ['-q', file], { ...user, stdio: 'ignore' });
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
