import { existsSync } from 'node:fs';
import { type Database, loadDriver, toDataFileError } from './database.ts';
import { createFile, openPaths, removeFiles } from './file-paths.ts';
import {
  applicationId,
  encodeRow,
  formatVersion,
  type Head,
  inUseFlag,
  schema,
  toFirstBaseId,
} from './format.ts';
import type { FileContent } from './read-data-file.ts';
import {
  maxIdleWalBytes,
  readOnce,
  removeLeftovers,
  requireUnchanged,
  stepTable,
  toInsert,
  toReplace,
  toShrinkSteps,
  toSteps,
} from './statements.ts';

/** How long `close` waits for a statement in the background to begin. */
const maxStepWaitMs = 10_000;

/**
 * A state and a log of changes in one SQLite file. Once `append` resolves, the changes survive a crash of the process at any
 * moment. The file is locked while it is open.
 */
export class DataFile {
  readonly path: string;
  readonly #database: Database;
  readonly #execInBackground: (sql: string) => Promise<unknown>;
  /** The number of the last statement that was sent to the background. */
  #lastStep = 0;
  #head: Head;
  /** The id of the last batch that was appended, or is being appended. */
  #last: number;
  #lastGeneration: number;
  /** Rows of rewrites that failed. */
  #leftovers: { readonly generation: number; readonly rows: number }[] = [];
  /** The size of the state, and of the log, in characters. */
  baseSize: number;
  logSize: number;
  /** The batch that is being appended. */
  #unfinished: { readonly id: number; readonly text: string } | undefined;

  private constructor(path: string, database: Database, content: FileContent) {
    const { execInBackground } = loadDriver();
    this.path = path;
    this.#database = database;
    this.#execInBackground = (sql) => execInBackground(database, sql);
    database.exec(stepTable);
    this.#head = content.head;
    this.#last = content.last;
    this.baseSize = content.baseBytes;
    this.logSize = content.logBytes;
    this.#lastGeneration = content.head.generation;
  }

  /** Opens or creates a file, whose content was read before. Throws a `DataFileError` if it is in use. */
  static open(path: string, content: FileContent | undefined): DataFile {
    const { Database } = loadDriver();
    const isCreated = !existsSync(path);
    let database: Database | undefined;
    try {
      if (content === undefined) createFile(path);
      database = new Database(path);
      const head = content?.head ?? { generation: 0, rows: 0, first: 1 };
      if (content === undefined) {
        // Written before WAL mode is enabled, so that the header has the application id from the start.
        database.pragma('auto_vacuum = INCREMENTAL');
        database.exec(
          `BEGIN EXCLUSIVE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}; ${schema}; ${toInsert('head', 1, JSON.stringify(head))}; COMMIT`,
        );
      }
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
      database.pragma(`journal_size_limit = ${maxIdleWalBytes}`);
      // Only a lock taken after the first read can be released again; the first write takes it.
      readOnce(database);
      database.pragma('locking_mode = EXCLUSIVE');
      database.exec('BEGIN IMMEDIATE; COMMIT');
      if (content !== undefined) requireUnchanged(path, database, content);
      // From now on the file itself says that its -wal file is needed.
      const { last: _, ...open } = head;
      database.exec(`BEGIN; PRAGMA user_version = ${formatVersion | inUseFlag}; ${toReplace(open)}; COMMIT`);
      removeLeftovers(database, open);
      database.pragma('wal_checkpoint(FULL)');
      const file = new DataFile(path, database, {
        baseBytes: 0,
        logBytes: 0,
        last: 0,
        ...content,
        head: open,
      });
      openPaths.add(path);
      return file;
    } catch (error) {
      database?.close();
      // Remove what this call created; a file that existed before is not modified.
      if (isCreated) removeFiles(path);
      throw toDataFileError(path, error);
    }
  }

