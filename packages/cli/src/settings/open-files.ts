import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toShellWord } from '../args/shell-word.ts';
import { configDirectory, journalDirectory, stateDirectory } from './directories.ts';

/** Bits of a mode. */
const othersMayWrite = 0o022;
const othersMayUse = 0o077;
/** In such a directory, only its owner may replace a file. */
const sticky = 0o1000;

/** A file or directory that other users of this machine can read or change although they must not. */
export interface OpenFile {
  readonly problem: string;
  /** The command that closes it. */
  readonly fix: string;
}

/** A warning for people. */
export const describeOpenFile = ({ problem, fix }: OpenFile): string => `${problem} Restrict access: ${fix}`;

type Kind = 'secret' | 'profiles' | 'directory' | 'state';

const problems: Readonly<Record<Kind, (path: string) => string>> = {
  secret: (path) => `Other users can read ${path}.`,
  profiles: (path) => `Other users can change ${path}, and so the server that gets the key.`,
  directory: (path) => `Other users can replace the files in ${path}, such as the profile and its key.`,
  state: (path) =>
    `Other users can add files to ${path}, such as changes that are sent when they are resumed.`,
};

/** Returns what is wrong with the mode of a path; undefined if nothing is, or there is no such file. */
async function check(kind: Kind, path: string): Promise<OpenFile | undefined> {
  const facts = await stat(path).catch(() => undefined);
  // Windows has no such modes.
  if (facts === undefined || process.platform === 'win32') return undefined;
  const isOpen =
    (facts.mode & (kind === 'secret' ? othersMayUse : othersMayWrite)) !== 0 &&
    !(facts.isDirectory() && (facts.mode & sticky) !== 0);
  if (!isOpen) return undefined;
  return {
    problem: problems[kind](path),
    fix: `chmod ${facts.isDirectory() ? 700 : 600} ${toShellWord(path)}`,
  };
}

const checkAll = async (paths: readonly (readonly [Kind, string])[]): Promise<OpenFile[]> => {
  const found = await Promise.all(paths.map(([kind, path]) => check(kind, path)));
  return found.filter((open) => open !== undefined);
};

/** Checks the file of a key. */
export const findOpenKeyFile = (path: string): Promise<OpenFile[]> => checkAll([['secret', path]]);

/** Checks what a profile and its key are read from. */
export function findOpenProfileFiles(): Promise<OpenFile[]> {
  const directory = configDirectory();
  return checkAll([
    ['directory', directory],
    ['profiles', join(directory, 'profiles.json')],
    ['secret', join(directory, 'keys.json')],
  ]);
}

/** Checks where the journal is. */
export const findOpenStateDirectories = (): Promise<OpenFile[]> =>
  checkAll([
    ['state', stateDirectory()],
    ['state', journalDirectory()],
  ]);
