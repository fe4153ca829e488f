/*
 * What the specification leaves open about answers. A member of the family is one value of each axis. The first value
 * of each is what this toolkit assumes without a description.
 */
export const axes = {
  /** The frame of one record. */
  one: ['record', 'records', 'root', 'item'],
  /** The names in a list. */
  list: ['records', 'items', 'data.rows'],
  /** Where the data of a record is; below `attributes` is everything but the identity. */
  nesting: ['top', 'data', 'attributes'],
  /** A summary is the identity and the label. */
  rows: ['whole', 'summary'],
  /** Rows without guards have no revision; whole ones have no label either. */
  rowGuards: ['present', 'absent'],
  /** The names of `revision` and `label`. */
  guards: ['revision', 'version', 'meta.version'],
  times: ['present', 'absent', 'created_at'],
  /** Optional fields that are absent are null, or fields that are null are absent. */
  nulls: ['as stored', 'null for absent', 'absent for null'],
  /** Fields that no input has, in steps, areas, form fields and message blocks. */
  extras: ['none', 'id and createdAt'],
  /** A block of a type that the contract does not have, in the content of some records. */
  blocks: ['known', 'unknown'],
  /** Absent fields that have a default: the timing mode of a step. */
  defaults: ['as stored', 'filled in'],
  ids: ['lower case', 'upper case'],
  /** `result` of a change. */
  result: ['record', 'id', 'id and revision', 'null', 'absent'],
  order: ['newest', 'oldest', 'none'],
  total: ['exact', 'absent', 'of the page', 'of the rest', 'too high'],
  limited: ['exact', 'absent', 'always true'],
  /** The largest page; `gaps` are empty pages between full ones. */
  pages: ['50', '20', 'gaps'],
  codes: ['known', 'other'],
  retryAfter: ['seconds', 'date', 'absent'],
  /** The body of a 404. */
  notFound: ['json', 'html'],
} as const;

type Axes = typeof axes;
export type Axis = keyof Axes;
/** A value of each axis. */
export type Choices = { readonly [A in Axis]: Axes[A][number] };

export const axisNames = Object.keys(axes) as Axis[];

/** What differs between resources, because their data do. */
export const dataAxes: readonly Axis[] = ['nulls', 'extras', 'blocks', 'defaults'];

/** What this toolkit assumes. */
export const assumed = Object.fromEntries(axisNames.map((axis) => [axis, axes[axis][0]])) as Choices;

/**
 * Whether a client can know that a list has more. Behind an empty page, only `total` or `limited` says so. If neither
 * does, no client can read the list, so no such server is in the family.
 */
export function isReadable({ pages, total, limited }: Choices): boolean {
  return pages !== 'gaps' || limited !== 'absent' || total === 'exact';
}

/** Whether a member is as assumed on all axes but one. */
export const differsOnlyIn = (choices: Choices, axis: Axis): boolean =>
  axisNames.every((name) => name === axis || choices[name] === assumed[name]);
