import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, even if another one gets the same number later. */
export interface ProcessIdentity {
  readonly host: string;
  /** The boot id of the machine, and the process namespace (a container has its own); '' if not known. */
  readonly boot: string;
  readonly pid: number;
  /** When the process started, in units of the system; '' if not known. */
  readonly start: string;
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** What Linux knows of a process; each is '' if the process does not exist, and on other systems. */
export interface ProcessFacts {
  /** A letter: `Z` and `X` are dead processes. */
  readonly state: string;
  /** The numbers of the parent process and of the process group. */
  readonly parent: string;
  readonly group: string;
  /** When it started, in units of the system. */
  readonly start: string;
}

export function readProcessFacts(pid: number): ProcessFacts {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field is the name of the program in parentheses and may hold anything; the start is field 22.
  const [state = '', parent = '', group = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent, group, start: fields[16] ?? '' };
}

function readBootId(): string {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = tryRead(() => readlinkSync('/proc/self/ns/pid'));
  return boot && `${boot} ${namespace}`;
}

let self: ProcessIdentity | undefined;

export function getThisProcess(): ProcessIdentity {
  self ??= {
    host: hostname(),
    boot: readBootId(),
    pid: process.pid,
    start: readProcessFacts(process.pid).start,
  };
  return self;
}

export function isThisProcess(owner: ProcessIdentity): boolean {
  const { host, boot, pid, start } = getThisProcess();
  return owner.pid === pid && owner.start === start && owner.boot === boot && owner.host === host;
}

/** Returns whether a process is alive; undefined if unknown: another machine or container, or no start time. */
export function isAlive(owner: ProcessIdentity): boolean | undefined {
  const here = getThisProcess();
  const [boot, namespace] = owner.boot.split(' ');
  const [ownBoot, ownNamespace] = here.boot.split(' ');
  if (owner.host !== here.host) return undefined;
  // This machine was restarted in the meantime, or another one has the same name, as cloned machines have. Nothing says
  // which: a clone may have been started later than a process that lives on the other machine.
  if (boot !== ownBoot) return undefined;
  if (namespace !== ownNamespace) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const { state, start } = readProcessFacts(owner.pid);
  // Dead, but its parent has not collected it, as in a container without an init process.
  if (/^[ZX]/.test(state)) return false;
  // The number may belong to another process by now.
  return start === '' || owner.start === '' ? undefined : start === owner.start;
}
