import type { EventLog } from './event-log.ts';
import type { EventStream, MockEvent } from './event-types.ts';

/**
 * Reads the events of a log in their order. It has a position and no queue: a slow reader needs no memory, and a reader
 * that the log has overtaken gets a gap.
 */
export class EventSubscription implements EventStream {
  readonly #log: EventLog;
  readonly #onClose: () => void;
  readonly #closing = new AbortController();
  /** The number of the last event that was read, or that was before the first. */
  #position: number;
  /** Whether the last event that the reader got is not one of this log. */
  #isForeign = false;

  /** Begins after the event with an id, or now. */
  constructor(log: EventLog, lastEventId: string | undefined, onClose: () => void) {
    this.#log = log;
    this.#onClose = onClose;
    const position = lastEventId === undefined ? log.count : log.toNumber(lastEventId);
    this.#isForeign = position === undefined;
    this.#position = position ?? log.dropped;
  }

  /** The id to continue after. */
  get lastEventId(): string {
    return this.#log.toId(this.#position);
  }

  /** The next event; undefined if there is none yet. */
  next(): MockEvent | undefined {
    const { dropped, count } = this.#log;
    const lost = dropped - this.#position;
    if (this.isClosed) return undefined;
    if (this.#isForeign || lost > 0) {
      const isForeign = this.#isForeign;
      this.#isForeign = false;
      this.#position = dropped;
      return { id: this.lastEventId, name: 'gap', data: { lost: isForeign ? null : lost } };
    }
    return this.#position < count ? this.#log.get(++this.#position) : undefined;
  }

  /** Whether `next` returns nothing more. */
  get isEnded(): boolean {
    return this.isClosed || (this.#log.isClosed && this.#position === this.#log.count);
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Resolves when there may be another event, or none will follow. */
  wait(): Promise<void> {
    return this.#log.wait(this.#closing.signal);
  }

  close(): void {
    if (this.isClosed) return;
    this.#closing.abort();
    this.#onClose();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<MockEvent, void, void> {
    try {
      while (!this.isEnded) {
        const event = this.next();
        if (event === undefined) await this.wait();
        else yield event;
      }
    } finally {
      this.close();
    }
  }
}
