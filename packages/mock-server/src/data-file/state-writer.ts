import { addTimes } from '../world/request-limits.ts';
import type { Recorder, World } from '../world/world.ts';
import { DataFile } from './data-file.ts';
import type { FileContent } from './read-data-file.ts';
import { encodePiece, type Line, type StatePiece } from './state-pieces.ts';
import { splitWorld } from './world-pieces.ts';

/** Used when the whole state is rewritten. */
const piecesPerBatch = 200;

/** The file is rewritten if its log is larger than this, and this many times larger than its state. */
const minimumLogSize = 16 * 1024 * 1024;
const maximumLogRatio = 4;

/** What changed since the last batch. */
interface Changes {
  /** The last state of each piece. */
  readonly pieces: Map<string, StatePiece>;
  /** The times of the counted requests of each key. */
  readonly times: Map<string, number[]>;
}

const createChanges = (): Changes => ({ pieces: new Map(), times: new Map() });
const isEmpty = ({ pieces, times }: Changes): boolean => pieces.size === 0 && times.size === 0;

/**
 * Writes the state of a world to a data file. The changes of all requests of one turn of the event loop are written
 * together before any of their answers is sent, so that no answer promises what a crash could lose.
 */
export class StateWriter {
  readonly #file: DataFile;
  /** Whether the file has the state of the first world that is tracked. */
  #hasState: boolean;
  #world: World | undefined;
  #pending = createChanges();
  /** The batch that collects changes, and the one that is being written. */
  #next: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #unfinished: Changes | undefined;
  /** Number of random values that were drawn at the last write. */
  #writtenDraws = -1;
  #isFailing = false;
  #closed = false;
  /** Changes whenever a rewrite in the background must stop. */
  #epoch = 0;
  #isRewriting = false;
  /** A log that could not be rewritten is left alone until it has this size. */
  #rewriteFrom = minimumLogSize;

  /** Opens a data file whose content was read before, or a new one. */
  constructor(path: string, content: FileContent | undefined) {
    this.#file = DataFile.open(path, content);
    this.#hasState = content !== undefined;
  }

  /**
   * Writes the whole state of a world, unless the file has it already, then its changes. Throws a `DataFileError` if that
   * fails; the previous world is then still tracked.
   */
  track(world: World): void {
    if (!this.#hasState) this.#file.replace(toBatches(world));
    this.#hasState = false;
    this.#epoch++;
    if (this.#world !== undefined) this.#world.recorder = undefined;
    this.#world = world;
    this.#pending = createChanges();
    this.#unfinished = undefined;
    this.#writtenDraws = world.random.drawn;
    world.recorder = this.#record;
  }

  readonly #record: Recorder = (kind, organization, key, value) => {
    const { pieces, times } = this.#pending;
    if (kind !== 'usage') {
      pieces.set(JSON.stringify([kind, organization, key]), { kind, organization, key, value });
      return;
    }
    pieces.set(`usage ${organization}`, { kind, organization, key: '', value });
    // The request also counts in the window of this key. Only its time is written, however long the window is.
    const time = this.#world?.limiter.getLastTime(key);
    if (time !== undefined) addTimes(times, key, [time]);
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
    if (isEmpty(this.#pending)) return this.#next ?? this.#writing;
    this.#next ??= this.#writeNext(this.#writing);
    return this.#next;
  }

  async #writeNext(before: Promise<void> | undefined): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await before?.catch(() => undefined);
    this.#next = undefined;
    if (this.#closed) throw new Error(`${this.#file.path} was closed.`);
    this.#writing = this.#write();
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #write(): Promise<void> {
    const changes = this.#pending;
    const world = this.#world;
    const epoch = this.#epoch;
    const text = this.#encode(changes);
    this.#pending = createChanges();
    this.#unfinished = changes;
    // Made now: the state with this batch, and without any later one.
    const state = this.#mustRewrite() ? world?.fork() : undefined;
    const drawn = world?.random.drawn ?? this.#writtenDraws;
    try {
      await this.#file.append(text);
      if (this.#closed) throw new Error(`${this.#file.path} was closed.`);
      if (epoch === this.#epoch) this.#writtenDraws = drawn;
      this.#isFailing = false;
    } catch (error) {
      if (epoch === this.#epoch && !this.#closed) this.#pending = merge(changes, this.#pending);
      throw error;
    } finally {
      if (this.#unfinished === changes) this.#unfinished = undefined;
    }
    if (state !== undefined && epoch === this.#epoch) void this.#rewrite(state);
  }

  #encode({ pieces, times }: Changes): string {
    const lines = [...pieces.values()].map(toLine);
    for (const [key, added] of times) lines.push(['times', '', key, added]);
    const random = this.#world?.random;
    if (random !== undefined && random.drawn !== this.#writtenDraws)
      lines.push(['world', '', 'chance', { seed: random.seed, drawn: random.drawn }]);
    return JSON.stringify(lines);
  }

  #mustRewrite(): boolean {
    const { baseSize, logSize } = this.#file;
    return !this.#isRewriting && logSize > Math.max(this.#rewriteFrom, maximumLogRatio * baseSize);
  }

  /** Rewrites the file in the background. What fails is tried again after as many changes. */
  async #rewrite(state: World): Promise<void> {
    const epoch = this.#epoch;
    this.#isRewriting = true;
    try {
      await this.#file.rewrite(toBatches(state), () => this.#closed || this.#epoch !== epoch);
      this.#rewriteFrom = minimumLogSize;
    } catch {
      this.#rewriteFrom = this.#file.logSize + minimumLogSize;
    } finally {
      this.#isRewriting = false;
    }
  }

  /** Writes pending changes and closes the file, even if writing fails with a `DataFileError`. Later requests are not answered. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (!isEmpty(this.#pending)) this.#file.appendNow(this.#encode(this.#pending));
    } finally {
      this.#file.close();
    }
  }
}

/** Changes that could not be written, and those since. */
function merge(first: Changes, second: Changes): Changes {
  const times = new Map<string, number[]>();
  for (const [key, before] of first.times) times.set(key, [...before]);
  for (const [key, later] of second.times) addTimes(times, key, later);
  return { pieces: new Map([...first.pieces, ...second.pieces]), times };
}

const toLine = (piece: StatePiece): Line => [
  piece.kind,
  piece.organization,
  piece.key,
  encodePiece(piece) ?? null,
];

function* toBatches(world: World): Generator<string> {
  let lines: Line[] = [];
  for (const piece of splitWorld(world)) {
    lines.push(toLine(piece));
    if (lines.length < piecesPerBatch) continue;
    yield JSON.stringify(lines);
    lines = [];
  }
  yield JSON.stringify(lines);
}
