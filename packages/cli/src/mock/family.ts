import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { type Process, processes, startOf } from './processes.ts';

/** In the environment of a command and of all it begins, by which they are found again. */
const markName = 'ORGCHAT_MOCK_EXEC';

/** How long what is left over may take to end by itself once it was told to. */
const graceMs = 2_000;
const pollMs = 25;

function hasTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * A command with everything it begins. With a terminal it stays in the group of this process, so that Ctrl-C reaches
 * it and it can read there; without one it gets a group of its own, which is signalled as a whole.
 */
export class Family {
  readonly child: ChildProcess;
  /** Whether the terminal sends Ctrl-C to the command itself. */
  readonly sharesTerminal = hasTerminal();
  private readonly mark = randomUUID();
  private readonly start: number;

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    // One inside another keeps the mark of the outer one, which has to find it as well.
    const mark = [env[markName], this.mark].filter(Boolean).join(':');
    this.child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...env, [markName]: mark },
      detached: !this.sharesTerminal,
    });
    this.start = this.child.pid === undefined ? 0 : startOf(this.child.pid);
  }

  /** Passes a signal on: to the group, or where that is shared to the command alone. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid !== undefined) send(this.sharesTerminal ? pid : -pid, signal);
  }

  /** Ends all of it, by force. */
  async kill(): Promise<void> {
    for (const { pid } of await this.members()) send(pid, 'SIGKILL');
  }

  /** Once the command has ended: ends what it left over, first kindly, and returns when nothing is left. */
  async endLeftOver(): Promise<void> {
    const began = performance.now();
    const told = new Set<number>();
    for (;;) {
      const left = await this.members();
      if (left.length === 0) return;
      const isOver = performance.now() - began > graceMs;
      for (const { pid } of left) {
        if (isOver) send(pid, 'SIGKILL');
        else if (!told.has(pid)) send(pid, 'SIGTERM');
        told.add(pid);
      }
      // What is stopped would not hear of it; what does not end by SIGKILL either, waits for a device.
      if (performance.now() - began > 2 * graceMs) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  private async members(): Promise<Process[]> {
    const all = await processes(this.mark);
    const own = all.find(({ pid }) => pid === process.pid)?.group;
    const group = this.sharesTerminal ? undefined : this.child.pid;
    const isOfGroup = new Set(all.filter((one) => one.group === own).map(({ pid }) => pid));
    return all.filter((one) => {
      if (one.pid === process.pid) return false;
      if (one.isMarked || one.group === group) return true;
      // Begun without the environment, in the shared group, and of parents that are gone. The other commands of a
      // pipeline are in this group too: they were there before, as children of the shell.
      const isLater = this.start > 0 && one.start >= this.start;
      return one.group === own && isLater && !isOfGroup.has(one.parent) && one.parent !== process.ppid;
    });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
