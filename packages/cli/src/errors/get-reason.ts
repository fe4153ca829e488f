/** The message of whatever was thrown. */
export const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
