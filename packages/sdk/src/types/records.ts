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

/**
 * A tag as it is read.
 *
 * @example
 * const colors = (tags: readonly Tag[]) => new Set(tags.map(({ color }) => color));
 * console.log(colors(await client.tags.list().toArray()));
 */
export interface Tag extends Configured<'TagRecord', 'TagData'> {}
/**
 * A template as it is read.
 *
 * @example
 * const template: Template | undefined = await client.templates.list().first();
 * console.log(template?.text);
 */
export interface Template extends Configured<'TemplateRecord', 'TemplateData'> {}
/**
 * An auto-reply as it is read.
 *
 * @example
 * const isActive = ({ active }: AutoReply) => active;
 * console.log((await client.autoReplies.list().toArray()).filter(isActive).length);
 */
export interface AutoReply extends Configured<'AutoReplyRecord', 'AutoReplyData'> {}
/**
 * A scenario as it is read.
 *
 * @example
 * const length = ({ steps }: Scenario) => steps.length;
 * console.log(length(await client.scenarios.get(scenario.id)));
 */
export interface Scenario extends Configured<'ScenarioRecord', 'ScenarioData'> {}
/**
 * A form as it is read.
 *
 * @example
 * const required = ({ fields }: Form) => fields.filter((field) => field.required).map(({ label }) => label);
 * console.log(required(await client.forms.get(form.id)));
 */
export interface Form extends Configured<'FormRecord', 'FormDefinitionData'> {}
/**
 * A rich menu as it is read.
 *
 * @example
 * const menus: RichMenu[] = await client.richMenus.list().toArray();
 * console.log(menus.map(({ chatBarText }) => chatBarText));
 */
export interface RichMenu extends Configured<'RichMenuRecord', 'RichMenuData'> {}
/**
 * A link as it is read.
 *
 * @example
 * const host = ({ url }: Link) => new URL(url).host;
 * console.log(host(await client.links.get(link.id)));
 */
export interface Link extends Configured<'LinkRecord', 'LinkData'> {}
/**
 * A route, a way by which friends are added, as it is read.
 *
 * @example
 * const routes: Route[] = await client.routes.list().toArray();
 * console.log(routes.map(({ name }) => name));
 */
export interface Route extends Configured<'RouteRecord', 'RouteData'> {}
/**
 * A broadcast as it is read. This API never sends one.
 *
 * @example
 * const toAll = ({ target }: Broadcast) => target === 'all';
 * console.log((await client.broadcasts.list().toArray()).some(toAll));
 */
export interface Broadcast extends Configured<'BroadcastRecord', 'BroadcastData'> {}
/**
 * A messaging account that the key can reach.
 *
 * @example
 * const [first]: AccountRecord[] = (await client.accounts.list()).records;
 * console.log(first?.id, first?.name);
 */
export interface AccountRecord extends Promised<'AccountRecord', 'id'> {}
/**
 * A friend as it is read.
 *
 * @example
 * const isVip = ({ tagIds }: Friend) => tagIds.includes(tag.id);
 * console.log((await client.friends.list().toArray()).filter(isVip).length);
 */
export interface Friend
  extends Promised<'FriendRecord', 'accountId' | 'userId' | 'notes' | 'status' | 'tagIds'> {}
/**
 * A conversation with a friend.
 *
 * @example
 * const preview = ({ displayName, lastMessageText }: Conversation) => `${displayName}: ${lastMessageText}`;
 * console.log((await client.conversations.list()).records.map(preview));
 */
export interface Conversation extends Promised<'ConversationRecord', 'accountId' | 'userId'> {}
/**
 * A message of a conversation.
 *
 * @example
 * const fromFriend = ({ direction }: Message) => direction === 'incoming';
 * console.log((await client.friends.messages(friend)).records.filter(fromFriend).length);
 */
export interface Message extends Promised<'MessageRecord', 'id'> {}
/**
 * One submission of a form.
 *
 * @example
 * const answers = ({ values }: FormSubmission) => Object.entries(values ?? {});
 * console.log((await client.forms.submissions(form.id)).records.map(answers));
 */
export interface FormSubmission extends Promised<'FormSubmissionRecord', 'id'> {}
/**
 * A scenario that a friend is or was in.
 *
 * @example
 * const isRunning = ({ status }: FriendAutomation) => status === 'active';
 * console.log((await client.friends.automations(friend)).records.some(isRunning));
 */
export interface FriendAutomation extends Promised<'FriendAutomationRecord', 'id'> {}
/**
 * One click on a link.
 *
 * @example
 * const known = ({ userId }: LinkClick) => userId !== null;
 * console.log((await client.links.clicks(link.id)).records.filter(known).length);
 */
export interface LinkClick extends Promised<'LinkClickRecord', 'id'> {}
