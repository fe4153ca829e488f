/** What a driver may say about an error. */
interface DriverError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly stack?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}

/** How deep causes are followed: one may be its own cause. */
const deepest = 5;

/** Removes what Redis repeats of a command that it does not know, such as the password of `HELLO`. */
export const withoutArguments = (text: string): string =>
  text.replaceAll(/,? with args beginning with: .*/g, '');

/**
 * Returns an error with name, message, code, stack and causes of another one, and nothing else. Errors of drivers carry
 * the command that failed with its arguments, rows, and whole connections: passwords and the bodies of changes.
 */
export function toPlainCause(cause: unknown, depth = 0): unknown {
  if (typeof cause === 'string') return withoutArguments(cause);
  if (typeof cause !== 'object' || cause === null) return cause;
  if (depth === deepest) return undefined;
  const { name, message, code, stack, errors, cause: next } = cause as DriverError;
  const plain = new Error(
    withoutArguments(String(message ?? '')),
    next === undefined ? undefined : { cause: toPlainCause(next, depth + 1) },
  );
  const hide = (field: string, value: unknown): void => {
    Object.defineProperty(plain, field, { value, configurable: true, writable: true });
  };
  if (typeof name === 'string') hide('name', name);
  if (typeof stack === 'string') hide('stack', withoutArguments(stack));
  if (Array.isArray(errors))
    hide(
      'errors',
      errors.map((error) => toPlainCause(error, depth + 1)),
    );
  return code === undefined ? plain : Object.assign(plain, { code });
}
