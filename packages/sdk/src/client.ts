import { refuseBrowserPage } from './browser.ts';
import { createClientContext } from './client-context.ts';
import type { KeywordImportOptions, KeywordImportResult } from './keywords/import-options.ts';
import type { ChangeOutcome } from './operations/change-outcome.ts';
import { createOperationsApi, type OperationsApi } from './operations/operations-api.ts';
import type { CallOptions, ClientOptions, WriteOptions } from './options.ts';
import { type ApiResponse, type Call, startCall } from './pipeline/call-promise.ts';
import {
  createChatApi,
  getAccount,
  type ReadQuery,
  readStudio,
  serializeInput,
} from './pipeline/endpoints.ts';
import { resolveHeaders } from './pipeline/request-headers.ts';
import type { BulkOptions, BulkOutcome } from './resources/bulk.ts';
import type { BulkItemContext } from './resources/bulk-item.ts';
import { type Configuration, createConfiguration, type Deletable } from './resources/configuration.ts';
import { type Conversations, createFriends, type Friends } from './resources/friends.ts';
import { readBoundedList } from './resources/lists.ts';
import { requireId } from './resources/record-arguments.ts';
import { createStudio, type Studio } from './resources/studio.ts';
import type {
  Account,
  AccountRecord,
  AddKeywordsInput,
  AddKeywordsResult,
  ChangeOf,
  ChatAction,
  ConfigurationResource,
  DeletableResource,
  FormSubmission,
  FriendRef,
  LinkClick,
  QueryOf,
  ReadableResource,
  RecordPage,
  ResourceRecords,
  ResultOf,
  SingleRecord,
  StudioReadInput,
  StudioResults,
} from './types.ts';

type Deleting<R extends DeletableResource> = Configuration<R> & Deletable;

/** `readChat`, typed by resource: one record if the query names one, otherwise a page. */
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
  /** Reads the organization, key, plan, credits and API use. Counts toward the monthly quota. */
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
  ): Call<StudioResults[R]>;

  /**
   * Runs `run` for each item, several at a time, and resolves to a result per item: `done`, `failed`, `unknown` or, after
   * an abort, `skipped`. `resume()` runs what is not done again. Rejects only before the first item, if an argument is
   * wrong. If an asynchronous source fails, the outcome has its error as `sourceError`.
   *
   * @example
   * const names = ['Gold', 'Silver'];
   * const { results, resume } = await client.bulk(names, (name, { intent }) =>
   *   client.tags.create({ name, color: 'orange' }, { intent }),
   * );
   */
  bulk<T, R>(
    items: Iterable<T> | AsyncIterable<T>,
    run: (item: T, context: BulkItemContext) => R | PromiseLike<R>,
    options?: BulkOptions,
  ): Promise<BulkOutcome<T, R>>;
  readonly keywords: {
    /**
     * Adds up to 50 keywords to a site (4.2). They are sent again only if the first request provably never left or was
     * refused. Otherwise this rejects with `OutcomeUnknownError`: check the keywords of the site.
     *
     * @example
     * const { added, skipped } = await client.keywords.add('demo-site', { keywords: ['summer'], group: 'season' });
     */
    add(siteId: string, input: AddKeywordsInput, options?: WriteOptions): Call<AddKeywordsResult>;
    /**
     * Adds any number of keywords to a site, 50 per request and one request at a time (4.2). Resolves to the outcome of
     * each keyword. It ends at the first request whose outcome is unknown, and never sends one twice by itself; `resume()`
     * continues. Keywords are trimmed and sent once each. Rejects only before the first request, with `INVALID_INPUT` if
     * a keyword is longer than 80 characters, or as the source of the keywords does.
     *
     * @example
     * const { added, skipped, unknown } = await client.keywords.import('demo-site', words, { group: 'season' });
     */
    import(
      siteId: string,
      keywords: Iterable<string> | AsyncIterable<string>,
      options?: KeywordImportOptions,
    ): Promise<KeywordImportResult>;
  };
  readonly accounts: {
    /** Lists the accounts that the key can reach. */
    list(options?: CallOptions): Call<RecordPage<AccountRecord>>;
  };
  readonly tags: Deleting<'tags'>;
  readonly templates: Deleting<'templates'>;
  readonly autoReplies: Deleting<'auto-replies'>;
  readonly scenarios: Deleting<'scenarios'>;
  readonly forms: Deleting<'forms'> & {
    /** Reads the latest submissions of a form; `limited` says that there are more. */
    submissions(id: string, options?: CallOptions): Call<RecordPage<FormSubmission>>;
  };
  /** Rich menus cannot be deleted by this API, and are never published by it. */
  readonly richMenus: Configuration<'rich-menus'>;
  readonly links: Deleting<'links'> & {
    /** Reads the latest clicks on a link; `limited` says that there are more. */
    clicks(id: string, options?: CallOptions): Call<RecordPage<LinkClick>>;
  };
  readonly routes: Deleting<'routes'>;
  /** Drafts: this API never sends them. */
  readonly broadcasts: Deleting<'broadcasts'>;
  readonly friends: Friends;
  readonly conversations: Conversations;
  readonly studio: Studio;
  /**
   * Creates a client with other options besides those of this one: the same journal, and `headers` that add to its own.
   * `undefined` keeps an option.
   *
   * @example
   * const japanese = client.with({ language: 'ja', headers: { traceparent } });
   */
  with(options?: ClientOptions): OrgChatClient;
  /** The operations in the journal, and the means to finish them. */
  readonly operations: OperationsApi;
}

