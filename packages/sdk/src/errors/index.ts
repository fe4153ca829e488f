export { type ErrorDetails, OrgChatError } from './base.ts';
export * from './failed.ts';
export {
  AuthenticationError,
  ConflictError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  StaleRevisionError,
  type Versions,
} from './refused.ts';
export * from './unknown.ts';
