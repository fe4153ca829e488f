import { guardsOf } from './assumed.ts';
import * as bare from './bare.ts';
import { refuseBrowserPage } from './browser.ts';
import { type Answered, type Call, callOf } from './call-promise.ts';
import { createCore } from './core.ts';
import type { Derived } from './operation.ts';
import { type OperationsApi, operationsOf } from './operations.ts';
import type { CallOptions, ClientOptions, WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';
import { type Configuration, configuration, type Deletable } from './resources/configuration.ts';
import { type Conversations, type Friends, friends } from './resources/friends.ts';
import { boundedList, guards, idOf } from './resources/guarded.ts';
import type { Operations } from './resources/operations-of.ts';
import { type Studio, studio } from './resources/studio.ts';
import type {
  Account,
  AccountRecord,
  AddKeywordsInput,
  AddKeywordsResult,
  ChangeOf,
  ChatAction,
  ChatReadInput,
  ConfigurationResource,
  DeletableResource,
  FormSubmissionRecord,
  FriendRef,
  LinkClickRecord,
  QueryOf,
  ReadableResource,
  RecordPage,
  ResourceRecords,
  ResultOf,
  SingleRecord,
  StudioAnswers,
  StudioReadInput,
} from './types.ts';

type RecordGuards = Parameters<typeof guardsOf>[0];
type Deleting<R extends DeletableResource> = Configuration<R> & Deletable;

/** `readChat`, typed by resource: one record where it is named, else a page. */
export interface ReadChat {
  <R extends ConfigurationResource>(
    query: { readonly resource: R; readonly id: string },
    options?: CallOptions,
  ): Call<SingleRecord<ResourceRecords[R]>>;
  (
    query: { readonly resource: 'friends' } & FriendRef,
    options?: CallOptions,
  ): Call<SingleRecord<ResourceRecords['friends']>>;
  <R extends ReadableResource>(
    query: { readonly resource: R } & QueryOf<R>,
    options?: CallOptions,
  ): Call<RecordPage<ResourceRecords[R]>>;
}

/** A client of one organization. It has no state to close. */
export interface OrgChatClient {
  /** The organization, key, plan, credits and API use behind the key. Counts toward the monthly quota. */
  account(options?: CallOptions): Call<Account>;
  /** The bare operation behind `keywords.add`. */
  addKeywords(siteId: string, input: AddKeywordsInput, options?: WriteOptions): Call<AddKeywordsResult>;
  /**
   * Reads messaging data: the bare operation behind the resource objects. The answer is handed on as it came.
   *
   * @example
   * const { records } = await client.readChat({ resource: 'tags', limit: 5 });
   */
  readonly readChat: ReadChat;
  /**
   * Applies one change: the bare operation behind the resource objects.
   *
   * @example
   * await client.changeChat({ action: 'create-tags', data: { name: 'VIP', color: 'pink' } }, { operationId });
   */
  changeChat<A extends ChatAction>(
    change: { readonly action: A } & ChangeOf<A>,
    options?: WriteOptions,
  ): Call<ChangeOutcome<ResultOf<A>>>;
  /** Reads Studio, typed by resource. */
  readStudio<R extends StudioReadInput['resource']>(
    query: { readonly resource: R } & Extract<StudioReadInput, { resource: R }>,
    options?: CallOptions,
  ): Call<StudioAnswers[R]>;

  readonly keywords: {
    /**
     * Adds one to fifty keywords to a site. Sent again only where the first request provably never left or was
     * refused; else it is `OutcomeUnknownError`, and the site's keywords tell.
     *
     * @example
     * const { added, skipped } = await client.keywords.add('demo-site', { keywords: ['summer'], group: 'season' });
     */
    add(siteId: string, input: AddKeywordsInput, options?: WriteOptions): Call<AddKeywordsResult>;
  };
  readonly accounts: {
    /** The accounts the key can reach. */
    list(options?: CallOptions): Call<RecordPage<AccountRecord>>;
  };
  readonly tags: Deleting<'tags'>;
  readonly templates: Deleting<'templates'>;
  readonly autoReplies: Deleting<'auto-replies'>;
  readonly scenarios: Deleting<'scenarios'>;
  readonly forms: Deleting<'forms'> & {
    /** The latest submissions of a form; `limited` says that there are more. */
    submissions(id: string, options?: CallOptions): Call<RecordPage<FormSubmissionRecord>>;
  };
  /** Rich menus cannot be deleted by this API, and are never published by it. */
  readonly richMenus: Configuration<'rich-menus'>;
  readonly links: Deleting<'links'> & {
    /** The latest clicks on a link; `limited` says that there are more. */
    clicks(id: string, options?: CallOptions): Call<RecordPage<LinkClickRecord>>;
  };
  readonly routes: Deleting<'routes'>;
  /** Drafts: this API never sends them. */
  readonly broadcasts: Deleting<'broadcasts'>;
  readonly friends: Friends;
  readonly conversations: Conversations;
  readonly studio: Studio;
  /** What the journal knows, and the means to finish it. */
  readonly operations: OperationsApi & {
    /**
     * Reads what a change was about and says what that proves of it: `applied`, `not-applied` as of then, or
     * `cannot-tell`, with the evidence and the records it rests on. Writes nothing. It takes an error, an entry or an id.
     *
     * @example
     * const { verdict, evidence, records } = await client.operations.reconcile(error);
     */
    reconcile(
      operation: string | { readonly operationId?: string | undefined },
      options?: CallOptions,
    ): Promise<Reconciliation>;
  };
}

/**
 * Makes a client. Nothing is sent, and nothing of `fetch` is touched, before the first call.
 *
 * @example
 * const client = createClient({ apiKey: process.env.ORGCHAT_API_KEY, baseUrl: 'https://example.com/api/v1' });
 * const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
 */
export function createClient(options: ClientOptions = {}): OrgChatClient {
  refuseBrowserPage();
  const core = createCore(options);
  const operations = operationsOf(core);
  // The contract leaves the content of answers open; assumed.ts checks what the resource objects rely on.
  const api: Operations = {
    read: <A extends object>(query: object, call?: CallOptions) =>
      bare.readChat(core, query as ChatReadInput, call) as Promise<Answered<A>>,
    change: async <R>(
      change: object,
      call?: WriteOptions,
      from?: RecordGuards,
      derived: Derived | undefined = from && guards,
    ) => {
      const whole = { ...change, ...(from && guardsOf(from)) };
      return bare.changeChat(
        core,
        whole as ChangeOf<ChatAction>,
        call,
        operations.resume,
        derived,
      ) as Promise<Answered<ChangeOutcome<R>>>;
    },
  };
  const readStudio = <R extends StudioReadInput['resource']>(query: object, call?: CallOptions) =>
    bare.readStudio(core, query as StudioReadInput, call) as Promise<Answered<StudioAnswers[R]>>;
  // This API has no way to delete a rich menu.
  const { delete: _, ...richMenus } = configuration(api, 'rich-menus');
  const addKeywords = (siteId: string, input: AddKeywordsInput, call?: WriteOptions) =>
    callOf(() => bare.addKeywords(core, siteId, input, call));

  return {
    account: (call) => callOf(() => bare.account(core, call)),
    addKeywords,
    readChat: ((query: object, call?: CallOptions) => callOf(() => api.read(query, call))) as ReadChat,
    changeChat: (change, call) => callOf(() => api.change(change, call)),
    readStudio: (query, call) => callOf(() => readStudio(query, call)),
    keywords: { add: addKeywords },
    accounts: {
      list: (call) => boundedList(api, () => ({ query: { resource: 'accounts' }, options: call })),
    },
    tags: configuration(api, 'tags'),
    templates: configuration(api, 'templates'),
    autoReplies: configuration(api, 'auto-replies'),
    scenarios: configuration(api, 'scenarios'),
    forms: {
      ...configuration(api, 'forms'),
      submissions: (id, call) =>
        boundedList(api, () => ({ query: { resource: 'form-submissions', id: idOf(id) }, options: call })),
    },
    richMenus,
    links: {
      ...configuration(api, 'links'),
      clicks: (id, call) =>
        boundedList(api, () => ({ query: { resource: 'link-clicks', id: idOf(id) }, options: call })),
    },
    routes: configuration(api, 'routes'),
    broadcasts: configuration(api, 'broadcasts'),
    friends: friends(api),
    conversations: {
      list: (given) =>
        boundedList(api, () => {
          const { accountId, ...options } = given ?? {};
          return { query: { resource: 'conversations', accountId }, options };
        }),
    },
    studio: studio(readStudio),
    operations: {
      ...operations,
      reconcile: (operation, call) => reconcile(core, api, operation, call),
    },
  };
}
