/** What a figure came to over the rounds. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** One turn of a contestant: it does its work and returns its figure, whatever the unit. */
export type Turn = () => number | Promise<number>;

/** For a look in between: `npm run bench -- --rounds 2 http`. */
const most = Number(process.env.ORGCHAT_BENCH_ROUNDS ?? Number.POSITIVE_INFINITY);

export interface RoundOptions {
  /** Rounds that count. Default 9. */
  readonly rounds?: number;
  /** Rounds before them that do not: compilers and caches settle. Default 1. */
  readonly warmUp?: number;
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('There is no spread of nothing.');
  const sorted = values.slice().sort((a, b) => a - b);
  const half = sorted.length >>> 1;
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return { min: sorted[0]!, median, max: sorted[sorted.length - 1]! };
}

/**
 * Lets the contestants take turns, A B C then C B A and so on, so that whatever else the machine does meets all
 * of them alike. Figures of the same index belong to the same round: compare those, never one run of each.
 */
export async function rounds<N extends string>(
  contestants: Readonly<Record<N, Turn>>,
  { rounds: count = 9, warmUp = 1 }: RoundOptions = {},
): Promise<Record<N, number[]>> {
  const names = Object.keys(contestants) as N[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -warmUp; round < Math.min(count, most); round++) {
    const order = round % 2 === 0 ? names : names.slice().reverse();
    for (const name of order) {
      const figure = await contestants[name]();
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

const pairs = (a: readonly number[], b: readonly number[], of: (x: number, y: number) => number): number[] =>
  a.map((x, i) => of(x, b[i] ?? Number.NaN));

/** Round by round, `a` divided by `b`. */
export const ratio = (a: readonly number[], b: readonly number[]): Spread =>
  spreadOf(pairs(a, b, (x, y) => x / y));

/** Round by round, `a` less `b`. */
export const difference = (a: readonly number[], b: readonly number[]): Spread =>
  spreadOf(pairs(a, b, (x, y) => x - y));

type Call = (index: number) => unknown | Promise<unknown>;

/** Microseconds a call, over so many calls one after another. */
export async function microseconds(calls: number, call: Call): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < calls; i++) await call(i);
  return ((performance.now() - begun) * 1000) / calls;
}

/**
 * The same in time of the processor, the collector's own threads included: where the work never waits, that is at
 * least the time it takes on a machine that does nothing else.
 */
export async function processorMicroseconds(calls: number, call: Call): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
