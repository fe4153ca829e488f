import { contractVersion } from '@orgchat/spec';
import { saveState } from '../saved-state/save.ts';
import type { Recorder, World } from '../world/world.ts';
import { createDamagedError, DataFile } from './data-file.ts';
import { encodePiece, type Json, StateAssembler, type StatePiece, splitState } from './state-pieces.ts';

/** Used when the whole state is rewritten. */
const piecesPerBatch = 500;

type Line = readonly [kind: string, organization: string, key: string, value: unknown];

/**
 * Writes the state of a world to a data file. The changes of all requests of one turn of the event loop are written
 * together before any of their answers is sent, so that no answer promises what a crash could lose.
 */
export class StateWriter {
  readonly #file: DataFile;
  #world: World | undefined;
  /** The last state of each piece that changed since the last batch. */
  #pending = new Map<string, StatePiece>();
  #batch: Promise<void> | undefined;
  /** Number of random values that were drawn at the last write. */
  #writtenDraws = -1;
  #isFailing = false;
  #closed = false;

  constructor(path: string) {
    this.#file = DataFile.open(path);
  }

  /** The file's content as a state document; undefined if the file is new. */
  load(): Json | undefined {
    const assembler = new StateAssembler();
    for (const changes of this.#file.batches()) {
      for (const [kind, organization, key, value] of this.#parse(changes)) {
        assembler.add({ kind, organization, key, value: value ?? undefined });
      }
    }
    if (assembler.empty) return undefined;
    const savedAt = new Date(0).toISOString();
    return assembler.document({ format: 'orgchat-state', version: 1, contract: contractVersion, savedAt });
  }

  #parse(changes: string): Line[] {
    try {
      return JSON.parse(changes) as Line[];
    } catch (error) {
      throw createDamagedError(this.#file.path, (error as Error).message, error);
    }
  }

  /**
   * Writes the whole state of a world, then its changes. Throws a `DataFileError` if that fails; the previous world is
   * then still tracked.
   */
  track(world: World): void {
    this.#file.rewrite(toBatches(world));
    if (this.#world !== undefined) this.#world.recorder = undefined;
    this.#world = world;
    this.#pending = new Map();
    this.#writtenDraws = world.random.drawn;
    world.recorder = this.#record;
  }

  readonly #record: Recorder = (kind, organization, key, value) => {
    if (kind === 'usage') {
      // The rate-limit window of this key changed too.
      this.#pending.set(`window ${key}`, { kind: 'window', organization: '', key, value: undefined });
      this.#pending.set(`usage ${organization}`, { kind, organization, key: '', value });
    } else this.#pending.set(JSON.stringify([kind, organization, key]), { kind, organization, key, value });
  };

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Records a failed write; returns true for the first failure since the last successful write. */
  recordFailure(): boolean {
    const isFirst = !this.#isFailing;
    this.#isFailing = true;
    return isFirst;
  }

  /**
   * Undefined if everything is written; otherwise resolves once the pending changes are written. Rejects if that fails:
   * memory is then ahead of the file, and no answer may be based on it. The next call tries the same write again.
   */
  whenWritten(): Promise<void> | undefined {
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
    const drawn = world?.random.drawn ?? this.#writtenDraws;
    if (world !== undefined && drawn !== this.#writtenDraws) {
      const value = { seed: world.random.seed, drawn };
      pieces.push({ kind: 'world', organization: '', key: 'chance', value });
    }
    const complete = pieces.map((piece) =>
      piece.kind === 'window' ? { ...piece, value: world?.limiter.getTimes(piece.key) } : piece,
    );
    this.#file.append(toLines(complete));
    this.#pending = new Map();
    this.#writtenDraws = drawn;
    this.#isFailing = false;
  }

  /** Writes pending changes and closes the file, even if writing fails with a `DataFileError`. Later requests are not answered. */
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

const toLines = (pieces: readonly StatePiece[]): string =>
  JSON.stringify(
    pieces.map((piece): Line => [piece.kind, piece.organization, piece.key, encodePiece(piece) ?? null]),
  );

function* toBatches(world: World): Generator<string> {
  let pieces: StatePiece[] = [];
  for (const piece of splitState(saveState(world) as Json)) {
    pieces.push(piece);
    if (pieces.length < piecesPerBatch) continue;
    yield JSON.stringify(
      pieces.map(({ kind, organization, key, value }) => [kind, organization, key, value]),
    );
    pieces = [];
  }
  yield JSON.stringify(pieces.map(({ kind, organization, key, value }) => [kind, organization, key, value]));
}
