/// <reference lib="esnext.disposable" preserve="true" />

import type { BulkOptions, BulkOutcome } from './bulk/bulk.ts';
import type { BulkItemContext } from './bulk/bulk-item.ts';
import type { KeywordImportOptions, KeywordImportResult } from './keywords/import-options.ts';
import type { OperationsApi } from './operations/operations-api.ts';
import type { CallOptions, ChangeOptions, ClientOptions, WriteOptions } from './options/options.ts';
import type { Configuration, Deletable } from './resources/configuration.ts';
import type { Conversations, Friends } from './resources/friends.ts';
import type { ReadChat } from './resources/read-chat.ts';
import type { Studio } from './resources/studio.ts';
import type { Call } from './results/call-promise.ts';
import type {
  Account,
  AccountRecord,
  AddKeywordsInput,
  AddKeywordsResult,
  ChangeOf,
  ChatAction,
  ConfigurationResource,
  FormSubmission,
  LinkClick,
  RecordPage,
  ResultOf,
  StudioReadInput,
  StudioResults,
} from './types.ts';
import type { WatchEvent, WatchOptions, WatchTargets } from './watch/watch-options.ts';
import type { ChangeCall } from './write/require-result.ts';

/**
 * What a client has. `R` is the resource of the member that is asked for, so that all members that a generic function
 * may get as `client[resource]` have the same type.
 */
interface ClientMembers<R extends ConfigurationResource> {
  /**
   * Reads the organization, key, plan, credits and API use. Counts toward the monthly quota.
   *
   * @example
   * const { plan, api } = await client.account();
   * console.log(plan, `${api.used} of ${api.limit} requests this month`);
   */
  account(options?: CallOptions): Call<Account>;
  /**
   * Adds keywords to a site, as a raw request. `keywords.add` does the same.
   *
   * @param siteId The id of a site.
   * @example
   * const { added } = await client.addKeywords('demo-site', { keywords: ['summer'] });
   * console.log(added);
   */
  addKeywords(siteId: string, input: AddKeywordsInput, options?: WriteOptions): Call<AddKeywordsResult>;
  /**
   * Reads messaging data, such as tags and friends, as a raw request. The answer is handed on as it came.
   *
   * @example
   * const { records } = await client.readChat({ resource: 'tags', limit: 5 });
   */
  readonly readChat: ReadChat;
  /**
   * Applies one change, such as `create-tags`, as a raw request.
   *
   * @example
   * const data = { name: 'VIP', color: 'pink' } as const;
   * await client.changeChat({ action: 'create-tags', data }, { intent: ['set-up', 'vip'] });
   */
  changeChat<A extends ChatAction>(
    change: { readonly action: A } & ChangeOf<A>,
    options?: ChangeOptions,
  ): ChangeCall<ResultOf<A>>;
  /**
   * Reads projects and documents of Studio, as a raw request.
   *
   * @example
   * const { document } = await client.readStudio({ resource: 'document', projectId: project.id, documentId });
   * console.log(document.body);
   */
  readStudio<R extends StudioReadInput['resource']>(
    query: { readonly resource: R } & Extract<StudioReadInput, { resource: R }>,
    options?: CallOptions,
  ): Call<StudioResults[R]>;

