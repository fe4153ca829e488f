export type { ListedNotification, ListedOperation } from './control/named-lists.ts';
export type { OrganizationEntry } from './control/organizations.ts';
export type { RecordsPage } from './control/records.ts';
export { createMock } from './create-mock.ts';
export { DataFileError } from './data-file/data-file-error.ts';
export type {
  EventData,
  EventStream,
  FaultEvent,
  GapEvent,
  MockEvent,
  OperationEvent,
  RecordEvent,
  SandboxEvent,
} from './events/event-types.ts';
export type { ArmedFault, Hit } from './faults/faults.ts';
export type * from './generated/public-types.ts';
export type { AnswerMessage } from './http/answer-channel.ts';
export type { FriendName, InjectedRecord } from './inject/target.ts';
export { ControlError } from './input-checks/control-error.ts';
export type {
  Addresses,
  Injector,
  Limits,
  Listening,
  ListenOptions,
  Mock,
  SandboxEntry,
} from './mock-interface.ts';
export { type FileMockOptions, type MockOptions, MockOptionsError } from './options/options.ts';
export type { ClockReading } from './primitives/clock.ts';
export type { KeyEntry } from './records/key.ts';
export type { KeptPart, LoggedBody } from './request-log/logged-body.ts';
export type { RequestMessage } from './request-log/request-channel.ts';
export type {
  LoggedRequest,
  LoggedResponse,
  RequestDetail,
} from './request-log/request-detail.ts';
export type { DroppedRequests } from './request-log/request-log.ts';
export type { RequestLogEntry } from './request-log/trace.ts';
export { demoKeys, demoSeed } from './seed/demo.ts';
export { type GenerateOptions, generateSeed } from './seed/generate-seed.ts';
export { SeedError } from './seed/seed-error.ts';
export type { DecidedBy } from './why/cause.ts';
