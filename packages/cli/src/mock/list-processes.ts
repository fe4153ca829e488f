import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { readProcessFacts } from '@orgchat/atomic-files';

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
    return readdirSync('/proc').flatMap((name) =>
      /^\d+$/.test(name) ? (fromProc(Number(name), mark) ?? []) : [],
    );
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

function fromProc(pid: number, mark: string): Process | undefined {
  const { state, parent, group, start } = readProcessFacts(pid);
  // It ended in the meantime, or it is a zombie.
  if (state === '' || state === 'Z' || state === 'X') return undefined;
  const facts = { pid, parent: Number(parent), group: Number(group), start: Number(start) };
  return { ...facts, isMarked: readEnvironment(pid).includes(mark) };
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It belongs to another user.
    return '';
  }
}

/** When a process began, as `Process.start`. */
export const getStartTime = (pid: number): number => Number(readProcessFacts(pid).start);
