import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { getThisProcess, isAlive, isThisProcess, readProcessFacts } from './process-identity.ts';

afterEach(() => void vi.restoreAllMocks());

const onLinux = process.platform === 'linux';

/** A Node process that is ready and runs until its input ends. */
async function child(program = ''): Promise<{ pid: number; end: () => Promise<unknown> }> {
  const source = `${program}; process.stdout.write('ready'); process.stdin.resume();`;
  const started = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(started.stdout, 'data');
  const end = (): Promise<unknown> => {
    const over = once(started, 'exit');
    started.stdin.end();
    return over;
  };
  return { pid: started.pid!, end };
}

/** The name of a process's program. */
const readProcessName = (pid = 0): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

describe('a process', () => {
  test.runIf(onLinux)('is identified by its start time, whatever its title', async () => {
    const { pid, end } = await child("process.title = 'odd) name (1 2'");
    // The system counts hundredths of a second since it was started.
    const start = readProcessFacts(pid).start;
    await end();
    expect(start).toMatch(/^[1-9]\d*$/);
    expect(Number(start)).toBeGreaterThanOrEqual(Number(readProcessFacts(process.pid).start));
    expect(Number(start) / 100).toBeLessThanOrEqual(uptime());
    expect(readProcessFacts(pid).start).toBe('');
  });

  test.runIf(onLinux)('is dead once it ended, even if its parent has not waited for it', async () => {
    // The shell starts a child, which runs until its input ends. Then it becomes another program, which does not wait for it.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    try {
      const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const { start } = readProcessFacts(pid);
      const owner = { ...getThisProcess(), pid, start };
      await expect.poll(() => readProcessName(parent.pid), { timeout: 10_000 }).toBe('sleep');
      expect(isAlive(owner)).toBe(true);
      (parent.stdio[3] as Writable).end();
      await expect.poll(() => readProcessFacts(pid).state, { timeout: 10_000 }).toBe('Z');
      expect(isAlive(owner)).toBe(false);
    } finally {
      parent.kill();
    }
  });

  test.runIf(onLinux)('is of this machine since it was started, and of one namespace of numbers', () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(getThisProcess().boot).toBe(`${boot} ${readlinkSync('/proc/self/ns/pid')}`);
    expect(getThisProcess()).toMatchObject({ pid: process.pid, start: readProcessFacts(process.pid).start });
  });

  test('is this process only if every part matches', () => {
    const self = getThisProcess();
    expect(isThisProcess({ ...self })).toBe(true);
    for (const other of [{ pid: self.pid + 1 }, { start: '1' }, { boot: 'x' }, { host: 'x' }]) {
      expect(isThisProcess({ ...self, ...other })).toBe(false);
    }
  });

  test('is alive until it has ended', async () => {
    const { pid, end } = await child();
    const owner = { ...getThisProcess(), pid, start: readProcessFacts(pid).start };
    expect(isAlive(owner)).toBe(onLinux ? true : undefined);
    await end();
    expect(isAlive(owner)).toBe(false);
  });

  test('of another user is alive, although it cannot be signaled', () => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    const owner = { ...getThisProcess(), pid: process.ppid, start: readProcessFacts(process.ppid).start };
    expect(isAlive(owner)).toBe(onLinux ? true : undefined);
  });

  test('whose start the system does not tell may be another one', () => {
    vi.spyOn(process, 'kill').mockReturnValue(true);
    expect(isAlive({ ...getThisProcess(), pid: 2 ** 30, start: '5' })).toBeUndefined();
  });

  test('that does not exist has no facts', () => {
    expect(readProcessFacts(2 ** 30)).toEqual({ state: '', parent: '', group: '', start: '' });
  });

  test('of which only the number is known may be another process by now', () => {
    expect(isAlive({ ...getThisProcess(), pid: process.ppid, start: '' })).toBeUndefined();
  });

  test.runIf(onLinux)('of another container cannot be looked at', () => {
    const [boot] = getThisProcess().boot.split(' ');
    expect(isAlive({ ...getThisProcess(), boot: `${boot} pid:[1]` })).toBeUndefined();
  });

  test.runIf(onLinux)('of another boot may live on another machine of the same name, as a clone has', () => {
    const owner = { ...getThisProcess(), boot: `other ${getThisProcess().boot.split(' ')[1]}` };
    expect(isAlive({ ...owner, pid: 2 ** 30 })).toBeUndefined();
    expect(isAlive(owner)).toBeUndefined();
  });
});
