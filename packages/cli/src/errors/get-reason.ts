import { getSystemErrorMap } from 'node:util';

/** What the system says, without the call and the names of files. */
export function describeSystemError(error: unknown): string {
  const { errno = 0 } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno)?.join(': ') ?? getReason(error);
}

/** The message of whatever was thrown. */
export const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
