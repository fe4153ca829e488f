/** How a clock differs from the machine's. */
export interface ClockSetting {
  readonly shiftMs: number;
  /** Where it stands still; null where it runs. */
  readonly frozenAt: number | null;
}

/** The time of a world in milliseconds since 1970: the machine's, shifted, or standing still. */
export class Clock {
  readonly #source: () => number;
  #shift = 0;
  #frozenAt: number | undefined;

  constructor(source: () => number) {
    this.#source = source;
  }

  now(): number {
    return this.#frozenAt ?? Math.floor(this.#source()) + this.#shift;
  }

  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
  }

  /** Moves the clock; a frozen one stands at the new moment. */
  set(now: number): void {
    if (this.#frozenAt === undefined) this.#shift = now - Math.floor(this.#source());
    else this.#frozenAt = now;
  }

  freeze(frozen: boolean): void {
    const now = this.now();
    this.#frozenAt = frozen ? now : undefined;
    if (!frozen) this.set(now);
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** A clock of its own that shows the same time. */
  fork(): Clock {
    const clock = new Clock(this.#source);
    clock.setting = this.setting;
    return clock;
  }

  /** How it differs from the machine's time. */
  get setting(): ClockSetting {
    return { shiftMs: this.#shift, frozenAt: this.#frozenAt ?? null };
  }

  set setting({ shiftMs, frozenAt }: ClockSetting) {
    this.#shift = shiftMs;
    this.#frozenAt = frozenAt ?? undefined;
  }
}

let last = { milliseconds: Number.NaN, text: '' };

/** Milliseconds as the contract writes a moment: RFC 3339, UTC. One request asks for the same moment often. */
export function momentOf(milliseconds: number): string {
  if (last.milliseconds !== milliseconds) {
    last = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return last.text;
}
