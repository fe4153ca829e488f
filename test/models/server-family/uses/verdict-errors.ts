/** Thrown by a use whose effect is not the right one. */
export class Wrong extends Error {}
/** Thrown by a use that the command refused clearly. */
export class Refused extends Error {}

export function require(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Wrong(why);
}
