import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A running process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in a unit of the system; 0 if unknown. */
  readonly start: number;
  /** Whether the mark is in its environment, as in that of all its child processes. */
  readonly isMarked: boolean;
}

/** Lists all running processes, without zombies. */
export async function listProcesses(mark: string): Promise<Process[]> {
  if (process.platform === 'linux') {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (fromProc(name, mark) ?? []) : []));
  }
  if (process.platform === 'win32') return [];
  const columns = 'pid=,ppid=,pgid=,stat=,command=';
  const list = await promisify(execFile)('ps', ['-axww', '-E', '-o', columns], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return list.stdout.split('\n').flatMap((line): Process[] => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z')) return [];
    const isMarked = line.includes(mark);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: 0, isMarked }];
  });
}

function fromProc(pid: string, mark: string): Process | undefined {
  try {
    const [state, parent, group, start] = readStat(pid);
    if (state === 'Z' || state === 'X') return undefined;
    const facts = { pid: Number(pid), parent: Number(parent), group: Number(group), start: Number(start) };
    return { ...facts, isMarked: readEnvironment(pid).includes(mark) };
  } catch {
    // It ended in the meantime.
    return undefined;
  }
}

/** State, parent, group and start. The name before them is in parentheses and may contain any character. */
function readStat(pid: string): (string | undefined)[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [fields[0], fields[1], fields[2], fields[19]];
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It belongs to another user.
    return '';
  }
}

/** When a process began, as `Process.start`. */
export function getStartTime(pid: number): number {
  try {
    return process.platform === 'linux' ? Number(readStat(String(pid))[3]) : 0;
  } catch {
    return 0;
  }
}
