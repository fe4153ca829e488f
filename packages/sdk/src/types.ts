import type { components } from './generated/openapi.ts';
import type { configurationResources } from './generated/resources.ts';

import type { StudioDocuments, StudioProjects, StudioSingleDocument } from './types/answers.ts';
import type {
  AutoReplyInput,
  BroadcastInput,
  ChatChange,
  ChatReadInput,
  FormInput,
  LinkInput,
  RichMenuInput,
  RouteInput,
  ScenarioInput,
  TagInput,
  TemplateInput,
} from './types/inputs.ts';
import type {
  AccountRecord,
  AutoReply,
  Broadcast,
  Conversation,
  Form,
  FormSubmission,
  Friend,
  FriendAutomation,
  Link,
  LinkClick,
  Message,
  RichMenu,
  Route,
  Scenario,
  Tag,
  Template,
} from './types/records.ts';

export type * from './types/answers.ts';
export type * from './types/inputs.ts';
export type * from './types/records.ts';

type Schemas = components['schemas'];

/** The nine configuration resources, as the API spells them. */
export type ConfigurationResource = (typeof configurationResources)[number];
/** The configuration resources whose records can be deleted: all but rich menus. */
export type DeletableResource = Schemas['DeleteConfiguration']['resource'];

/** What a create or an update sends, by resource. */
export interface ConfigurationInputs {
  tags: TagInput;
  templates: TemplateInput;
  'auto-replies': AutoReplyInput;
  scenarios: ScenarioInput;
  forms: FormInput;
  'rich-menus': RichMenuInput;
  links: LinkInput;
  routes: RouteInput;
  broadcasts: BroadcastInput;
}

/**
 * What a read returns, by resource. The contract leaves it open; these are the shapes that this package expects.
 */
export interface ResourceRecords {
  accounts: AccountRecord;
  tags: Tag;
  templates: Template;
  'auto-replies': AutoReply;
  scenarios: Scenario;
  forms: Form;
  'rich-menus': RichMenu;
  links: Link;
  routes: Route;
  broadcasts: Broadcast;
  friends: Friend;
  conversations: Conversation;
  messages: Message;
  'form-submissions': FormSubmission;
  'friend-automations': FriendAutomation;
  'link-clicks': LinkClick;
}

/** The sixteen resources that `readChat` accepts. */
export type ReadableResource = Extract<keyof ResourceRecords, string>;

/** A list as it is read. `limited` says that more records exist past these. */
export interface RecordPage<T> {
  readonly records: T[];
  /** The number of all records, if the server says so. */
  readonly total?: number;
  /** Whether more records exist, if the server says so. */
  readonly limited?: boolean;
}

/** A page of a list that is read page by page: the records that no earlier page had. */
export interface ListedPage<T> extends RecordPage<T> {
  /** Offset of the next page, also where `maxItems` ended the list; undefined after the last page. */
  readonly nextOffset: number | undefined;
}

/** One record as it is read by its id. */
export interface SingleRecord<T> {
  readonly record: T;
}

/** The `result` of a deletion. */
export interface DeletionResult {
  readonly id: string;
  readonly deleted: true;
}

/** The name of a change, such as `create-tags`. */
export type ChatAction = Extract<ChatChange['action'], string>;

/**
 * The change of an action. Of any action, `data` is not looked into: if the action is wrong, the compiler would otherwise
 * report that its data is not that of some other action, too.
 */
export type ChangeOf<A extends ChatAction> = [ChatAction] extends [A]
  ? ChatChange & { readonly data?: unknown }
  : Extract<ChatChange, { action: A }>;

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
        ? FriendAutomation
        : Friend;

/** The answer of `readStudio`, by resource. */
export interface StudioResults {
  projects: StudioProjects;
  documents: StudioDocuments;
  document: StudioSingleDocument;
}

/**
 * A record with the fields that guard a change, as every record has that was read by its id. Rows of lists may lack them.
 */
export type Guarded<T> = T & { readonly revision: string; readonly label: string };

/**
 * The fields of a configuration record that guard a change. Every record that was read by its id has them.
 */
export interface RecordRef {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/** Names a friend: its `accountId` and `userId`. A `Friend` that was read can be passed, too. */
export interface FriendRef {
  readonly accountId: string;
  readonly userId: string;
}

/** The fields of a friend that guard a change. Every friend that was read by its ids has them. */
export interface GuardedFriend extends FriendRef {
  readonly revision: string;
  readonly label: string;
}
