import { refuseBrowserPage } from './browser.ts';
import { runBulk } from './bulk/bulk.ts';
import { createClientContext } from './client-context.ts';
import type { OrgChatClient } from './client-interface.ts';
import { createInvalidOptionsError } from './errors/refused.ts';
import { importKeywords } from './keywords/import-keywords.ts';
import { readBoundedList } from './lists/record-list.ts';
import { createOperationsMethods } from './operations/operations-methods.ts';
import type { CallOptions, ClientOptions, WriteOptions } from './options/options.ts';
import { resolveHeaders } from './options/request-headers.ts';
import { createChatApi } from './pipeline/chat-api.ts';
import { getAccount, readStudio } from './pipeline/endpoints.ts';
import { addSeoKeywords } from './pipeline/keyword-writes.ts';
import { createConfiguration } from './resources/configuration.ts';
import { createFriends } from './resources/friends.ts';
import type { ReadChat } from './resources/read-chat.ts';
import { createStudio } from './resources/studio.ts';
import type { UpsertApi } from './resources/upsert-writes.ts';
import { type ApiResponse, startCall } from './results/call-promise.ts';
import { iterateHere, runHere } from './results/call-site.ts';
import { requireAnswer } from './shapes/answer-shapes.ts';
import { requireId } from './shapes/record-arguments.ts';
import type { ReadQuery } from './types/read-query.ts';
import type { Account, AddKeywordsInput, StudioReadInput, StudioResults } from './types.ts';
import { prepareWatch } from './watch/watch.ts';
import { serializeInput } from './write/input.ts';
import { startChange } from './write/require-result.ts';
import type { WritesInProgress } from './write/writes-in-progress.ts';

/**
 * Creates a client. Nothing is sent, and `fetch` is not used, before the first call.
 *
 * @example
 * const client = createClient({ apiKey: process.env.ORGCHAT_API_KEY, baseUrl: 'https://example.com/api/v1' });
 * const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
 */
export function createClient(options: ClientOptions = {}): OrgChatClient {
  refuseBrowserPage();
  return createClientWithin(options);
}

/** Creates a client whose writes the `drain()` of other clients waits for. */
function createClientWithin(
  options: ClientOptions,
  parentWrites?: readonly WritesInProgress[],
): OrgChatClient {
  const context = createClientContext(options, parentWrites);
  const operations = createOperationsMethods(context, (apiKey) =>
    createClientContext({ ...options, apiKey }),
  );
  let organizationId: string | undefined;
  async function account(call?: CallOptions): Promise<ApiResponse<Account>> {
    const answer = await getAccount(context, call);
    requireAnswer('getAccount', 'account', answer, answer.data);
    organizationId = answer.data.organizationId;
    return answer;
  }
  const api = {
    ...createChatApi(context, operations.resume),
    target: context.target,
    paced: context,
    organizationId: async (call: CallOptions) => organizationId ?? (await account(call)).data.organizationId,
  };
  const readStudioAs = <R extends StudioReadInput['resource']>(query: object, call?: CallOptions) =>
    readStudio(context, query as StudioReadInput, call) as Promise<ApiResponse<StudioResults[R]>>;
  // This API has no way to delete a rich menu.
  const { delete: _, ...richMenus } = createConfiguration(api, 'rich-menus');
  const autoReplies = createConfiguration(api, 'auto-replies');
  const addKeywords = (siteId: string, input: AddKeywordsInput, call?: WriteOptions) =>
    startCall(async () => {
      const frozen = serializeInput(input);
      return addSeoKeywords(context, siteId, frozen, call);
    });

  const client: OrgChatClient = {
    account: (call) => startCall(() => account(call)),
    addKeywords,
    readChat: ((query: object, call?: CallOptions) =>
      startCall(() => api.read(query as ReadQuery, call))) as ReadChat,
    changeChat: (change, call) => startChange(() => api.change(change, call)),
    readStudio: (query, call) => startCall(() => readStudioAs(query, call)),
    bulk: (items, run, given) =>
      runHere(() => {
        const copied = copyItems(items);
        return runBulk(context, copied, run, given);
      }),
    keywords: {
      add: addKeywords,
      import: (siteId, keywords, given) =>
        runHere(() => {
          // Anything but an object is refused where the options are checked.
          const options = typeof given === 'object' ? { ...given } : given;
          const copied = copyItems(keywords);
          return importKeywords(context, siteId, copied, options);
        }),
    },
    accounts: {
      list: (call) => readBoundedList(api, () => ({ query: { resource: 'accounts' }, options: call })),
    },
    tags: createConfiguration(api, 'tags'),
    templates: createConfiguration(api, 'templates'),
    autoReplies,
    'auto-replies': autoReplies,
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
    'rich-menus': richMenus,
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
    watch(targets, options) {
      const { perMinute } = context.callOptions;
      const start = prepareWatch(targets, options);
      return iterateHere(() => start({ ...api, account, perMinute }));
    },
    with(given) {
      const more = { ...given };
      const changed = Object.entries(more).filter(([, value]) => value !== undefined);
      // A spread would drop or misread what is not a plain object.
      resolveHeaders(more.headers);
      const headers = { ...options.headers, ...more.headers };
      const all = { ...options, journal: context.journal, ...Object.fromEntries(changed), headers };
      return createClientWithin(all, context.writes);
    },
    studio: createStudio(readStudioAs),
    operations,
    // A sandbox in Node 20 does not have the symbol.
    ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: async () => void (await operations.drain()) }),
  };
  apis.set(client, api);
  return client;
}

/** What the resource objects of each client are built on. */
const apis = new WeakMap<OrgChatClient, UpsertApi>();

/** Returns what the resource objects of a client are built on. */
export function getChatApi(client: OrgChatClient): UpsertApi {
  const api = apis.get(client);
  if (api === undefined) throw createInvalidOptionsError('This client was not made by createClient().');
  return api;
}

/** Copies items that are in memory, so that a list may be emptied or filled again right after the call. */
function copyItems<T>(items: Iterable<T> | AsyncIterable<T>): Iterable<T> | AsyncIterable<T> {
  return Array.isArray(items) || items instanceof Set ? [...items] : items;
}
