import type { components } from './generated/openapi.ts';
import type { dataFields } from './generated/resources.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

/* The types of the contract by name. Interfaces, so that an editor shows the name and not the fields. */

/** The organization and the key, as `account()` returns them. */
export interface Account extends Schema<'Account'> {}
/** Keywords to add to a site, up to 50 of 80 characters each, and their group (4.2). */
export interface AddKeywordsInput extends Schema<'AddKeywordsInput'> {}
/** The result for each keyword: added, or skipped because the site had it or it was sent twice. */
export interface AddKeywordsResult extends Schema<'AddKeywordsResult'> {}

/** A Studio project. */
export interface StudioProject extends Schema<'StudioProject'> {}
/** A Studio document with its Markdown body. */
export interface StudioDocument extends Schema<'StudioDocument'> {}
/** A Studio document without its body, as lists have it. */
export interface StudioDocumentSummary extends Schema<'StudioDocumentSummary'> {}
/** A page of Studio projects, and the cursor of the next page. */
export interface StudioProjects extends Schema<'StudioProjects'> {}
/** A page of the documents of a project, and the cursor of the next page. */
export interface StudioDocuments extends Schema<'StudioDocuments'> {}
/** One Studio document with its body, and its project. */
export interface StudioSingleDocument extends Schema<'StudioSingleDocument'> {}

/** The query of `readChat`, one type for each resource. */
export type ChatReadInput = Schemas['ChatReadInput'];
/** The query of `readStudio`, one type for each resource. */
export type StudioReadInput = Schemas['StudioReadInput'];
/** A change for `changeChat`, one type for each action. */
export type ChatChange = Schemas['ChatChange'];

/** What creates or updates a tag. */
export interface TagInput extends Schema<'TagData'> {}
/** What creates or updates a template. */
export interface TemplateInput extends Schema<'TemplateData'> {}
/** What creates or updates an auto-reply. */
export interface AutoReplyInput extends Schema<'AutoReplyData'> {}
/** What creates or updates a scenario. */
export interface ScenarioInput extends Schema<'ScenarioData'> {}
/** What creates or updates a form. */
export interface FormInput extends Schema<'FormDefinitionData'> {}
/** What creates or updates a rich menu. */
export interface RichMenuInput extends Schema<'RichMenuData'> {}
/** What creates or updates a link. */
export interface LinkInput extends Schema<'LinkData'> {}
/** What creates or updates a route. */
export interface RouteInput extends Schema<'RouteData'> {}
/** What creates or updates a broadcast. */
export interface BroadcastInput extends Schema<'BroadcastData'> {}
/** What updates a friend: notes and status. A field that is left out keeps its value. */
export interface FriendInput extends Schema<'FriendData'> {}

/** One step of a scenario. */
export interface ScenarioStep extends Schema<'ScenarioStep'> {}
/** When a step of a scenario is sent. */
export type StepCondition = Schemas['StepCondition'];
/** One field of a form. */
export interface FormField extends Schema<'FormField'> {}
/** One tappable area of a rich menu. */
export interface RichMenuArea extends Schema<'RichMenuArea'> {}
/** What a tap on an area of a rich menu does. */
export type AreaAction = Schemas['AreaAction'];
/** How a rich menu looks. */
export interface RichMenuDesign extends Schema<'RichMenuDesign'> {}
/** One part of a message: text, an image or cards. */
export type MessageBlock = Schemas['MessageBlock'];
/** One card of a message. */
export interface Card extends Schema<'Card'> {}
/** What a button of a card does. */
export type CardAction = Schemas['CardAction'];

/** A tag as it is read. */
export interface Tag extends Schema<'TagRecord'> {}
/** A template as it is read. */
export interface Template extends Schema<'TemplateRecord'> {}
/** An auto-reply as it is read. */
export interface AutoReply extends Schema<'AutoReplyRecord'> {}
/** A scenario as it is read. */
export interface Scenario extends Schema<'ScenarioRecord'> {}
/** A form as it is read. */
export interface Form extends Schema<'FormRecord'> {}
/** A rich menu as it is read. */
export interface RichMenu extends Schema<'RichMenuRecord'> {}
/** A link as it is read. */
export interface Link extends Schema<'LinkRecord'> {}
/** A route, a way by which friends are added, as it is read. */
export interface Route extends Schema<'RouteRecord'> {}
/** A broadcast as it is read. This API never sends one. */
export interface Broadcast extends Schema<'BroadcastRecord'> {}
/** A messaging account that the key can reach. */
export interface AccountRecord extends Schema<'AccountRecord'> {}
/** A friend as it is read. */
export interface Friend extends Schema<'FriendRecord'> {}
/** A conversation with a friend. */
export interface Conversation extends Schema<'ConversationRecord'> {}
/** A message of a conversation. */
export interface Message extends Schema<'MessageRecord'> {}
/** One submission of a form. */
export interface FormSubmission extends Schema<'FormSubmissionRecord'> {}
/** A scenario that a friend is or was in. */
export interface FriendAutomation extends Schema<'FriendAutomationRecord'> {}
/** One click on a link. */
export interface LinkClick extends Schema<'LinkClickRecord'> {}

/** The nine configuration resources, as the API spells them. */
export type ConfigurationResource = Exclude<keyof typeof dataFields, 'friends'>;
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

/** What a read returns, by resource. The contract leaves it open; these are the shapes that this package expects. */
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

/** The sixteen resources `readChat` takes. */
export type ReadableResource = Extract<keyof ResourceRecords, string>;

/** A list as it is read. `limited` says that more records exist past these. */
export interface RecordPage<T> {
  readonly records: T[];
  readonly total: number;
  readonly limited: boolean;
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
 * One of several inputs. If the field that selects one is wrong, the compiler compares the other fields with any of
 * them. They match here, so that its one message is about that field.
 */
type AnyOf<Input> = Input & { readonly [Field in Input extends Input ? keyof Input : never]?: unknown };

/** The change of an action. */
export type ChangeOf<A extends ChatAction> = [ChatAction] extends [A]
  ? AnyOf<ChatChange>
  : Extract<ChatChange, { action: A }>;

/** The query of a resource. */
export type QueryOf<R extends ReadableResource> = [ReadableResource] extends [R]
  ? AnyOf<ChatReadInput>
  : Extract<ChatReadInput, { resource: R }>;

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
