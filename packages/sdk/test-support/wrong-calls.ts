/*
 * Wrong calls of the SDK, and the first message of TypeScript 5.9 about each. A message is short and says which field,
 * option or argument is wrong. Each piece of code is the body of an asynchronous function.
 */

/** What the code of a row may use. */
export const declarations = `import {
  createClient,
  type Friend,
  type OrgChatClient,
  OutcomeUnknownError,
  type SdkErrorCode,
  type Tag,
} from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

declare const client: OrgChatClient;
declare const id: string;
declare const tag: Tag;
declare const friend: Friend;
declare const error: unknown;
const broadcast = { accountId: id, title: 'News', target: 'all', tagIds: [], scheduledAt: null } as const;
const scenario = { name: 'S', accountId: null, trigger: 'manual', triggerTagId: null, active: true } as const;
const step = { delayValue: 1, delayUnit: 'days', sendTime: null, text: 'Hello' } as const;`;

interface WrongCall {
  readonly code: string;
  readonly message: string;
}

/** Row by row: the code and the message. */
const rows: readonly (readonly [code: string, ...message: string[]])[] = [
  [
    `await client.changeChat({ action: 'create-tag', data: { name: 'VIP', color: 'pink' } })`,
    `Type '"create-tag"' is not assignable to type '"create-tags" | "create-templates" | "create-auto-replies" | "create-scenarios" | "create-forms" | "create-rich-menus" | "create-links" | "create-routes" | "create-broadcasts" | ... 12 more ... | "enroll-scenario"'. Did you mean '"create-tags"'?`,
  ],
  [
    `await client.changeChat({ action: 'delete-tags', resource: 'tags', id, expectedRevision: 'r', expectedLabel: 'l' })`,
    `Type '"delete-tags"' is not assignable to type '"create-tags" | "create-templates" | "create-auto-replies" | "create-scenarios" | "create-forms" | "create-rich-menus" | "create-links" | "create-routes" | "create-broadcasts" | ... 12 more ... | "enroll-scenario"'.`,
  ],
  [
    `await client.readChat({ resource: 'tag' })`,
    `Type '"tag"' is not assignable to type '"accounts" | "tags" | "templates" | "auto-replies" | "scenarios" | "forms" | "rich-menus" | "links" | "routes" | "broadcasts" | "friends" | "conversations" | "messages" | "form-submissions" | "friend-automations" | "link-clicks"'. Did you mean '"tags"'?`,
  ],
  [
    `await client.readChat({ resource: 'messages', accountId: 'a' })`,
    `Argument of type '{ resource: "messages"; accountId: string; }' is not assignable to parameter of type '{ readonly resource: "messages"; } & ReadMessages'.`,
    `Property 'userId' is missing in type '{ resource: "messages"; accountId: string; }' but required in type 'ReadMessages'.`,
  ],
  [
    `await client.readChat({ resource: 'tags', search: 'x' })`,
    `Object literal may only specify known properties, and 'search' does not exist in type '{ readonly resource: "tags"; } & { readonly id?: Absent; } & ReadTags'.`,
  ],
  [
    `await client.readChat({ resource: 'accounts', id })`,
    `Object literal may only specify known properties, and 'id' does not exist in type '{ readonly resource: "accounts"; } & ReadAccounts'.`,
  ],
  [`await client.readChat({ resource: 'tags', id: 7 })`, `Type 'number' is not assignable to type 'string'.`],
  [
    `await client.readStudio({ resource: 'project' })`,
    `Type '"project"' is not assignable to type '"projects" | "documents" | "document"'. Did you mean '"projects"'?`,
  ],
  [
    `await client.readStudio({ resource: 'documents' })`,
    `Argument of type '{ resource: "documents"; }' is not assignable to parameter of type '{ readonly resource: "documents"; } & ReadDocuments'.`,
    `Property 'projectId' is missing in type '{ resource: "documents"; }' but required in type 'ReadDocuments'.`,
  ],
  [
    'createClient({ timeout: 5_000 })',
    `Object literal may only specify known properties, but 'timeout' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?`,
  ],
  [
    'createClient({ retries: 3 })',
    `Object literal may only specify known properties, and 'retries' does not exist in type 'ClientOptions'.`,
  ],
  [
    'createClient({ retry: { attempts: 3 } })',
    `Object literal may only specify known properties, and 'attempts' does not exist in type 'Partial<RetryOptions>'.`,
  ],
  [
    'createClient({ pacing: { perSecond: 1 } })',
    `Object literal may only specify known properties, and 'perSecond' does not exist in type 'PacingOptions'.`,
  ],
  [`createClient({ language: 'de' })`, `Type '"de"' is not assignable to type '"en" | "ja" | undefined'.`],
  [
    `createClient({ server: { server: 1, codes: { stale: 'X' } } })`,
    `Object literal may only specify known properties, and 'stale' does not exist in type 'CodesOption'.`,
  ],
  [`createClient({ journal: './journal' })`, `Type 'string' is not assignable to type 'Journal'.`],
  [
    'createClient({ fetch: (url: string) => fetch(url) })',
    `Type '(url: string) => Promise<Response>' is not assignable to type '(request: Request) => Promise<Response>'.`,
    `Types of parameters 'url' and 'request' are incompatible.`,
    `Type 'Request' is not assignable to type 'string'.`,
  ],
  ['createClient({ apiKey: 7 })', `Type 'number' is not assignable to type 'string'.`],
  [
    'createClient({ onEvent: (event) => event.status })',
    `Property 'status' does not exist on type 'ClientEvent'.`,
    `Property 'status' does not exist on type 'RequestEvent'.`,
  ],
  [
    `await client.tags.create({ name: 'VIP', color: 'red' })`,
    `Type '"red"' is not assignable to type '"neutral" | "blue" | "purple" | "brown" | "pink" | "orange" | "green"'.`,
  ],
  [
    `await client.tags.create({ name: 'VIP' })`,
    `Argument of type '{ name: string; }' is not assignable to parameter of type 'TagInput'.`,
    `Property 'color' is missing in type '{ name: string; }' but required in type 'TagInput'.`,
  ],
  [
    `await client.tags.create({ color: 'pink' })`,
    `Argument of type '{ color: "pink"; }' is not assignable to parameter of type 'TagInput'.`,
    `Property 'name' is missing in type '{ color: "pink"; }' but required in type 'TagInput'.`,
  ],
  [
    `await client.tags.create({ name: 'VIP', colour: 'pink' })`,
    `Object literal may only specify known properties, but 'colour' does not exist in type 'TagInput'. Did you mean to write 'color'?`,
  ],
  [
    `await client.tags.create({ name: 7, color: 'pink' })`,
    `Type 'number' is not assignable to type 'string'.`,
  ],
  [
    `await client.tags.create({ name: 'VIP', color: 'pink' }, { intents: ['a'] })`,
    `Object literal may only specify known properties, but 'intents' does not exist in type 'ChangeOptions'. Did you mean to write 'intent'?`,
  ],
  [
    `await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: 'a' })`,
    `Type 'string' is not assignable to type 'readonly IntentPart[]'.`,
  ],
  [
    `await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: [new Date()] })`,
    `Type 'Date' is not assignable to type 'IntentPart'.`,
    `Type 'Date' is not assignable to type '{ readonly [key: string]: IntentPart; }'.`,
    `Index signature for type 'string' is missing in type 'Date'.`,
  ],
  ['await client.tags.get(7)', `Argument of type 'number' is not assignable to parameter of type 'string'.`],
  [
    `await client.tags.update(id, { name: 'VIP', color: 'pink' })`,
    `Argument of type 'string' is not assignable to parameter of type 'Tag | RecordRef | undefined'.`,
  ],
  [
    `await client.tags.update({ id, label: 'VIP' }, { name: 'VIP', color: 'pink' })`,
    `Argument of type '{ id: string; label: string; }' is not assignable to parameter of type 'Tag | RecordRef | undefined'.`,
    `Property 'revision' is missing in type '{ id: string; label: string; }' but required in type 'RecordRef'.`,
  ],
  [
    `await client.tags.edit(id, { color: 'pink' })`,
    `Object literal may only specify known properties, and 'color' does not exist in type '(data: TagInput, record: Guarded<Tag>) => TagInput | Promise<TagInput>'.`,
  ],
  [
    `await client.tags.edit(id, () => ({ color: 'pink' }))`,
    `Type '{ color: "pink"; }' is not assignable to type 'TagInput | Promise<TagInput>'.`,
    `Property 'name' is missing in type '{ color: "pink"; }' but required in type 'TagInput'.`,
  ],
  [
    `await client.tags.edit(id, (data) => ({ ...data, color: 'red' }))`,
    `Type '"red"' is not assignable to type '"neutral" | "blue" | "purple" | "brown" | "pink" | "orange" | "green"'.`,
  ],
  [
    'await client.tags.edit(id, (data) => data, { operationId: id })',
    `Type 'string' is not assignable to type 'undefined'.`,
  ],
  [
    'await client.richMenus.delete(tag)',
    `Property 'delete' does not exist on type 'Configuration<"rich-menus">'.`,
  ],
  ['await client.tag.list()', `Property 'tag' does not exist on type 'OrgChatClient'. Did you mean 'tags'?`],
  [
    'await client.tags.list({ size: 5 })',
    `Object literal may only specify known properties, and 'size' does not exist in type 'ListOptions'.`,
  ],
  [
    'for (const t of await client.tags.list()) void t',
    `Type 'RecordPage<Tag>' must have a '[Symbol.iterator]()' method that returns an iterator.`,
  ],
  [
    'for await (const t of client.accounts.list()) void t',
    `Type 'Call<RecordPage<AccountRecord>>' must have a '[Symbol.asyncIterator]()' method that returns an async iterator.`,
  ],
  [
    `await client.tags.find({ label: 'VIP' })`,
    `Object literal may only specify known properties, and 'label' does not exist in type 'Partial<TagInput>'.`,
  ],
  [
    `await client.richMenus.sync([], { by: 'name', deleteOthers: true })`,
    `Type 'true' is not assignable to type 'false'.`,
  ],
  [`await client.tags.upsert({ name: 'VIP', color: 'pink' })`, 'Expected 2 arguments, but got 1.'],
  [
    `await client.tags.upsert({ name: 'VIP', color: 'pink' }, { by: 'color' })`,
    `Type '"color"' is not assignable to type '"name"'.`,
  ],
  [
    `const { result } = await client.tags.create({ name: 'VIP', color: 'pink' }); result.id`,
    `'result' is possibly 'undefined'.`,
  ],
  [
    'await client.friends.addTags(friend, id)',
    `Argument of type 'string' is not assignable to parameter of type 'readonly string[]'.`,
  ],
  [
    `await client.friends.setTags({ accountId: 'a', userId: 'U' }, [id])`,
    `Argument of type '{ accountId: string; userId: string; }' is not assignable to parameter of type 'Friend | GuardedFriend | undefined'.`,
    `Type '{ accountId: string; userId: string; }' is missing the following properties from type 'GuardedFriend': revision, label`,
  ],
  [
    `await client.friends.update(friend, { status: 'done' })`,
    `Type '"done"' is not assignable to type '"unread" | "in_progress" | "resolved" | undefined'.`,
  ],
  [
    `await client.friends.update(friend, { note: 'x' })`,
    `Object literal may only specify known properties, but 'note' does not exist in type 'FriendInput'. Did you mean to write 'notes'?`,
  ],
  [
    `await client.keywords.import('site', 'x')`,
    `Argument of type 'string' is not assignable to parameter of type '(Iterable<string> & object) | AsyncIterable<string>'.`,
  ],
  [`await client.keywords.add({ keywords: ['x'] })`, 'Expected 2-3 arguments, but got 1.'],
  [
    `await client.keywords.add('site', { keywords: 'x' })`,
    `Type 'string' is not assignable to type 'string[]'.`,
  ],
  [
    `await client.changeChat({ action: 'update-tags', id, data: { name: 'VIP', color: 'pink' } })`,
    `Argument of type '{ action: "update-tags"; id: string; data: { name: string; color: "pink"; }; }' is not assignable to parameter of type '{ readonly action: "update-tags"; } & UpdateTags'.`,
    `Type '{ action: "update-tags"; id: string; data: { name: string; color: "pink"; }; }' is missing the following properties from type 'UpdateTags': expectedRevision, expectedLabel`,
  ],
  [
    `await client.changeChat({ action: 'create-tags', data: { name: 'VIP', text: 'x' } })`,
    `Object literal may only specify known properties, and 'text' does not exist in type 'TagInput'.`,
  ],
  [
    `await client.changeChat({ action: 'delete-configuration', resource: 'rich-menus', id, expectedRevision: 'r', expectedLabel: 'l' })`,
    `Type '"rich-menus"' is not assignable to type '"tags" | "templates" | "auto-replies" | "scenarios" | "forms" | "links" | "routes" | "broadcasts"'.`,
  ],
  [
    `await client.changeChat({ action: 'create-tags' })`,
    `Argument of type '{ action: "create-tags"; }' is not assignable to parameter of type '{ readonly action: "create-tags"; } & CreateTags'.`,
    `Property 'data' is missing in type '{ action: "create-tags"; }' but required in type 'CreateTags'.`,
  ],
  [
    `await client.broadcasts.create({ ...broadcast, scheduledAt: '2026-01-01', messages: [{ type: 'text', text: 'x' }] })`,
    `Type 'string' is not assignable to type 'null'.`,
  ],
  [
    `await client.broadcasts.create({ ...broadcast, messages: [{ type: 'image', text: 'x' }] })`,
    `Object literal may only specify known properties, and 'text' does not exist in type 'ImageBlock'.`,
  ],
  [
    `await client.scenarios.create({ ...scenario, steps: [{ ...step, condition: { type: 'tag_exists', key: 'k' } }] })`,
    `Object literal may only specify known properties, and 'key' does not exist in type 'TagExistsCondition'.`,
  ],
  [
    `await client.scenarios.create({ ...scenario, steps: [{ ...step, condition: { type: 'tag', tagId: id } }] })`,
    `Type '"tag"' is not assignable to type '"tag_exists" | "tag_not_exists" | "metadata_equals" | "metadata_not_equals"'.`,
  ],
  [
    'await client.account({ operationId: id })',
    `Object literal may only specify known properties, and 'operationId' does not exist in type 'CallOptions'.`,
  ],
  [
    'await client.bulk([tag], { concurrency: 4 })',
    `Object literal may only specify known properties, and 'concurrency' does not exist in type '(item: Tag, context: BulkItemContext) => unknown'.`,
  ],
  [
    'await client.bulk([tag], (t) => client.tags.delete(t), { parallel: 4 })',
    `Object literal may only specify known properties, and 'parallel' does not exist in type 'BulkOptions'.`,
  ],
  [
    `const code: SdkErrorCode = 'STALE_REVISON'; void code`,
    `Type '"STALE_REVISON"' is not assignable to type 'SdkErrorCode'.`,
  ],
  [
    'if (error instanceof OutcomeUnknownError) await error.resume()',
    `Cannot invoke an object which is possibly 'undefined'.`,
  ],
  [
    `fileJournal('./x', { durables: true })`,
    `Object literal may only specify known properties, but 'durables' does not exist in type 'FileJournalOptions'. Did you mean to write 'durable'?`,
  ],
];

export const wrongCalls: readonly WrongCall[] = rows.map(([code, ...lines]) => ({
  code,
  message: lines.join('\n'),
}));

/** Returns a file with a function for each wrong call, and the line on which the code of each is. */
export function writeWrongCalls(): { readonly text: string; readonly lines: readonly number[] } {
  let text = `${declarations}\n`;
  const lines = wrongCalls.map(({ code }) => {
    const line = text.split('\n').length;
    text += `export const f${line} = async () => { ${code}; };\n`;
    return line;
  });
  return { text, lines };
}
