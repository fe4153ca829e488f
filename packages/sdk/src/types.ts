import type { components, paths } from './generated/openapi.ts';
import type { dataFields } from './generated/resources.ts';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type AddKeywordsInput = Schemas['AddKeywordsInput'];
export type AddKeywordsResult = Schemas['AddKeywordsResult'];
export type StudioProject = Schemas['StudioProject'];
export type StudioDocument = Schemas['StudioDocument'];
export type StudioDocumentSummary = Schemas['StudioDocumentSummary'];
export type StudioProjects = Schemas['StudioProjects'];
export type StudioDocuments = Schemas['StudioDocuments'];
export type StudioSingleDocument = Schemas['StudioSingleDocument'];
export type ChatReadInput = Schemas['ChatReadInput'];
export type StudioReadInput = Schemas['StudioReadInput'];
export type ChatChange = Schemas['ChatChange'];
export type FriendData = Schemas['FriendData'];
export type MessageBlock = Schemas['MessageBlock'];

export type AccountRecord = Schemas['AccountRecord'];
export type FriendRecord = Schemas['FriendRecord'];
export type ConversationRecord = Schemas['ConversationRecord'];
export type MessageRecord = Schemas['MessageRecord'];
export type FormSubmissionRecord = Schemas['FormSubmissionRecord'];
export type FriendAutomationRecord = Schemas['FriendAutomationRecord'];
export type LinkClickRecord = Schemas['LinkClickRecord'];

/** The nine configuration resources, as the API spells them. */
export type ConfigurationResource = Exclude<keyof typeof dataFields, 'friends'>;
/** Those that can be deleted: all but rich menus. */
export type DeletableResource = Schemas['DeleteConfiguration']['resource'];

/** What a create or update sends, by resource. */
export type ConfigurationData = {
  [R in ConfigurationResource]: Extract<ChatChange, { action: `create-${R}` }> extends { data: infer D }
    ? D
    : never;
};

/** What a read returns, by resource. The contract leaves it open; this is what the toolkit assumes. */
export interface ResourceRecords {
  accounts: AccountRecord;
  tags: Schemas['TagRecord'];
  templates: Schemas['TemplateRecord'];
  'auto-replies': Schemas['AutoReplyRecord'];
  scenarios: Schemas['ScenarioRecord'];
  forms: Schemas['FormRecord'];
  'rich-menus': Schemas['RichMenuRecord'];
  links: Schemas['LinkRecord'];
  routes: Schemas['RouteRecord'];
  broadcasts: Schemas['BroadcastRecord'];
  friends: FriendRecord;
  conversations: ConversationRecord;
  messages: MessageRecord;
  'form-submissions': FormSubmissionRecord;
  'friend-automations': FriendAutomationRecord;
  'link-clicks': LinkClickRecord;
}

/** The sixteen resources `readChat` takes. */
export type ReadableResource = keyof ResourceRecords;

/** A list as it is read. `limited` says that more records exist past these. */
export interface RecordPage<T> {
  readonly records: T[];
  readonly total: number;
  readonly limited: boolean;
}

export interface SingleRecord<T> {
  readonly record: T;
}

export interface DeletionResult {
  readonly id: string;
  readonly deleted: true;
}

export type ChatAction = ChatChange['action'];
/** The change of an action. */
export type ChangeOf<A extends ChatAction> = Extract<ChatChange, { action: A }>;
/** The query of a resource. */
export type QueryOf<R extends ReadableResource> = Extract<ChatReadInput, { resource: R }>;

/** The `result` of each action; assumed, as the records are. */
export type ResultOf<A extends ChatAction> = A extends `create-${infer R extends ConfigurationResource}`
  ? ResourceRecords[R]
  : A extends `update-${infer R extends ConfigurationResource}`
    ? ResourceRecords[R]
    : A extends 'delete-configuration'
      ? DeletionResult
      : A extends 'enroll-scenario'
        ? FriendAutomationRecord
        : FriendRecord;

/** The answer of `readStudio`, by resource. */
export interface StudioAnswers {
  projects: StudioProjects;
  documents: StudioDocuments;
  document: StudioSingleDocument;
}

/** What a guarded change needs to know of a configuration record; any record that was read has it. */
export interface RecordRef {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/** Names a friend. */
export interface FriendRef {
  readonly accountId: string;
  readonly userId: string;
}

/** What a guarded change needs to know of a friend; any friend that was read has it. */
export interface GuardedFriend extends FriendRef {
  readonly revision: string;
  readonly label: string;
}

/**
 * The generated paths with request bodies as text: what is sent are the bytes that were frozen when the call was
 * made, so that a later attempt, in this process or the next, sends the same.
 */
export type Wire = {
  [P in keyof paths]: {
    [M in keyof paths[P]]: paths[P][M] extends { requestBody: unknown }
      ? Omit<paths[P][M], 'requestBody'> & { requestBody: { content: { 'application/json': string } } }
      : paths[P][M];
  };
};
