import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { getStartTime, listProcesses, type Process } from './list-processes.ts';

/** Environment variable of a command and all its processes, by which they are found. */
export const markName = 'ORGCHAT_MOCK_EXEC';

/** Grace period for remaining processes after SIGTERM. */
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

export interface ProcessGroupOptions {
  /** Default: those of this process. */
  readonly stdio?: StdioOptions;
  /** Whether the command gets its own group even if there is a terminal. It then gets no Ctrl-C and no input. */
  readonly ownGroup?: boolean;
}

/**
 * A command with all processes it starts. With a terminal it stays in the group of this process, so that it receives
 * Ctrl-C and can read input. Without one it gets its own group, which is signalled as a whole.
 */
export class ProcessGroup {
  readonly child: ChildProcess;
  /** Whether the terminal sends Ctrl-C to the command itself. */
  readonly sharesTerminal: boolean;
  private readonly ownGroup: boolean;
  private readonly mark = randomUUID();
  private readonly start: number;

  constructor(
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    { stdio = 'inherit', ownGroup = false }: ProcessGroupOptions = {},
  ) {
    this.ownGroup = ownGroup;
    this.sharesTerminal = !ownGroup && hasTerminal();
    // A nested command keeps the mark of the outer one, so that both find it.
    const mark = [env[markName], this.mark].filter(Boolean).join(':');
    this.child = spawn(program, args, {
      stdio,
      env: { ...env, [markName]: mark },
      detached: !this.sharesTerminal,
    });
    this.start = this.child.pid === undefined ? 0 : getStartTime(this.child.pid);
  }

  /** Forwards a signal to the group, or only to the command if the group is shared. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid !== undefined) send(this.sharesTerminal ? pid : -pid, signal);
  }

  /** Kills all processes of the group. */
  async kill(): Promise<void> {
    for (const { pid } of await this.members()) send(pid, 'SIGKILL');
  }

  /** Terminates the remaining processes after the command has ended, by SIGTERM first. Returns when none is left. */
  async terminateRest(): Promise<void> {
    const began = performance.now();
    const signalled = new Set<number>();
    for (;;) {
      const remaining = await this.members();
      if (remaining.length === 0) return;
      const isOver = performance.now() - began > graceMs;
      for (const { pid } of remaining) {
        if (isOver) send(pid, 'SIGKILL');
        else if (!signalled.has(pid)) send(pid, 'SIGTERM');
        signalled.add(pid);
      }
      // A process that survives SIGKILL waits for a device.
      if (performance.now() - began > 2 * graceMs) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  private async members(): Promise<Process[]> {
    const all = await listProcesses(this.mark);
    const own = all.find(({ pid }) => pid === process.pid)?.group;
    const group = this.sharesTerminal ? undefined : this.child.pid;
    const isOfGroup = new Set(all.filter((one) => one.group === own).map(({ pid }) => pid));
    return all.filter((one) => {
      if (one.pid === process.pid) return false;
      if (one.isMarked || one.group === group) return true;
      // Other runs of a command may be in progress, so nothing else is known to belong to this one.
      if (this.ownGroup) return false;
      // Processes of the shared group that removed the variable from their environment, and whose parents have ended.
      // The other commands of a pipeline are in this group, too, but they are children of the shell.
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
