let known = { from: 0, to: 0, name: '' };

/** The calendar month of a moment, in UTC: `2026-04`. */
export function monthOf(now: number): string {
  if (now < known.from || now >= known.to) {
    const date = new Date(now);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const to = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    known = { from, to, name: date.toISOString().slice(0, 7) };
  }
  return known.name;
}

/** The first moment of the month after the one of `now`, in milliseconds. */
export function nextMonth(now: number): number {
  monthOf(now);
  return known.to;
}
