import { difference, ratio, type Spread, spreadOf } from './statistics.ts';

export type Unit = 'req/s' | 'µs' | 'ms' | 'MB' | 'kB' | 'commands';

/** The target of the median of a comparison, or of a figure without one. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** A group of rows. */
export interface Group {
  readonly title: string;
  /** Explains what is measured, for a new reader. */
  readonly about: string;
}

/** One line of the table. */
export interface Row {
  readonly group: Group;
  readonly what: string;
  readonly unit: Unit;
  readonly ours: Spread;
  /** The peer and its figure. */
  readonly peer?: string;
  readonly theirs?: Spread;
  /** How figures of the same round are compared: `×` is ours divided by theirs, `−` is ours minus theirs. */
  readonly how?: '×' | '−';
  readonly compared?: Spread;
  readonly target?: Target;
  /** What takes the time, as profiles show. It is printed if the target is missed. */
  readonly spentOn?: string;
}

/** A suite of the bench. Each runs in its own process. */
export interface Suite {
  readonly name: string;
  run(): Promise<Row[]>;
}

/** A row without a comparison. */
export interface Measured {
  readonly group: Group;
  readonly what: string;
  readonly unit: Unit;
  /** Round by round. */
  readonly ours: readonly number[];
  readonly target?: Target;
  readonly spentOn?: string;
}

/** A row for a figure without a comparison. */
export function figure({ ours, ...rest }: Measured): Row {
  return { ...rest, ours: spreadOf(ours) };
}

/** A row that compares a figure with that of a peer in the same rounds. */
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
