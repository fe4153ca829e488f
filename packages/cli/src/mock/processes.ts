import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A process of this machine that is still at work. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it began, in a unit of the system's own; 0 where that is not told. */
  readonly start: number;
  /** Whether it was begun with the mark in its environment, as was everything that a marked process began. */
  readonly isMarked: boolean;
}

/** Every process that is at work. What has ended and was not yet fetched by its parent is not among them. */
export async function processes(mark: string): Promise<Process[]> {
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
    const [state, parent, group, start] = statOf(pid);
    if (state === 'Z' || state === 'X') return undefined;
    const facts = { pid: Number(pid), parent: Number(parent), group: Number(group), start: Number(start) };
    return { ...facts, isMarked: environmentOf(pid).includes(mark) };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

/** State, parent, group and start. The name stands in brackets before them and may hold anything. */
function statOf(pid: string): (string | undefined)[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [fields[0], fields[1], fields[2], fields[19]];
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It belongs to somebody else.
    return '';
  }
}

/** When a process began, as `Process.start`. */
export function startOf(pid: number): number {
  try {
    return process.platform === 'linux' ? Number(statOf(String(pid))[3]) : 0;
  } catch {
    return 0;
  }
}
