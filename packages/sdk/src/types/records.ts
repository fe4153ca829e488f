import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];
/** The fields that an input must have. */
type RequiredFields<Input> = { [F in keyof Input]-?: object extends Pick<Input, F> ? never : F }[keyof Input];
/**
 * A record with the fields that are promised. The contract shows no record, so a server may leave out all others.
 */
type Promised<Name extends keyof Schemas, Fields extends keyof Schema<Name>> = Pick<Schema<Name>, Fields> &
  Partial<Omit<Schema<Name>, Fields>>;
/** A configuration as it is read: its id and what a create must have. */
type Configured<Name extends keyof Schemas, Data extends keyof Schemas> = Promised<
  Name,
  Extract<'id' | RequiredFields<Schema<Data>>, keyof Schema<Name>>
>;

/* Records of messaging data, as they are read. */

/** A tag as it is read. */
export interface Tag extends Configured<'TagRecord', 'TagData'> {}
/** A template as it is read. */
export interface Template extends Configured<'TemplateRecord', 'TemplateData'> {}
/** An auto-reply as it is read. */
export interface AutoReply extends Configured<'AutoReplyRecord', 'AutoReplyData'> {}
/** A scenario as it is read. */
export interface Scenario extends Configured<'ScenarioRecord', 'ScenarioData'> {}
/** A form as it is read. */
export interface Form extends Configured<'FormRecord', 'FormDefinitionData'> {}
/** A rich menu as it is read. */
export interface RichMenu extends Configured<'RichMenuRecord', 'RichMenuData'> {}
/** A link as it is read. */
export interface Link extends Configured<'LinkRecord', 'LinkData'> {}
/** A route, a way by which friends are added, as it is read. */
export interface Route extends Configured<'RouteRecord', 'RouteData'> {}
/** A broadcast as it is read. This API never sends one. */
export interface Broadcast extends Configured<'BroadcastRecord', 'BroadcastData'> {}
/** A messaging account that the key can reach. */
export interface AccountRecord extends Promised<'AccountRecord', 'id'> {}
/** A friend as it is read. */
export interface Friend
  extends Promised<'FriendRecord', 'accountId' | 'userId' | 'notes' | 'status' | 'tagIds'> {}
/** A conversation with a friend. */
export interface Conversation extends Promised<'ConversationRecord', 'accountId' | 'userId'> {}
/** A message of a conversation. */
export interface Message extends Promised<'MessageRecord', 'id'> {}
/** One submission of a form. */
export interface FormSubmission extends Promised<'FormSubmissionRecord', 'id'> {}
/** A scenario that a friend is or was in. */
export interface FriendAutomation extends Promised<'FriendAutomationRecord', 'id'> {}
/** One click on a link. */
export interface LinkClick extends Promised<'LinkClickRecord', 'id'> {}
