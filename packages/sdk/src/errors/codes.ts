import type { CodeMeaning, codeMeanings } from '../generated/code-meanings.ts';

/** The codes of this package's own errors. The README says what each means. */
export type SdkErrorCode =
  | 'ABORTED'
  | 'AMBIGUOUS_MATCH'
  | 'ATTEMPT_TIMEOUT'
  | 'BODY_CUT'
  | 'BROWSER_REFUSED'
  | 'CLIENT_DRAINING'
  | 'CONNECTION_FAILED'
  | 'CONNECTION_LOST'
  | 'CURSOR_FAILED'
  | 'CURSOR_IN_USE'
  | 'DEADLINE_EXCEEDED'
  | 'INPUT_CONFLICT'
  | 'INVALID_INPUT'
  | 'INVALID_OPTIONS'
  | 'INVALID_RESPONSE'
  | 'ITEM_UNFINISHED'
  | 'JOURNAL_FAILED'
  | 'LABEL_CHANGED'
  | 'NOT_APPLIED'
  | 'NOT_RESUMABLE'
  | 'OPERATION_IN_FLIGHT'
  | 'OUTCOME_UNKNOWN'
  | 'PACING_FAILED'
  | 'REDIRECTED'
  | 'RESPONSE_TOO_LARGE'
  | 'RESULT_MISSING'
  | 'TOO_MANY_DELETIONS'
  | 'UNEXPECTED_FAILURE'
  | 'UNEXPECTED_SHAPE'
  | 'UNKNOWN_OPERATION'
  | 'UPSERT_CONFLICT';

/** The default codes of the server (DECISIONS.md, D76). A server may spell them otherwise. */
export type ServerErrorCode = (typeof codeMeanings)[CodeMeaning]['code'];

/**
 * What the code of a server means. An editor suggests the known meanings; a later version may have others.
 */
export type ErrorMeaning = CodeMeaning | (string & {});

/** The code of an error. An editor suggests the known ones; a server, or a later version, may have others. */
export type ErrorCode = SdkErrorCode | ServerErrorCode | (string & {});
