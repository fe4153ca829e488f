export type { Answered, Call } from './call-promise.ts';
export { createClient, type OrgChatClient, type ReadChat } from './client.ts';
export {
  type CreateOnceClient,
  type CreateOnceInput,
  type CreateOnceOptions,
  type CreateOnceResult,
  createOnce,
  createOperationId,
  type LabeledRecord,
  recordsSince,
} from './create-once.ts';
export * from './errors/index.ts';
export type * from './events.ts';
export type { CodeMeaning } from './generated/code-meanings.ts';
export type { CodesOption } from './generated/resolve-codes.ts';
export type * from './journal/journal.ts';
export { type MemoryJournalOptions, memoryJournal } from './journal/memory.ts';
export { operationIdFrom } from './operation-id.ts';
export type {
  ListOperationsOptions,
  OperationEntry,
  OperationsApi,
  ResumeAllOptions,
  ResumeOutcome,
} from './operations.ts';
export type { CallOptions, ClientOptions, IntentPart, WriteOptions } from './options.ts';
export type { ChangeOutcome } from './outcome.ts';
export type { Listing } from './pages.ts';
export type { Evidence, Reconciliation } from './reconcile.ts';
export { requireResult } from './require-result.ts';
export type { Configuration, Deletable, ListOptions } from './resources/configuration.ts';
export type { EditOptions } from './resources/edit.ts';
export type { Conversations, FriendListOptions, Friends } from './resources/friends.ts';
export type { DocumentListOptions, ProjectListOptions, Studio } from './resources/studio.ts';
export type { RetryOptions } from './retry.ts';
export type * from './types.ts';
