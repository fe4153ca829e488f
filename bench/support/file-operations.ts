import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Operation = (...args: unknown[]) => unknown;
type Table = Record<string, Operation>;

interface Recorded {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
}

/** The calls a journal could make. Calls that these make internally are not distinguished. */
const watched = Object.keys(fs).filter((name) => name.endsWith('Sync'));

/** The file operations of a function, recorded from `node:fs`, and how many of them came before `sent`. */
async function record(run: (sent: () => void) => Promise<unknown>): Promise<[Recorded[], number]> {
  const table = fs as unknown as Table;
  const own = new Map(watched.map((name) => [name, table[name]!]));
  const recorded: Recorded[] = [];
  let depth = 0;
  let before = 0;
  for (const [name, operation] of own) {
    table[name] = (...args) => {
      depth++;
      try {
        const result = operation(...args);
        if (depth === 1) recorded.push({ name, args, result });
        return result;
      } catch (error) {
        // If it were ignored, the repetition would do less work than the original.
        throw new Error(`${name} failed: it cannot be done again`, { cause: error });
      } finally {
        depth--;
      }
    };
  }
  syncBuiltinESMExports();
  try {
    await run(() => {
      before = recorded.length;
    });
  } finally {
    for (const [name, operation] of own) table[name] = operation;
    syncBuiltinESMExports();
  }
  return [recorded, before];
}

/** File operations that can be repeated, each time for another operation. */
export interface FileOperations {
  readonly names: readonly string[];
  /** The operations before the request and those after its answer. Both get the operation id. */
  readonly before: (operationId: string) => void;
  readonly after: (operationId: string) => void;
}

/**
 * Repeats the file operations of a change without the SDK: the same calls with the same amount of text, under another
 * operationId in the same folder. In another folder the cost could differ by several times, because some file systems
 * place a new file near the others of its folder.
 */
export async function sameFileOperations(
  change: (operationId: string, sent: () => void) => Promise<unknown>,
): Promise<FileOperations> {
  const first = crypto.randomUUID();
  const [recorded, split] = await record((sent) => change(first, sent));
  if (recorded.length === 0) throw new Error('The journal did nothing with files.');
  const table = fs as unknown as Table;
  const steps = recorded.map(({ name, args, result }) => {
    const pieces = args.map((arg) => (typeof arg === 'string' ? arg.split(first) : arg));
    return { operation: table[name]!, pieces, result };
  });
  const again = (some: typeof steps) => (operationId: string) => {
    const opened = new Map<unknown, unknown>();
    for (const { operation, pieces, result } of some) {
      const filled = pieces.map((piece) =>
        Array.isArray(piece) ? piece.join(operationId) : opened.has(piece) ? opened.get(piece) : piece,
      );
      const now = operation(...filled);
      if (typeof result === 'number') opened.set(result, now);
    }
  };
  const names = recorded.map(({ name }) => name);
  return { names, before: again(steps.slice(0, split)), after: again(steps.slice(split)) };
}
