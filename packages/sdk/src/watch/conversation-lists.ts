import { createInvalidInputError, NotFoundError } from '../errors/refused.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { toComparableId, uniqueIds } from '../shapes/ids.ts';
import { isCutPage, type ListedRows, readListedRows } from './listed-rows.ts';

type ReadApi = Pick<ChatApi, 'read' | 'shapes'>;

/** The conversations of one account. */
export interface AccountConversations {
  /** As ids are compared. */
  readonly accountId: string;
  /** Undefined if the account has none, or is not there any more. */
  readonly listed: ListedRows | undefined;
}

/** Reads the conversations, by account. */
export interface ConversationReader {
  /** Whether an account that is not among the lists is not there any more. */
  readonly knowsAll: boolean;
  /** `isFirst`: an account that is not found rejects. */
  read(api: ReadApi, options: CallOptions, isFirst: boolean): Promise<readonly AccountConversations[]>;
  /** Returns how many requests a round takes in which nothing changed. */
  countRequests(): number;
}

/** After this many rounds that read a list per account, the list of all shows whether there are other accounts. */
const roundsPerSearch = 10;

/** Splits the list of all accounts into a list per account. */
function splitByAccount(all: ListedRows): AccountConversations[] {
  const ids = all.rows.map(({ accountId }) => toComparableId(String(accountId)));
  return [...new Set(ids)].map((accountId) => {
    const isOfAccount = (index: number): boolean => ids[index] === accountId;
    const rows = all.rows.filter((_, index) => isOfAccount(index));
    const times = all.times.filter((_, index) => isOfAccount(index));
    return { accountId, listed: { ...all, rows, times } };
  });
}

/** Reads the conversations of an account. One that is not found has no list, if it `mayBeGone`. */
async function readAccount(
  api: ReadApi,
  id: string,
  options: CallOptions,
  mayBeGone = true,
): Promise<AccountConversations> {
  const accountId = toComparableId(id);
  try {
    const listed = await readListedRows(api, { resource: 'conversations', accountId: id }, options);
    return { accountId, listed };
  } catch (error) {
    if (!mayBeGone || !(error instanceof NotFoundError)) throw error;
    return { accountId, listed: undefined };
  }
}

/**
 * Creates what reads the conversations of all accounts: in one list if that shows all of them, otherwise in a list per
 * account.
 */
export function createConversationReader(): ConversationReader {
  let accountIds: readonly string[] | undefined;
  let rounds = 0;

  async function findAccounts(
    api: ReadApi,
    all: ListedRows,
    options: CallOptions,
  ): Promise<readonly string[]> {
    const query = { resource: 'accounts' } as const;
    const answer = api.shapes.toPage<{ id: string }>('accounts', await api.read(query, options), 'any');
    const { records } = answer.data;
    if (isCutPage(answer.data, api.shapes))
      throw createInvalidInputError(
        `The list of accounts shows ${records.length}, and may not show all that the key can reach. Watch the messages of one account each: { messages: { accountId } }.`,
      );
    return uniqueIds([...records.map(({ id }) => id), ...all.rows.map((row) => String(row.accountId))]);
  }

  return {
    knowsAll: true,
    countRequests: () => accountIds?.length ?? 1,
    async read(api, options) {
      if (accountIds === undefined || rounds >= roundsPerSearch) {
        const all = await readListedRows(api, { resource: 'conversations' }, options);
        accountIds = all.isCut ? await findAccounts(api, all, options) : undefined;
        rounds = 0;
        if (accountIds === undefined) return splitByAccount(all);
      }
      rounds++;
      const lists: AccountConversations[] = [];
      for (const accountId of accountIds) lists.push(await readAccount(api, accountId, options));
      // The key cannot reach one any more. There may be others.
      if (lists.some(({ listed }) => !listed)) rounds = roundsPerSearch;
      return lists;
    },
  };
}

/** Creates what reads the conversations of one account. */
export const createAccountReader = (id: string): ConversationReader => ({
  knowsAll: false,
  countRequests: () => 1,
  read: async (api, options, isFirst) => [await readAccount(api, id, options, !isFirst)],
});
