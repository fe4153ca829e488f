/** Two letters at least: a sentence may begin with "A". */
const code = /^([A-Z][A-Z0-9]+)(?: |$)/;

/**
 * Returns the code of an error that Redis answered with, such as `READONLY`; undefined for any other error.
 *
 * The protocol has no field for it: an error reply is one line, and its first word, in upper case, is the code
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors). The drivers pass on this line as the
 * message of an error.
 */
export function parseReplyCode(cause: unknown): string | undefined {
  const { message, code: systemCode } = Object(cause) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  // What the operating system reports has a code of its own, and did not come from Redis.
  if (systemCode !== undefined || typeof message !== 'string') return undefined;
  return code.exec(message)?.[1];
}
