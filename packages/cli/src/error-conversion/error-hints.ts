/** What the hint of an error says that depends on the command, and not on the error alone. */
export interface ErrorHints {
  /** If something was not found. */
  readonly notFound?: string | undefined;
  /** If the record has another revision or label than the caller of the command expects. */
  readonly stale?: string | undefined;
  /** The command that resends keywords with an unknown outcome, if this run knows their list. */
  readonly resendKeywords?: string | undefined;
}

const hintsByError = new WeakMap<object, ErrorHints>();

/** Runs work. Any error that it throws gets these hints, except for those that a scope within the work gave it. */
export async function explaining<T>(hints: ErrorHints, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error, hints);
  }
}

/** Gives an error its hints, except for those that it has. Returns the error. */
export function explain(error: unknown, hints: ErrorHints): unknown {
  if (error instanceof Error) hintsByError.set(error, mergeHints(findHints(error), hints));
  return error;
}

/** The hints that the scopes around an error gave it. */
export const findHints = (error: unknown): ErrorHints =>
  (error instanceof Error && hintsByError.get(error)) || {};

const mergeHints = (inner: ErrorHints, outer: ErrorHints): ErrorHints => ({
  notFound: inner.notFound ?? outer.notFound,
  stale: inner.stale ?? outer.stale,
  resendKeywords: inner.resendKeywords ?? outer.resendKeywords,
});
