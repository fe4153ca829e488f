import { difference, ratio, type Spread, spreadOf } from './statistics.ts';

export type Unit = 'req/s' | 'µs' | 'ms' | 'MB' | 'kB';

/** The target of the median of a comparison, or of a figure without one. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** What rows have in common. */
export interface Group {
  readonly title: string;
  /** What is measured and what the figures are, for a new reader. */
  readonly about: string;
}

/** One line of the table. */
export interface Row {
  readonly group: Group;
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
  /** What it is spent on, as profiles show: told where the target is missed. */
  readonly spentOn?: string;
}

/** A subject of the bench; each runs in a process of its own. */
export interface Suite {
  readonly name: string;
  run(): Promise<Row[]>;
}

/** A row before it is compared with anything. */
export interface Measured {
  readonly group: Group;
  readonly what: string;
  readonly unit: Unit;
  /** Round by round. */
  readonly ours: readonly number[];
  readonly target?: Target;
  readonly spentOn?: string;
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

/** The value compared with the target: the comparison, or the figure without one. */
export const heldOf = ({ ours, compared = ours }: Row): Spread => compared;

export function isMet(row: Row): boolean | undefined {
  const { target } = row;
  if (target === undefined) return undefined;
  const { median } = heldOf(row);
  return 'atLeast' in target ? median >= target.atLeast : median <= target.atMost;
}
