/** A query of `readChat` as the resource objects build it. */
export interface ReadQuery {
  readonly resource: string;
  readonly [field: string]: unknown;
}
