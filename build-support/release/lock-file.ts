/** An entry of `packages` in package-lock.json; its key is the folder of the package. */
export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type Lock = Readonly<Record<string, LockEntry>>;

/** Returns the folder in which Node finds a package from that of another: in its `node_modules` or in those above it. */
export function resolveInLock(lock: Lock, folder: string, name: string): string | undefined {
  const found = [folder, 'node_modules', name].filter((part) => part !== '').join('/');
  if (found in lock) return found;
  if (folder === '') return undefined;
  return resolveInLock(lock, folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
}
