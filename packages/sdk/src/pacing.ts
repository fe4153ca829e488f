import { after, delay, type Patience, type Stop } from './deadline.ts';

/** A little more than the minute the server counts, for the way between here and there. */
const windowMs = 60_250;

interface Waiting {
  readonly perMinute: number;
  readonly go: () => void;
}

/**
 * Lets at most so many requests pass in any minute, first come first served. It remembers when requests passed;
 * one timer, for the head of the queue, serves all that wait.
 */
export class Pacer {
  readonly #passed: number[] = [];
  readonly #queue = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Passes at once (undefined), or resolves when the turn has come or the call has ended before. */
  take(perMinute: number, patience: Patience): undefined | Promise<Stop | undefined> {
    const now = performance.now();
    const due = this.#due(perMinute, now);
    if (due <= now) {
      this.#passed.push(now);
      return undefined;
    }
    if (due > patience.endsAt) {
      return Promise.resolve({ code: 'DEADLINE_EXCEEDED', retryAt: after(due - now) });
    }
    return new Promise((resolve) => {
      const { signal } = patience;
      const finish = (): void => {
        signal?.removeEventListener('abort', finish);
        if (this.#queue.delete(waiting)) this.#arrange();
        resolve(patience.stopped());
      };
      const waiting: Waiting = { perMinute, go: finish };
      signal?.addEventListener('abort', finish, { once: true });
      this.#queue.add(waiting);
      if (this.#queue.size === 1) this.#arrange();
    });
  }

  /** When one more request that joins the queue now could pass. */
  #due(perMinute: number, now: number): number {
    while ((this.#passed[0] ?? now) <= now - windowMs) this.#passed.shift();
    const waiting = this.#queue.size;
    const rounds = Math.floor(waiting / perMinute);
    // The request that must be out of the window first, or its successor in the same seat some rounds later.
    const seat = this.#passed[this.#passed.length + waiting - perMinute * (rounds + 1)];
    if (seat === undefined) return now + rounds * windowMs;
    return Math.max(now, seat + (rounds + 1) * windowMs);
  }

  /** Sets the timer for the head of the queue, or lets it pass. */
  readonly #arrange = (): void => {
    clearTimeout(this.#timer);
    for (const head of this.#queue) {
      const now = performance.now();
      const seat = this.#passed[this.#passed.length - head.perMinute];
      const due = seat === undefined ? now : seat + windowMs;
      if (due > now) {
        this.#timer = setTimeout(this.#arrange, delay(due - now));
        return;
      }
      this.#passed.push(now);
      this.#queue.delete(head);
      head.go();
    }
  };
}

const pacers = new Map<string, Pacer>();

/** The pacer all clients of this process with this base URL and key share. */
export function pacerFor(name: string): Pacer {
  const pacer = pacers.get(name) ?? new Pacer();
  pacers.set(name, pacer);
  return pacer;
}
