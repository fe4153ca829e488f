import { type ErrorCode, errorCatalog } from './error-catalog.ts';

interface Meaning {
  /** The code this toolkit assumes (DECISIONS.md, D76). */
  readonly code: ErrorCode;
  /** Completes the sentence "if the code means …". */
  readonly phrase: string;
}

/** What an error code can mean to a client, one name per row of D76. */
const meanings = {
  unauthorized: { code: 'UNAUTHORIZED', phrase: 'a missing, invalid or revoked key' },
  forbidden: { code: 'FORBIDDEN', phrase: 'a key or creator without permission' },
  planRequired: { code: 'PLAN_REQUIRED', phrase: 'a plan without API access' },
  suspended: { code: 'SUSPENDED', phrase: 'a suspended creator' },
  invalidInput: { code: 'INVALID_INPUT', phrase: 'an invalid input' },
  keywordLimitExceeded: { code: 'KEYWORD_LIMIT_EXCEEDED', phrase: 'an exceeded keyword limit' },
  notFound: { code: 'NOT_FOUND', phrase: 'a record that does not exist' },
  methodNotAllowed: { code: 'METHOD_NOT_ALLOWED', phrase: 'a method that is not allowed' },
  staleRevision: { code: 'STALE_REVISION', phrase: 'a stale revision' },
  inputConflict: { code: 'INPUT_CONFLICT', phrase: 'an operationId that was used with another input' },
  uncertain: { code: 'OPERATION_UNCERTAIN', phrase: 'an operation whose outcome is uncertain' },
  rateLimited: { code: 'RATE_LIMITED', phrase: 'the limit per minute' },
  quotaExceeded: { code: 'QUOTA_EXCEEDED', phrase: 'the monthly quota' },
  internalError: { code: 'INTERNAL_ERROR', phrase: 'an unexpected error' },
  runtimeUnavailable: { code: 'RUNTIME_UNAVAILABLE', phrase: 'an unavailable runtime' },
} as const satisfies Record<string, Meaning>;

export type CodeMeaning = keyof typeof meanings;

export interface CodeMeaningEntry {
  /** The code that has this meaning unless another one is configured. */
  readonly code: string;
  /** The statuses the meaning can come with. A code counts only with one of them. */
  readonly statuses: readonly number[];
  /** Completes the sentence "if the code means …". */
  readonly phrase: string;
}

/** Every meaning with its default code and the statuses of the contract. */
export const codeMeanings: Readonly<Record<CodeMeaning, CodeMeaningEntry>> =
  Object.fromEntries<CodeMeaningEntry>(
    Object.entries(meanings).map(([name, { code, phrase }]) => [
      name,
      { code, statuses: errorCatalog[code].statuses, phrase },
    ]),
  ) as Record<CodeMeaning, CodeMeaningEntry>;

/** The meaning of each code of the catalog. */
export const meaningsByCode: Readonly<Record<ErrorCode, CodeMeaning>> = Object.fromEntries<CodeMeaning>(
  (Object.keys(meanings) as CodeMeaning[]).map((name) => [meanings[name].code, name]),
) as Record<ErrorCode, CodeMeaning>;
