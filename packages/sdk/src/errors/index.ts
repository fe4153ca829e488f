export {
  type ConnectionFailureReason,
  type ErrorDetails,
  type ErrorOutcome,
  type JournalFailureReason,
  OrgChatError,
  type Versions,
} from './base.ts';
export type { ErrorCode, ErrorMeaning, SdkErrorCode, ServerErrorCode } from './codes.ts';
export { isFinal } from './is-final.ts';
export * from './no-usable-answer.ts';
export * from './outcome-unknown.ts';
export {
  AuthenticationError,
  ConflictError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  StaleRevisionError,
} from './refused.ts';
