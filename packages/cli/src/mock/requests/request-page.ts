/** Which part of the request log to read. */
export interface Page {
  /** Only requests after this id. */
  readonly after?: number;
  /** The newest requests; with `after` the first ones after it. */
  readonly limit?: number;
}

/** How to print requests. */
export interface RequestPrinting {
  /** Says of every request why it ended as it did, not only of those that failed. */
  readonly why?: true;
  /** Only requests that failed. */
  readonly failed?: true;
}
