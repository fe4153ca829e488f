import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Operation = (...args: unknown[]) => unknown;
type Table = Record<string, Operation>;

interface Recorded {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
}

/** The calls a journal could make; those that others of these make inside themselves are not told apart. */
const watched = Object.keys(fs).filter((name) => name.endsWith('Sync'));

/** Runs something and returns what it did with files, by watching `node:fs` meanwhile. */
async function record(run: () => Promise<unknown>): Promise<Recorded[]> {
  const table = fs as unknown as Table;
  const own = new Map(watched.map((name) => [name, table[name]!]));
  const recorded: Recorded[] = [];
  let depth = 0;
  for (const [name, operation] of own) {
    table[name] = (...args) => {
      depth++;
      try {
        const result = operation(...args);
        if (depth === 1) recorded.push({ name, args, result });
        return result;
      } finally {
        depth--;
      }
    };
  }
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    for (const [name, operation] of own) table[name] = operation;
    syncBuiltinESMExports();
  }
  return recorded;
}

/**
 * The file operations of a change, to be done again without anything around them: the same calls with the same
 * amount of text, under another operationId in another folder.
 */
export async function sameFileOperations(
  change: (operationId: string) => Promise<unknown>,
  folders: { readonly from: string; readonly to: string },
): Promise<{ readonly names: readonly string[]; readonly again: () => void }> {
  const first = crypto.randomUUID();
  const recorded = await record(() => change(first));
  if (recorded.length === 0) throw new Error('The journal did nothing with files.');
  const table = fs as unknown as Table;
  const steps = recorded.map(({ name, args, result }) => {
    const pieces = args.map((arg) =>
      typeof arg === 'string' ? arg.replaceAll(folders.from, folders.to).split(first) : arg,
    );
    return { operation: table[name]!, pieces, result };
  });
  const again = (): void => {
    const id = crypto.randomUUID();
    const opened = new Map<unknown, unknown>();
    for (const { operation, pieces, result } of steps) {
      const filled = pieces.map((piece) =>
        Array.isArray(piece) ? piece.join(id) : opened.has(piece) ? opened.get(piece) : piece,
      );
      const now = operation(...filled);
      if (typeof result === 'number') opened.set(result, now);
    }
  };
  return { names: recorded.map(({ name }) => name), again };
}
