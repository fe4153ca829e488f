import { contractVersion } from '@orgchat/spec';
import { saveState } from '../state/save.ts';
import type { Recorder, World } from '../world.ts';
import { damaged, LogFile } from './file.ts';
import { Assembly, encode, type Json, type Piece, piecesOf } from './pieces.ts';

/** Pieces in one batch when everything is written anew. */
const chunk = 500;

type Line = readonly [kind: string, organization: string, key: string, value: unknown];

/**
 * Keeps a world in a file. What requests of one turn changed is written together, before any of their answers
 * leaves; an answer that showed something unwritten would be a promise that a crash could break.
 */
export class Keeper {
  readonly #file: LogFile;
  #world: World | undefined;
  /** What changed since the last batch, the last state of each piece. */
  #pending = new Map<string, Piece>();
  #batch: Promise<void> | undefined;
  #drawn = -1;
  #isFailing = false;
  #closed = false;

  constructor(path: string) {
    this.#file = LogFile.open(path);
  }

  /** What the file holds as a state document; undefined where it is new. */
  load(): Json | undefined {
    const assembly = new Assembly();
    for (const changes of this.#file.batches()) {
      for (const [kind, organization, key, value] of this.#parse(changes)) {
        assembly.add({ kind, organization, key, value: value ?? undefined });
      }
    }
    if (assembly.empty) return undefined;
    const savedAt = new Date(0).toISOString();
    return assembly.document({ format: 'orgchat-state', version: 1, contract: contractVersion, savedAt });
  }

  #parse(changes: string): Line[] {
    try {
      return JSON.parse(changes) as Line[];
    } catch (error) {
      throw damaged(this.#file.path, (error as Error).message, error);
    }
  }

  /**
   * From here on keeps this world, beginning with all there is in it. Throws a `DataFileError` if that cannot be
   * written; the world before is then kept as it was.
   */
  keep(world: World): void {
    this.#file.rewrite(batchesOf(world));
    if (this.#world !== undefined) this.#world.recorder = undefined;
    this.#world = world;
    this.#pending = new Map();
    this.#drawn = world.chance.drawn;
    world.recorder = this.#record;
  }

  readonly #record: Recorder = (kind, organization, key, value) => {
    if (kind === 'usage') {
      // The key is the one that was used: its window moved along.
      this.#pending.set(`window ${key}`, { kind: 'window', organization: '', key, value: undefined });
      this.#pending.set(`usage ${organization}`, { kind, organization, key: '', value });
    } else this.#pending.set(JSON.stringify([kind, organization, key]), { kind, organization, key, value });
  };

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Notes a failure to write; true if it is the first since something was written. */
  noteFailure(): boolean {
    const isFirst = !this.#isFailing;
    this.#isFailing = true;
    return isFirst;
  }

  /**
   * Undefined if all is written; otherwise resolves once what is pending now is. Rejects if that fails: memory is then
   * ahead of the file, and nothing may be answered from it. The next call tries to write the same again.
   */
  written(): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(new Error(`${this.#file.path} was closed.`));
    if (this.#pending.size === 0) return this.#batch;
    this.#batch ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#batch = undefined;
        try {
          this.#write();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#batch;
  }

  #write(): void {
    const pieces = [...this.#pending.values()];
    const world = this.#world;
    const drawn = world?.chance.drawn ?? this.#drawn;
    if (world !== undefined && drawn !== this.#drawn) {
      const value = { seed: world.chance.seed, drawn };
      pieces.push({ kind: 'world', organization: '', key: 'chance', value });
    }
    const known = pieces.map((piece) =>
      piece.kind === 'window' ? { ...piece, value: world?.limiter.timesOf(piece.key) } : piece,
    );
    this.#file.append(linesOf(known));
    this.#pending = new Map();
    this.#drawn = drawn;
    this.#isFailing = false;
  }

  /** Writes what is left and gives the file up, also if that fails with a `DataFileError`. What is asked of the world afterwards is not answered. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (this.#pending.size > 0) this.#write();
    } finally {
      this.#file.close();
    }
  }
}

const linesOf = (pieces: readonly Piece[]): string =>
  JSON.stringify(
    pieces.map((piece): Line => [piece.kind, piece.organization, piece.key, encode(piece) ?? null]),
  );

function* batchesOf(world: World): Generator<string> {
  let pieces: Piece[] = [];
  for (const piece of piecesOf(saveState(world) as Json)) {
    pieces.push(piece);
    if (pieces.length < chunk) continue;
    yield JSON.stringify(
      pieces.map(({ kind, organization, key, value }) => [kind, organization, key, value]),
    );
    pieces = [];
  }
  yield JSON.stringify(pieces.map(({ kind, organization, key, value }) => [kind, organization, key, value]));
}