  /**
   * Appends a batch, which survives a crash once this resolves. Rejects with a `DataFileError` and stores nothing if that
   * fails. One call at a time.
   */
  async append(text: string): Promise<void> {
    const id = this.#last + 1;
    this.#last = id;
    this.#unfinished = { id, text };
    try {
      await this.#exec(toInsert('log', id, text));
      this.logSize += text.length;
    } catch (error) {
      // The next batch takes its id, unless the state was written anew in the meantime.
      if (this.#last === id) this.#last--;
      throw toDataFileError(this.path, error);
    } finally {
      this.#unfinished = undefined;
    }
  }

  /** Replaces everything, entirely or not at all. Throws a `DataFileError`. */
  replace(batches: Iterable<string>): void {
    const generation = ++this.#lastGeneration;
    const first = toFirstBaseId(generation);
    const insert = this.#database.prepare('INSERT INTO base (id, changes) VALUES (?, ?)');
    let [rows, size] = [0, 0];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const text of batches) {
        insert.run(first + rows, encodeRow('base', first + rows, text));
        rows++;
        size += text.length;
      }
      const head: Head = { generation, rows, first: this.#last + 1 };
      this.#database.exec(
        `${toReplace(head)}; DELETE FROM log; DELETE FROM base WHERE id < ${first}; COMMIT`,
      );
      [this.#head, this.baseSize, this.logSize] = [head, size, 0];
    } catch (error) {
      this.#rollBack();
      throw toDataFileError(this.path, error);
    }
  }

  /**
   * Replaces everything up to the last batch by a state, in small steps: appends may happen in between. Returns false if
   * `isStopped` did, in which case nothing is replaced. Rejects with a `DataFileError`.
   */
  async rewrite(batches: Iterable<string>, isStopped: () => boolean): Promise<boolean> {
    const generation = ++this.#lastGeneration;
    const base = toFirstBaseId(generation);
    const first = this.#last + 1;
    const sizeBefore = this.logSize;
    let [rows, size] = [0, 0];
    try {
      for (const text of batches) {
        await this.#exec(toInsert('base', base + rows, text));
        if (isStopped()) return false;
        rows++;
        size += text.length;
      }
      const head: Head = { generation, rows, first };
      await this.#exec(toReplace(head));
      if (isStopped()) return false;
      const before = this.#head;
      [this.#head, this.baseSize, this.logSize] = [head, size, this.logSize - sizeBefore];
      const rest = [...this.#leftovers, { generation: before.generation, rows: before.rows }];
      this.#leftovers = [];
      for (const step of [
        ...toSteps('log', before.first, first - before.first),
        ...rest.flatMap(({ generation: old, rows: count }) => toSteps('base', toFirstBaseId(old), count)),
        ...toShrinkSteps(sizeBefore),
      ]) {
        if (isStopped()) break;
        await this.#exec(step);
      }
      return true;
    } catch (error) {
      if (this.#head.generation !== generation) this.#leftovers.push({ generation, rows: rows + 1 });
      throw toDataFileError(this.path, error);
    }
  }

  /** Appends a batch at once. Throws a `DataFileError` and stores nothing if that fails. */
  appendNow(text: string): void {
    try {
      const id = this.#last + 1;
      this.#database.exec(toInsert('log', id, text));
      this.#last = id;
    } catch (error) {
      throw toDataFileError(this.path, error);
    }
  }

  /** Runs a statement in the background, after it noted there that it began. */
  #exec(sql: string): Promise<unknown> {
    this.#lastStep++;
    return this.#execInBackground(`UPDATE step SET number = ${this.#lastStep}; ${sql}`);
  }

  /** Waits for the statement in the background: run after `close`, it would lock the file again. */
  #waitForStep(): void {
    const deadline = Date.now() + maxStepWaitMs;
    const select = this.#database.prepare('SELECT number FROM step');
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    // A statement that began holds the connection until it ends, so that this reads its number only afterwards.
    const isRun = (): boolean => (select.all() as { number: number }[])[0]?.number === this.#lastStep;
    while (!isRun() && Date.now() < deadline) Atomics.wait(sleeper, 0, 0, 1);
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // A full disk ends the transaction by itself.
    }
  }

  close(): void {
    openPaths.delete(this.path);
    try {
      this.#waitForStep();
      if (this.#unfinished !== undefined) {
        const { id, text } = this.#unfinished;
        this.#database.exec(toInsert('log', id, text, 'OR REPLACE'));
      }
      const head: Head = { ...this.#head, last: this.#last };
      this.#database.exec(`BEGIN; ${toReplace(head)}; PRAGMA user_version = ${formatVersion}; COMMIT`);
      // The driver keeps a closed file open until its statements are collected; the lock must not wait for that.
      this.#database.pragma('locking_mode = NORMAL');
      readOnce(this.#database);
      this.#database.pragma('journal_mode = DELETE');
    } catch {
      // Without free space, the WAL file remains, and the next process that opens the database reads both.
    } finally {
      this.#database.close();
    }
  }
}
