import { firstMoment, lastMoment } from '@orgchat/spec/resources/moment';

/** How a clock differs from the machine's clock. */
export interface ClockSetting {
  readonly shiftMs: number;
  /** The time at which the clock is frozen; null if it runs. */
  readonly frozenAt: number | null;
}

/** The time of a mock's clock. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly iso: string;
  readonly frozen: boolean;
}

/** How a clock moves. Without a field, that part of it stays as it is. */
export interface ClockStep {
  /** Milliseconds since 1970. */
  readonly now?: number | undefined;
  readonly advanceMs?: number | undefined;
  readonly frozen?: boolean | undefined;
}

/** The nearest moment that RFC 3339 can express. */
const within = (milliseconds: number): number => Math.min(Math.max(milliseconds, firstMoment), lastMoment);

/** The time of a world in milliseconds since 1970: the machine's time, shifted or frozen. Ends with the year 9999. */
export class Clock {
  readonly #source: () => number;
  readonly #isMachine: boolean;
  #shift = 0;
  #frozenAt: number | undefined;

  /** `isMachine` says whether the source is the time of the machine. A test may replace `Date` later. */
  constructor(source: () => number, isMachine = source === Date.now) {
    this.#source = source;
    this.#isMachine = isMachine;
  }

  now(): number {
    return within(this.#frozenAt ?? Math.floor(this.#source()) + this.#shift);
  }

  /**
   * Moves the clock to `now`, or leaves it at its time, advances it from there, then freezes or unfreezes it; a frozen
   * clock stays frozen unless told. All of it happens at one moment, so a clock that is frozen at a time has exactly that time.
   */
  move({ now, advanceMs = 0, frozen = this.frozen }: ClockStep): void {
    const machine = Math.floor(this.#source());
    const to = (now ?? within(this.#frozenAt ?? machine + this.#shift)) + advanceMs;
    this.#frozenAt = frozen ? to : undefined;
    if (!frozen) this.#shift = to - machine;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Whether the time may differ from that of the machine. */
  get isMoved(): boolean {
    return this.#shift !== 0 || this.#frozenAt !== undefined || !this.#isMachine;
  }

  /** An independent clock with the same time. */
  fork(): Clock {
    const clock = new Clock(this.#source, this.#isMachine);
    clock.setting = this.setting;
    return clock;
  }

  /** How the clock differs from the machine's time. */
  get setting(): ClockSetting {
    return { shiftMs: this.#shift, frozenAt: this.#frozenAt ?? null };
  }

  set setting({ shiftMs, frozenAt }: ClockSetting) {
    this.#shift = shiftMs;
    this.#frozenAt = frozenAt ?? undefined;
  }
}

let last = { milliseconds: Number.NaN, text: '' };

/**
 * Formats milliseconds as the contract does: RFC 3339, UTC; at most the end of the year 9999, as of a month that ends after
 * it. Caches the last value, which a request uses often.
 */
export function toIsoString(milliseconds: number): string {
  if (last.milliseconds !== milliseconds) {
    last = { milliseconds, text: new Date(within(milliseconds)).toISOString() };
  }
  return last.text;
}

let month = { from: 0, to: 0, name: '' };

/** The calendar month of a moment, in UTC: `2026-04`. */
export function getMonth(now: number): string {
  if (now < month.from || now >= month.to) {
    const date = new Date(now);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const to = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    month = { from, to, name: date.toISOString().slice(0, 7) };
  }
  return month.name;
}

/** The first moment of the month after the month of `now`, in milliseconds. */
export function getNextMonthStart(now: number): number {
  getMonth(now);
  return month.to;
}

/** The first moment after `now` that is a number of calendar months after `from`. A day that a month lacks is its last. */
export function advanceByMonths(from: number, now: number): number {
  const start = new Date(from);
  const end = new Date(now);
  const years = end.getUTCFullYear() - start.getUTCFullYear();
  let months = Math.max(0, years * 12 + end.getUTCMonth() - start.getUTCMonth() - 1);
  let moment = from;
  while (moment <= now) {
    const month = start.getUTCMonth() + months;
    const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const at = new Date(from);
    at.setUTCDate(1);
    at.setUTCFullYear(start.getUTCFullYear(), month, Math.min(start.getUTCDate(), lastDay));
    moment = at.getTime();
    months++;
  }
  return moment;
}
