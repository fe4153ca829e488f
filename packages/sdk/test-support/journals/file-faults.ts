import fs from 'node:fs';
import { basename, sep } from 'node:path';
import { type FileCall, watchAll } from '@orgchat/atomic-files/test-support/file-system';

/**
 * How a call goes wrong: before it has its effect; after it, so that who called does not know of it; or for lack of
 * room, which every later call lacks as well.
 */
export type FaultKind = 'fails before' | 'fails after' | 'finds no room from then on';

export interface FileFault {
  /** Which of the calls below the folder, from 1. */
  readonly nth: number;
  readonly kind: FaultKind;
}

/** What a call can come to. Closing closes in any case, and a copy that fails is removed by who made it. */
const kinds: Readonly<Record<FileCall, readonly FaultKind[]>> = {
  existsSync: ['fails before'],
  readFileSync: ['fails before'],
  readdirSync: ['fails before'],
  opendirSync: ['fails before'],
  statSync: ['fails before'],
  closeSync: ['fails after'],
  unlinkSync: ['fails before', 'fails after'],
  rmdirSync: ['fails before', 'fails after'],
  rmSync: ['fails before', 'fails after'],
  utimesSync: ['fails before', 'fails after'],
  openSync: ['fails before', 'fails after', 'finds no room from then on'],
  writeFileSync: ['fails before', 'fails after', 'finds no room from then on'],
  fsyncSync: ['fails before', 'fails after', 'finds no room from then on'],
  linkSync: ['fails before', 'fails after', 'finds no room from then on'],
  copyFileSync: ['fails before', 'finds no room from then on'],
  renameSync: ['fails before', 'fails after', 'finds no room from then on'],
  mkdirSync: ['fails before', 'fails after', 'finds no room from then on'],
};

/** A scenario that makes more calls than this would never end. */
const mostCalls = 500;

/** What was called below the folder, in order. */
export interface FileCalls {
  readonly made: readonly FileCall[];
  /** What the fault hit, in words; undefined if there were fewer calls. */
  readonly hit: string | undefined;
  readonly isEndless: boolean;
}

export function listFaults(made: readonly FileCall[]): FileFault[] {
  return made.flatMap((name, index) => kinds[name].map((kind) => ({ nth: index + 1, kind })));
}

/** What a name says of its file, without what differs from run to run. */
const said = (path: string): string =>
  basename(path)
    .replace(/^[0-9a-f-]{36}\.[0-9a-f]{16}/, 'ENTRY')
    .replace(/\.[0-9a-f]{16}\.claim/, '.NEXT.claim')
    .replace(/\.\d+\.[\w-]+\.tmp$/, '.DRAFT');

/** Makes a call below a folder fail; without a fault, only watches the calls. `unwatch()` ends it. */
export function breakFiles(folder: string, fault?: FileFault, without?: FileCall): FileCalls {
  const made: FileCall[] = [];
  const open = new Map<unknown, string>();
  const real = { ...fs };
  let hit: string | undefined;
  /** A call of Node's own, made for another one. */
  let isInner = false;

  function goesWrong(name: FileCall): FaultKind | undefined {
    if (made.length === fault?.nth) return fault.kind;
    const isFull = fault?.kind === 'finds no room from then on' && made.length > fault.nth;
    return isFull && kinds[name].includes(fault.kind) ? fault.kind : undefined;
  }

  // What reaches the disk itself cannot be seen, and takes long.
  const { fsyncSync: _, ...seen } = real;
  const effects = { ...seen, fsyncSync: () => undefined };
  const watched = (name: FileCall) => {
    const call = effects[name] as (...args: readonly unknown[]) => unknown;
    return (...args: readonly unknown[]): unknown => {
      const path = open.get(args[0]) ?? String(args[0]);
      const isBelow = path === folder || path.startsWith(folder + sep);
      if (isInner || !isBelow) return call(...args);
      if (made.push(name) > mostCalls) throw new Error('the calls do not end');
      const kind = goesWrong(name);
      const refuse = (code: string): never => {
        throw Object.assign(new Error(`${code}: ${name}`), { code });
      };
      if (kind) hit ??= `${name} of ${path === folder ? 'the folder' : said(path)}`;
      if (name === without) refuse('EPERM');
      if (kind === 'fails before' && name === 'existsSync') return false;
      if (kind === 'fails before') refuse('EIO');
      if (kind === 'finds no room from then on') refuse('ENOSPC');
      isInner = true;
      try {
        const result = call(...args);
        if (name === 'openSync') open.set(result, path);
        if (name === 'closeSync') open.delete(args[0]);
        // Nobody will close what was opened and not told.
        if (kind && name === 'openSync') real.closeSync(result as number);
        return kind ? refuse('EIO') : result;
      } finally {
        isInner = false;
      }
    };
  };
  const names = Object.keys(kinds) as FileCall[];
  watchAll(Object.fromEntries(names.map((name) => [name, watched(name)])) as Parameters<typeof watchAll>[0]);
  return {
    made,
    get hit() {
      return hit;
    },
    get isEndless() {
      return made.length > mostCalls;
    },
  };
}