/**
 * Creates a client. Nothing is sent, and `fetch` is not used, before the first call.
 *
 * @example
 * const client = createClient({ apiKey: process.env.ORGCHAT_API_KEY, baseUrl: 'https://example.com/api/v1' });
 * const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
 */
export function createClient(options: ClientOptions = {}): OrgChatClient {
  refuseBrowserPage();
  const context = createClientContext(options);
  const operations = createOperationsApi(context);
  let organizationId: string | undefined;
  async function account(call?: CallOptions): Promise<ApiResponse<Account>> {
    const answer = await getAccount(context, call);
    organizationId = answer.data.organizationId;
    return answer;
  }
  const api = {
    ...createChatApi(context, operations.resume),
    organizationId: async (call: CallOptions) => organizationId ?? (await account(call)).data.organizationId,
  };
  const readStudioAs = <R extends StudioReadInput['resource']>(query: object, call?: CallOptions) =>
    readStudio(context, query as StudioReadInput, call) as Promise<ApiResponse<StudioResults[R]>>;
  // This API has no way to delete a rich menu.
  const { delete: _, ...richMenus } = createConfiguration(api, 'rich-menus');
  const addKeywords = (siteId: string, input: AddKeywordsInput, call?: WriteOptions) =>
    startCall(async () => {
      const frozen = serializeInput(input);
      const { addSeoKeywords } = await import('./on-demand.ts');
      return addSeoKeywords(context, siteId, frozen, call);
    });

  return {
    account: (call) => startCall(() => account(call)),
    addKeywords,
    readChat: ((query: ReadQuery, call?: CallOptions) => startCall(() => api.read(query, call))) as ReadChat,
    changeChat: (change, call) => startCall(() => api.change(change, call)),
    readStudio: (query, call) => startCall(() => readStudioAs(query, call)),
    async bulk(items, run, given) {
      const { runBulk } = await import('./on-demand.ts');
      return runBulk(context, items, run, given);
    },
    keywords: {
      add: addKeywords,
      async import(siteId, keywords, given) {
        const options = { ...given };
        const { importKeywords } = await import('./on-demand.ts');
        return importKeywords(context, siteId, keywords, options);
      },
    },
    accounts: {
      list: (call) => readBoundedList(api, () => ({ query: { resource: 'accounts' }, options: call })),
    },
    tags: createConfiguration(api, 'tags'),
    templates: createConfiguration(api, 'templates'),
    autoReplies: createConfiguration(api, 'auto-replies'),
    scenarios: createConfiguration(api, 'scenarios'),
    forms: {
      ...createConfiguration(api, 'forms'),
      submissions: (id, call) =>
        readBoundedList(api, () => ({
          query: { resource: 'form-submissions', id: requireId(id) },
          options: call,
        })),
    },
    richMenus,
    links: {
      ...createConfiguration(api, 'links'),
      clicks: (id, call) =>
        readBoundedList(api, () => ({
          query: { resource: 'link-clicks', id: requireId(id) },
          options: call,
        })),
    },
    routes: createConfiguration(api, 'routes'),
    broadcasts: createConfiguration(api, 'broadcasts'),
    friends: createFriends(api),
    conversations: {
      list: (given) =>
        readBoundedList(api, () => {
          const { accountId, ...options } = given ?? {};
          return { query: { resource: 'conversations', accountId }, options };
        }),
    },
    with(given) {
      const more = { ...given };
      const changed = Object.entries(more).filter(([, value]) => value !== undefined);
      // A spread would drop or misread what is not a plain object.
      resolveHeaders(more.headers);
      const headers = { ...options.headers, ...more.headers };
      return createClient({ ...options, journal: context.journal, ...Object.fromEntries(changed), headers });
    },
    studio: createStudio(readStudioAs),
    operations,
  };
}
