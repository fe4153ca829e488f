/** The living process that has a lock. */
export interface Holder {
  /** Empty if unknown. */
  readonly host: string;
  readonly pid: number;
  /** ISO 8601: when it took the lock, if that is known. */
  readonly since?: string;
  /** ISO 8601: when the lock expires, if the process cannot be checked. */
  readonly until?: string;
}

/** A lock that this process has. */
export interface HeldLock {
  /** Renews the lock for another `ms` milliseconds. False if another process took it in the meantime. */
  renew(ms: number): boolean | Promise<boolean>;
  release(): void | Promise<void>;
}

/** Whether a lock was taken; otherwise the value is the process that has it. */
export const isHeldLock = (taken: HeldLock | Holder): taken is HeldLock => 'renew' in taken;

/** `process 4711 on build-3, since 2026-11-22T12:00:00.000Z` */
export function describeHolder({ host, pid, since }: Holder): string {
  const who = host === '' ? 'another process' : `process ${pid} on ${host}`;
  return since === undefined ? who : `${who}, since ${since}`;
}

/** What a person can do about a holder that cannot be checked, to put behind a hint; otherwise empty. */
export const describeExpiry = ({ until }: Holder, path: string | undefined): string =>
  until === undefined
    ? ''
    : ` Whether that process is alive cannot be checked from here. Its lock expires at ${until}, or when you remove ${path}.`;
