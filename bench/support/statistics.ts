/** The distribution of a figure over the rounds. */
export interface Spread {
  readonly least: number;
  /** A quarter of the rounds is below it. */
  readonly lower: number;
  readonly median: number;
  /** A quarter of the rounds is above it. */
  readonly upper: number;
  readonly most: number;
  readonly rounds: number;
}

/** Interpolates between two neighboring values by `share`. */
function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('There is no spread of nothing.');
  if (!values.every(Number.isFinite)) throw new Error(`There is no spread of ${values.join(', ')}.`);
  const sorted = values.slice().sort((a, b) => a - b);
  const at = (share: number): number => quantile(sorted, share);
  return {
    least: at(0),
    lower: at(0.25),
    median: at(0.5),
    upper: at(0.75),
    most: at(1),
    rounds: sorted.length,
  };
}

function pairs(a: readonly number[], b: readonly number[], of: (x: number, y: number) => number): number[] {
  if (a.length !== b.length) throw new Error(`${a.length} rounds cannot be compared with ${b.length}.`);
  return a.map((x, i) => of(x, b[i]!));
}

/** For each round, `a` minus `b`. */
export const differences = (a: readonly number[], b: readonly number[]): number[] =>
  pairs(a, b, (x, y) => x - y);

/** For each round, `a` divided by `b`. */
export const ratio = (a: readonly number[], b: readonly number[]): Spread =>
  spreadOf(pairs(a, b, (x, y) => x / y));

export const difference = (a: readonly number[], b: readonly number[]): Spread => spreadOf(differences(a, b));
