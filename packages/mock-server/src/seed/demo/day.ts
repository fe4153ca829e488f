/** A time of the demo: the n-th day from 1 March 2025. */
export const day = (n: number, time = '09:00'): string =>
  `2025-${n > 31 ? '04' : '03'}-${two(((n - 1) % 31) + 1)}T${time}:00.000Z`;
const two = (n: number): string => String(n).padStart(2, '0');
