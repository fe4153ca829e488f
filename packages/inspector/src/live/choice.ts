import { signal } from '@preact/signals';

/** A value that a person changes faster than the mock confirms it. */
export interface Choice<T> {
  /** What to show, and to base the next choice on: what was chosen, until the mock has it. */
  readonly show: (stored: T) => T;
  readonly choose: (value: T) => void;
  /** Says what the mock has, after each time that it was read. */
  readonly confirm: (stored: T) => void;
}

/** Reports after the last write of which the first may be older than the write. */
const staleReports = 1;

/**
 * Creates a choice. `send` writes a value and returns whether the mock accepted it. Writes do not overtake each other: of
 * the values that are chosen while one is written, only the last is written next.
 */
export function createChoice<T>(send: (value: T) => Promise<boolean>): Choice<T> {
  const chosen = signal<{ readonly value: T } | undefined>(undefined);
  let waiting: { readonly value: T } | undefined;
  let isSending = false;
  let reports = 0;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    while (waiting !== undefined) {
      const { value } = waiting;
      waiting = undefined;
      const isAccepted = await send(value);
      if (!isAccepted && waiting === undefined) chosen.value = undefined;
    }
    isSending = false;
    reports = 0;
  }

  return {
    show: (stored) => (chosen.value === undefined ? stored : chosen.value.value),
    choose: (value) => {
      chosen.value = { value };
      waiting = { value };
      if (!isSending) void sendWaiting();
    },
    confirm: (stored) => {
      if (isSending || chosen.value === undefined) return;
      const isSame = JSON.stringify(stored) === JSON.stringify(chosen.value.value);
      if (isSame || reports >= staleReports) chosen.value = undefined;
      reports++;
    },
  };
}
