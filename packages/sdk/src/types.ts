import type { components } from './generated/openapi.ts';
import type { dataFields } from './generated/resources.ts';

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

/**
 * The nine configuration resources, as the API spells them.
 *
 * @example
 * const resources: readonly ConfigurationResource[] = ['tags', 'auto-replies', 'rich-menus'];
 * for (const resource of resources) console.log(resource, (await client[resource].list({ limit: 1 })).total);
 */
export type ConfigurationResource = Exclude<keyof typeof dataFields, 'friends'>;
/**
 * The configuration resources whose records can be deleted: all but rich menus.
 *
 * @example
 * const remove = (resource: DeletableResource, record: RecordRef) => client[resource].delete(record);
 * await remove('tags', tag);
 */
export type DeletableResource = Schemas['DeleteConfiguration']['resource'];

/**
 * What a create or an update sends, by resource.
 *
 * @example
 * const copy = <R extends ConfigurationResource>(resource: R, data: ConfigurationInputs[R]) => client[resource].create(data);
 * await copy('templates', { name: 'Welcome', text: 'Hello!' });
 */
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
 *
 * @example
 * const byName: Map<string, ResourceRecords['tags']> = new Map();
 * for await (const one of client.tags.list()) byName.set(one.name, one);
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

/**
 * The sixteen resources that `readChat` accepts.
 *
 * @example
 * const lists: readonly ReadableResource[] = ['tags', 'friends', 'accounts'];
 * console.log(lists.includes('tags'));
 */
export type ReadableResource = Extract<keyof ResourceRecords, string>;

/**
 * A list as it is read. `limited` says that more records exist past these.
 *
 * @example
 * const isLast = ({ limited }: RecordPage<unknown>) => !limited;
 * console.log(isLast(await client.tags.list()));
 */
export interface RecordPage<T> {
  readonly records: T[];
  /** The number of all records, if the server says so. */
  readonly total?: number;
  /** Whether more records exist, if the server says so. */
  readonly limited?: boolean;
}

/**
 * A page of a list that is read page by page: the records that no earlier page had.
 *
 * @example
 * let last: ListedPage<Tag> | undefined;
 * for await (const page of client.tags.list({ maxItems: 70 }).pages()) last = page;
 * console.log(last?.nextOffset === undefined ? 'That was all.' : `Next: ${last.nextOffset}`);
 */
export interface ListedPage<T> extends RecordPage<T> {
  /** Offset of the next page, also where `maxItems` ended the list; undefined after the last page. */
  readonly nextOffset: number | undefined;
}

/**
 * One record as it is read by its id.
 *
 * @example
 * const { record }: SingleRecord<Tag> = await client.readChat({ resource: 'tags', id });
 * console.log(record.name);
 */
export interface SingleRecord<T> {
  readonly record: T;
}

/**
 * The `result` of a deletion.
 *
 * @example
 * const { result } = await client.tags.delete(tag);
 * const deleted: DeletionResult | undefined = result;
 * console.log(deleted?.id);
 */
export interface DeletionResult {
  readonly id: string;
  readonly deleted: true;
}

/**
 * The name of a change, such as `create-tags`.
 *
 * @example
 * const creates = (action: ChatAction) => action.startsWith('create-');
 * for (const { change } of await client.operations.list()) console.log(change && creates(change.action));
 */
export type ChatAction = Extract<ChatChange['action'], string>;

/**
 * One of several inputs. If the field that selects one is wrong, the compiler compares the other fields with any of
 * them. They match here, so that its one message is about that field.
 */
type AnyOf<Input> = Input & { readonly [Field in Input extends Input ? keyof Input : never]?: unknown };

/**
 * The change of an action.
 *
 * @example
 * const change: ChangeOf<'create-tags'> = { action: 'create-tags', data: { name: 'Gold', color: 'orange' } };
 * await client.changeChat(change);
 */
export type ChangeOf<A extends ChatAction> = [ChatAction] extends [A]
  ? AnyOf<ChatChange>
  : Extract<ChatChange, { action: A }>;

/**
 * The query of a resource.
 *
 * @example
 * const query: QueryOf<'friends'> = { resource: 'friends', search: 'a' };
 * console.log(await client.readChat(query));
 */
export type QueryOf<R extends ReadableResource> = [ReadableResource] extends [R]
  ? AnyOf<ChatReadInput>
  : Extract<ChatReadInput, { resource: R }>;

/**
 * The `result` of each action; assumed, as the records are.
 *
 * @example
 * const { result } = await client.changeChat({ action: 'create-tags', data: { name: 'Gold', color: 'orange' } });
 * const gold: ResultOf<'create-tags'> | undefined = result;
 * console.log(gold?.color);
 */
export type ResultOf<A extends ChatAction> = A extends `create-${infer R extends ConfigurationResource}`
  ? ResourceRecords[R]
  : A extends `update-${infer R extends ConfigurationResource}`
    ? ResourceRecords[R]
    : A extends 'delete-configuration'
      ? DeletionResult
      : A extends 'enroll-scenario'
        ? FriendAutomation
        : Friend;

/**
 * The answer of `readStudio`, by resource.
 *
 * @example
 * const { projects }: StudioResults['projects'] = await client.readStudio({ resource: 'projects' });
 * console.log(projects.length);
 */
export interface StudioResults {
  projects: StudioProjects;
  documents: StudioDocuments;
  document: StudioSingleDocument;
}

/**
 * A record with the fields that guard a change, as every record has that was read by its id. Rows of lists may lack them.
 *
 * @example
 * const tagged: Guarded<Tag> = await client.tags.get(id);
 * console.log(tagged.revision, tagged.label);
 */
export type Guarded<T> = T & { readonly revision: string; readonly label: string };

/**
 * The fields of a configuration record that guard a change. Every record that was read by its id has them.
 *
 * @example
 * const stored: RecordRef = { id: tag.id, revision: tag.revision, label: tag.label }; // enough for a change
 * await client.tags.delete(stored);
 */
export interface RecordRef {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/**
 * Names a friend.
 *
 * @example
 * const ref: FriendRef = { accountId, userId: friend.userId };
 * await client.friends.addTags(ref, [tag.id]);
 */
export interface FriendRef {
  readonly accountId: string;
  readonly userId: string;
}

/**
 * The fields of a friend that guard a change. Every friend that was read by its ids has them.
 *
 * @example
 * const { accountId: account, userId, revision, label } = friend;
 * const guarded: GuardedFriend = { accountId: account, userId, revision, label };
 * await client.friends.setTags(guarded, []);
 */
export interface GuardedFriend extends FriendRef {
  readonly revision: string;
  readonly label: string;
}
