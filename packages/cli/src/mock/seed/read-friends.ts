import { NotFoundError } from '@orgchat/sdk';
import { limits } from '@orgchat/spec/limits';
import type { Context } from '../../context.ts';
import type { Row } from '../../output/output.ts';
import { showProgress } from '../../output/progress.ts';
import { type BoundedResource, listPages, readBounded } from '../../resources/fetch-records.ts';
import { createListProgress, isTruncated, readRecords } from '../../resources/read-list.ts';
import type { SeedOrganization } from './seed-organization.ts';

/** How many friends to read, newest first. */
export type FriendCount = number | 'all';

type Friends = NonNullable<SeedOrganization['friends']>;

/** Reads lists that belong to one record: the messages of a friend, the clicks of a link. */
export class ChildReader {
  /** Number of lists that the API cut: it returns the newest 50 records at most. */
  cut = 0;
  private readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  /** Reads a list, oldest first. A record that was deleted in the meantime has an empty one. */
  async read(resource: BoundedResource, query: Row): Promise<readonly Row[]> {
    const client = await this.context.client();
    try {
      const page = await readBounded(client, resource, query, this.context.bulkCall);
      if (isTruncated(page)) this.cut++;
      return page.records.toReversed();
    } catch (error) {
      // Any other 404 may mean that nothing can be read at the moment.
      if (error instanceof NotFoundError && error.meaning === 'notFound') return [];
      throw error;
    }
  }
}

/** The fields of a record that a seed has. */
export const pick = (record: Row, ...fields: readonly string[]): Row =>
  Object.fromEntries(
    fields.flatMap((field) => (record[field] === undefined ? [] : [[field, record[field]]])),
  );

async function listFriends(context: Context, count: FriendCount): Promise<Row[]> {
  const client = await context.client();
  const friends: Row[] = [];
  const read = listPages(client, 'friends', {}, context.bulkCall);
  const wanted = count === 'all' ? { all: true as const } : { limit: count };
  for await (const friend of readRecords(read, wanted, createListProgress())) friends.push(friend);
  return friends.reverse();
}

/** Reads friends, each with messages and automations, oldest first. Takes two requests per friend. */
export async function readFriends(
  context: Context,
  children: ChildReader,
  count: FriendCount,
): Promise<Friends> {
  const listed = count === 0 ? [] : await listFriends(context, count);
  const progress = await showProgress(context.output, 'Friends', listed.length);
  const friends: Row[] = [];
  try {
    for (const record of listed) {
      progress.update(friends.length);
      const { accountId, userId } = record;
      const messages = await children.read('messages', { accountId, userId, limit: limits.pageSize });
      const automations = await children.read('friend-automations', { accountId, userId });
      friends.push({
        ...pick(record, 'accountId', 'userId', 'displayName', 'status', 'notes', 'tagIds'),
        ...pick(record, 'createdAt', 'updatedAt'),
        messages: messages.map((one) => pick(one, 'id', 'direction', 'text', 'sentAt')),
        automations: automations.map((one) =>
          pick(one, 'id', 'scenarioId', 'scenarioName', 'status', 'nextStep', 'enrolledAt'),
        ),
      });
    }
    progress.update(friends.length);
  } finally {
    progress.stop();
  }
  // The mock checks the seed before it is written.
  return friends as unknown as Friends;
}
