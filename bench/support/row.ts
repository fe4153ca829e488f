import { difference, ratio, type Spread, spreadOf } from './rounds.ts';

export type Unit = 'req/s' | 'µs' | 'ms' | 'MB' | 'kB';

/** What the median of a comparison, or of a figure that stands alone, is held to. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the table. */
export interface Row {
  /** The heading it stands under. */
  readonly group: string;
  readonly what: string;
  readonly unit: Unit;
  readonly ours: Spread;
  /** What it is compared with, and the figure of that. */
  readonly peer?: string;
  readonly theirs?: Spread;
  /** Of the same rounds: `×` ours divided by theirs, `−` ours less theirs, in the unit. */
  readonly how?: '×' | '−';
  readonly compared?: Spread;
  readonly target?: Target;
}

/** A subject of the bench; each runs in a process of its own. */
export interface Suite {
  readonly name: string;
  run(): Promise<Row[]>;
}

interface Measured {
  readonly group: string;
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  readonly target?: Target;
}

/** A figure of its own. */
export function figure({ ours, ...rest }: Measured): Row {
  return { ...rest, ours: spreadOf(ours) };
}

/** A figure beside that of a peer in the same rounds. */
export function against(
  { ours, ...rest }: Measured,
  how: '×' | '−',
  peer: string,
  theirs: readonly number[],
): Row {
  const compared = how === '×' ? ratio(ours, theirs) : difference(ours, theirs);
  return { ...rest, ours: spreadOf(ours), peer, theirs: spreadOf(theirs), how, compared };
}

export function isMet({ target, ours, compared = ours }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? compared.median >= target.atLeast : compared.median <= target.atMost;
}
