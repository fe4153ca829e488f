export type { BulkOptions, BulkOutcome, BulkProgress, BulkRun } from './bulk/bulk.ts';
export type { BulkItemContext, BulkResult } from './bulk/bulk-item.ts';
export { createClient } from './client.ts';
export type { OrgChatClient } from './client-interface.ts';
export * from './errors/index.ts';
export type {
  AttemptEvent,
  CallFacts,
  ClientEvent,
  FleetEvent,
  JournalEvent,
  OperationName,
  OutcomeEvent,
  RequestEvent,
  WaitEvent,
} from './events/events.ts';
export type { Logger } from './events/log-events.ts';
export type { CodeMeaning } from './generated/code-meanings.ts';
export type { CodesOption } from './generated/resolve-codes.ts';
export type {
  JsonPointer,
  ListShape,
  RecordShape,
  ResourceShape,
  ResultShape,
  RowShape,
  ServerDescription,
} from './generated/server-description.ts';
export { holdGraceMs, isOpen } from './journal/entries.ts';
export type {
  AddOptions,
  Claim,
  EntryKey,
  HeldElsewhere,
  Hold,
  Journal,
  JournalEntry,
  JournaledError,
  JournalListing,
  JournalListOptions,
  JournalProblem,
  JournalStats,
  MaybePromise,
  NextAttempt,
  OperationState,
} from './journal/journal.ts';
export { type MemoryJournalOptions, memoryJournal } from './journal/memory.ts';
export type {
  KeywordImportCheckpoint,
  KeywordImportOptions,
  KeywordImportProgress,
  KeywordImportResult,
  KeywordImportRunOptions,
} from './keywords/import-options.ts';
export type { InvalidKeyword } from './keywords/keyword-list.ts';
export type { KeywordRequest, KeywordRequestError } from './keywords/keyword-requests.ts';
export type { ListPromise } from './lists/list-promise.ts';
export type { RecordList } from './lists/record-list.ts';
export type {
  AdoptOptions,
  AdoptResult,
  AppliedOperation,
  DrainOptions,
  DrainResult,
  ListOperationsOptions,
  OperationEntry,
  OperationStats,
  OperationsApi,
  ResumeAllOptions,
  ResumeOutcome,
  UnappliedOperation,
} from './operations/operations-api.ts';
export type { Evidence, Reconciliation } from './operations/reconcile.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  IntentPart,
  WriteOptions,
} from './options/options.ts';
export type { HeadersOption } from './options/request-headers.ts';
export type { Configuration, Deletable, ListOptions } from './resources/configuration.ts';
export type { EditOptions } from './resources/edit.ts';
export type { FindOptions } from './resources/find.ts';
export type { Conversations, FriendListOptions, Friends } from './resources/friends.ts';
export type { ReadChat } from './resources/read-chat.ts';
export type { DocumentListOptions, ProjectListOptions, Studio } from './resources/studio.ts';
export type {
  SyncOptions,
  SyncOutcome,
  SyncPlan,
  SyncResult,
  SyncValue,
} from './resources/sync-options.ts';
export type { LabelField, UpsertOptions } from './resources/upsert.ts';
export type { UpsertResult } from './resources/upsert-writes.ts';
export type { ApiResponse, Call } from './results/call-promise.ts';
export type { ChangeOutcome } from './results/change-outcome.ts';
export { getRequestId } from './results/request-ids.ts';
export type { RetryOptions } from './retry/retry-delay.ts';
export type {
  PacingOptions,
  PlaceAnswer,
  PlaceKey,
  PlaceRequest,
  ReleasedPlace,
  SharedPacing,
} from './timing/shared-pacing.ts';
export type * from './types.ts';
export { cursorInUseError, memoryCursor, type OpenCursor, type WatchCursor } from './watch/cursor.ts';
export type {
  WatchEvent,
  WatchedClick,
  WatchedMessage,
  WatchedSubmission,
  WatchGap,
  WatchOptions,
  WatchTargets,
} from './watch/watch-options.ts';
export { operationIdFrom } from './write/operation-id.ts';
export { type ChangeCall, requireResult } from './write/require-result.ts';
