import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, told apart from another that got the same number later. */
export interface Owner {
  readonly host: string;
  /** The machine since it was started, and the process namespace (a container has its own); '' where not known. */
  readonly boot: string;
  readonly pid: number;
  /** When the process began, in the system's units; '' where not known. */
  readonly start: string;
}

function attempted(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** What Linux tells of a process; elsewhere it is known by its number alone. */
export function factsOf(pid: number): { readonly state: string; readonly start: string } {
  const stat = attempted(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field is the name of the program in parentheses and may hold anything; the start is field 22.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, start: fields[18] ?? '' };
}

function bootOf(): string {
  const boot = attempted(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = attempted(() => readlinkSync('/proc/self/ns/pid'));
  return boot && `${boot} ${namespace}`;
}

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= { host: hostname(), boot: bootOf(), pid: process.pid, start: factsOf(process.pid).start };
  return self;
}

export function isThisProcess(owner: Owner): boolean {
  const { host, boot, pid, start } = thisProcess();
  return owner.pid === pid && owner.start === start && owner.boot === boot && owner.host === host;
}

/** Whether a process is there; undefined where it cannot be known: another machine or container, or no start. */
export function isAlive(owner: Owner): boolean | undefined {
  const here = thisProcess();
  const [boot, namespace] = owner.boot.split(' ');
  const [ownBoot, ownNamespace] = here.boot.split(' ');
  if (owner.host !== here.host) return undefined;
  // The same machine, started again since.
  if (boot !== ownBoot) return false;
  if (namespace !== ownNamespace) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const { state, start } = factsOf(owner.pid);
  // Dead, though whoever started it has not asked how it ended: nobody does so where the first process is no init.
  if (/^[ZX]/.test(state)) return false;
  // A number alone may be another's by now.
  return start === '' || owner.start === '' ? undefined : start === owner.start;
}
