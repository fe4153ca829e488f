import { FleetError } from './fleet-error.ts';

/** Throws `INVALID_OPTIONS` for an option that does not exist: a misspelled one would silently do nothing. */
export function requireKnown(options: unknown, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new FleetError(`The options of ${where} must be an object.`, { code: 'INVALID_OPTIONS' });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new FleetError(`"${unknown}" is not an option of ${where}. Options: ${known.join(', ')}.`, {
      code: 'INVALID_OPTIONS',
    });
  }
}

/** Returns a number greater than 0. Throws `INVALID_OPTIONS` for any other value. */
export function requirePositive(value: unknown, name: string): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new FleetError(`${name} must be a number greater than 0; got ${String(value)}.`, {
    code: 'INVALID_OPTIONS',
  });
}

/** Warns as Node does: on stderr, and to listeners of the event `warning`. */
export function warnProcess({ code, message }: { readonly code: string; readonly message: string }): void {
  process.emitWarning(message, { type: 'OrgChatWarning', code: `ORGCHAT_${code}` });
}
