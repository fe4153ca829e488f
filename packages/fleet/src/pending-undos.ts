/**
 * What is still to be undone because earlier calls failed. Each is about a subject, such as an operation. One that cannot be
 * undone blocks the calls about its own subject, and no others.
 */
export interface PendingUndos {
  /** Adds something to undo, and tries it in the background. */
  add(subject: string, undo: () => Promise<unknown>): void;
  /** Undoes what is left about a subject. Every call about it does so first, so that it never sees what was to be undone. */
  flush(subject: string): Promise<void>;
  /** Tries once to undo everything, and rejects if something is left. */
  flushAll(): Promise<void>;
  /** Does the same for a moment. A call about many subjects does so first, and does not wait for what cannot be undone. */
  flushForMoment(): Promise<void>;
}

/** How long to wait between two tries in the background, in milliseconds. */
const againMs = 1_000;
/** How long `flushForMoment` waits, in milliseconds. */
const momentMs = 1_000;
/** How much is undone at the same time. Each may take a connection for as long as its call may take. */
const lanes = 2;

/** Waits without keeping the process alive; `end` ends the wait. */
function startWait(ms: number): { readonly isOver: Promise<void>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    timer.unref();
  });
  return { isOver, end: () => clearTimeout(timer) };
}

interface Work {
  readonly undos: (() => Promise<unknown>)[];
  flushing?: Promise<void> | undefined;
}

export function createPendingUndos(): PendingUndos {
  /** By subject: what is left, in order, and the attempt in progress. */
  const left = new Map<string, Work>();
  let isWaiting = false;

  function flush(subject: string): Promise<void> {
    const work = left.get(subject);
    if (!work) return Promise.resolve();
    const { undos } = work;
    const undoAll = async (): Promise<void> => {
      for (let next = undos[0]; next; next = undos[0]) {
        await next();
        undos.shift();
      }
      left.delete(subject);
    };
    work.flushing ??= undoAll().finally(() => {
      work.flushing = undefined;
    });
    return work.flushing;
  }

  async function flushAll(): Promise<void> {
    const subjects = [...left.keys()];
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let next = subjects.shift(); next !== undefined; next = subjects.shift())
        await flush(next).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: lanes }, work));
    if (failures.length > 0) throw failures[0];
  }

  async function flushInBackground(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    while (left.size > 0) {
      await flushAll().catch(() => undefined);
      if (left.size > 0) await startWait(againMs).isOver;
    }
    isWaiting = false;
  }

  return {
    add(subject, undo) {
      const work = left.get(subject);
      if (work) work.undos.push(undo);
      else left.set(subject, { undos: [undo] });
      void flushInBackground();
    },
    flush,
    flushAll,
    async flushForMoment() {
      if (left.size === 0) return;
      const moment = startWait(momentMs);
      await Promise.race([flushAll().catch(() => undefined), moment.isOver]);
      moment.end();
    },
  };
}