  /**
   * Runs a function for each item of a list, several at a time. It resolves to a result per item: `done`, `failed`,
   * `unknown` or, after an abort, `skipped`. `resume()` runs what is not done again. Rejects only before the first item,
   * if an argument is wrong. If an asynchronous source fails, the outcome has its error as `sourceError`.
   *
   * @param items What to run for. It is read only as fast as it is worked on.
   * @param run What is done for one item, with the `intent` and `signal` of that item.
   * @example
   * const names = ['Gold', 'Silver'];
   * const outcome = await client.bulk(names, (name, { intent }) =>
   *   client.tags.create({ name, color: 'orange' }, { intent }).requireResult(),
   * );
   * if (outcome.isComplete) console.log(outcome.results.map(({ value }) => value.id));
   */
  bulk<T, R>(
    items: Iterable<T> | AsyncIterable<T>,
    run: (item: T, context: BulkItemContext) => R | PromiseLike<R>,
    options?: BulkOptions,
  ): Promise<BulkOutcome<T, R>>;
  /** Keywords of your sites. You can only add them. */
  readonly keywords: {
    /**
     * Adds up to 50 keywords to a site (4.2). They are sent again only if the first request provably never left or was
     * refused. Otherwise this rejects with `OutcomeUnknownError`: check the keywords of the site.
     *
     * @param siteId The id of a site.
     * @example
     * const { added, skipped } = await client.keywords.add('demo-site', { keywords: ['summer'], group: 'season' });
     */
    add(siteId: string, input: AddKeywordsInput, options?: WriteOptions): Call<AddKeywordsResult>;
    /**
     * Adds any number of keywords to a site, 50 per request and one request at a time (4.2). Resolves to the outcome of
     * each keyword. It ends at the first request whose outcome is unknown, and never sends one twice by itself; `resume()`
     * continues. Keywords are trimmed and sent once each. Rejects only before the first request: with `INVALID_INPUT`
     * if a keyword is longer than 80 characters, or with the error of the source if that fails.
     *
     * @param siteId The id of a site.
     * @param keywords The keywords, up to 80 characters each.
     * @example
     * const { added, skipped, unknown } = await client.keywords.import('demo-site', words, { group: 'season' });
     */
    import(
      siteId: string,
      // A string is an iterable of characters, which nobody means.
      keywords: (Iterable<string> & object) | AsyncIterable<string>,
      options?: KeywordImportOptions,
    ): Promise<KeywordImportResult>;
  };
  /** Accounts of the messaging platform. */
  readonly accounts: {
    /**
     * Lists the accounts that the key can reach.
     *
     * @example
     * for (const { id, name } of (await client.accounts.list()).records) console.log(id, name);
     */
    list(options?: CallOptions): Call<RecordPage<AccountRecord>>;
  };
  /** Labels for friends, each with a name and a color. */
  readonly tags: Configuration<R> & Deletable;
  /** Message texts that you keep for reuse. */
  readonly templates: Configuration<R> & Deletable;
  /** Replies that are sent when a message has a keyword. */
  readonly autoReplies: Configuration<'auto-replies'> & Deletable;
  /** `autoReplies` by the name that the API has for it, for code that has the name of a resource. */
  readonly 'auto-replies': Configuration<R> & Deletable;
  /** Series of messages, each sent after a delay. */
  readonly scenarios: Configuration<R> & Deletable;
  /** Forms for friends, with their submissions. */
  readonly forms: Configuration<R> &
    Deletable & {
      /**
       * Reads the latest submissions of a form. More exist if `limited` is true.
       *
       * @param id The id of the form.
       * @example
       * const { records } = await client.forms.submissions(form.id);
       * console.log(records.length);
       */
      submissions(id: string, options?: CallOptions): Call<RecordPage<FormSubmission>>;
    };
  /** Menus of an account, with areas to tap. This API neither publishes nor deletes them. */
  readonly richMenus: Configuration<'rich-menus'>;
  /** `richMenus` by the name that the API has for it, for code that has the name of a resource. */
  readonly 'rich-menus': Configuration<R>;
  /** Tracked links, with the clicks on them. */
  readonly links: Configuration<R> &
    Deletable & {
      /**
       * Reads the latest clicks on a link. More exist if `limited` is true.
       *
       * @param id The id of the link.
       * @example
       * const { records, limited } = await client.links.clicks(link.id);
       * console.log(records.length, limited);
       */
      clicks(id: string, options?: CallOptions): Call<RecordPage<LinkClick>>;
    };
  /** Acquisition routes, which show how friends were added. */
  readonly routes: Configuration<R> & Deletable;
  /** Drafts of messages to many friends. This API never sends them. */
  readonly broadcasts: Configuration<R> & Deletable;
  /** Friends of the accounts, with their notes, tags and messages. */
  readonly friends: Friends;
  /** The latest conversations with friends. */
  readonly conversations: Conversations;
  /** Projects and documents of the workspace, which you can only read. */
  readonly studio: Studio;
  /**
   * Watches incoming messages, form submissions and link clicks. The API has no webhooks, so this reads lists round after
   * round. Each record is delivered at least once, those of a round oldest first, those of a
   * friend in order. The cursor moves when the next event is asked for: an event whose loop ended with `break`, an error or
   * a crash comes again, with the same `id`. What the API does not show any more is a `gap`.
   *
   * A round in which nothing changed takes one request for messages (one per account if the list is `limited`), one per form
   * and one per link. The first also takes `account()`. After the first round, an outage of server or network only delays
   * the next one.
   *
   * Rejects before anything is sent with `INVALID_INPUT` or `INVALID_OPTIONS`, and with `CURSOR_IN_USE` (a `ConflictError`) if
   * another watcher has the cursor; `CURSOR_FAILED` if it cannot be read or written; `UNEXPECTED_SHAPE` (a `ServerError`) if
   * a list does not begin with its newest record, or a record has no id or time; `AbortedError` after an abort.
   *
   * @example
   * for await (const event of client.watch({ messages: true }, { since: 'all' })) {
   *   if (event.type === 'gap') console.log('Look at the inbox: messages may be missing since', event.since);
   *   if (event.type !== 'message') continue;
   *   console.log(event.friend.userId, event.record.text);
   *   break; // without it, this waits for the next message
   * }
   */
  watch(targets: WatchTargets, options?: WatchOptions): AsyncGenerator<WatchEvent>;
  /**
   * Creates a client with the options of this one, some of which you change. It has the same journal, and `headers` are
   * added to those of this one. `undefined` keeps an option.
   *
   * @example
   * const japanese = client.with({ language: 'ja', headers: { 'X-Team': 'orders' } });
   */
  with(options?: ClientOptions): OrgChatClient;
  /** Lists the writes in the journal, and finishes those that are open. */
  readonly operations: OperationsApi;
  /**
   * Waits for writes in progress, as `operations.drain()` does without options. A client need not be closed: this is for
   * `await using`. The client of `with()` drains alone. It is absent if the realm has no `Symbol.asyncDispose`, for example
   * a sandbox in Node 20.
   *
   * @example
   * await using own = createClient();
   * await own.account(); // at the end of the block, own[Symbol.asyncDispose]() is awaited
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A client of one organization. It reads and changes tags, friends and all other records, adds keywords, and applies
 * each change once.
 *
 * For a resource name in a variable, use `client[resource]`.
 *
 * @interface
 *
 * @example
 * // Creates an OrgChatClient from
 * // ORGCHAT_API_KEY and ORGCHAT_BASE_URL.
 * const client = createClient();
 * await client.tags.create({ name: 'VIP', color: 'pink' });
 * const { records } = await client.tags.list();
 * console.log(records);
 */
export type OrgChatClient = {
  // A mapped type, because TypeScript looks the type of `client[resource]` up by the type parameter only in one.
  readonly [Name in keyof ClientMembers<never>]: ClientMembers<Name & ConfigurationResource>[Name];
};
