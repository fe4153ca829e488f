/** One turn of a contestant: does its work and returns its figure, in any unit. */
export type Turn = () => number | Promise<number>;
/** One turn that gives several figures, by name. */
type Turns<F extends string> = () => Promise<Readonly<Record<F, number>>>;

/** The option `--rounds`, for a quick look: `npm run bench -- --rounds 2 http`. */
const most = Number(process.env.ORGCHAT_BENCH_ROUNDS ?? Number.POSITIVE_INFINITY);

export interface RoundOptions {
  /** Number of rounds that count. Default 9. */
  readonly rounds?: number;
  /** Warm-up rounds, which do not count. Default 1. */
  readonly warmUp?: number;
}

/**
 * Runs the contestants in turns, forward and back in every round: A B C C B A. A figure of a round is the mean of both
 * turns. So if the machine or a growing store gets steadily slower or faster, all contestants are affected equally.
 * Figures with the same index belong to the same round: compare those, never one run of each.
 */
export async function roundsOfSeveral<N extends string, F extends string>(
  contestants: Readonly<Record<N, Turns<F>>>,
  { rounds: count = 9, warmUp = 1 }: RoundOptions = {},
): Promise<Record<N, Record<F, number[]>>> {
  const names = Object.keys(contestants) as N[];
  const figures = Object.fromEntries(names.map((name) => [name, {}])) as Record<N, Record<F, number[]>>;
  for (let round = -warmUp; round < Math.min(count, most); round++) {
    const there = new Map<N, Readonly<Record<F, number>>>();
    for (const name of names) there.set(name, await contestants[name]());
    for (const name of names.toReversed()) {
      const back = await contestants[name]();
      if (round < 0) continue;
      for (const figure of Object.keys(back) as F[]) {
        figures[name][figure] ??= [];
        figures[name][figure].push(((there.get(name)?.[figure] ?? Number.NaN) + back[figure]) / 2);
      }
    }
  }
  return figures;
}

/** The same for contestants with one figure each. */
export async function rounds<N extends string>(
  contestants: Readonly<Record<N, Turn>>,
  options?: RoundOptions,
): Promise<Record<N, number[]>> {
  const entries = Object.entries<Turn>(contestants);
  const several = entries.map(([name, turn]) => [name, async () => ({ figure: await turn() })]);
  const found = await roundsOfSeveral<N, 'figure'>(Object.fromEntries(several), options);
  return Object.fromEntries(entries.map(([name]) => [name, found[name as N].figure])) as Record<N, number[]>;
}
