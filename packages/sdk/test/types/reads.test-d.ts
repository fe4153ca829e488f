import type { Friend, OrgChatClient, RecordPage, SingleRecord, Tag } from '../../src/index.ts';

/* What `readChat` returns, by what the query names. Compiled, never run. */

declare const client: OrgChatClient;
declare const id: string;
declare const maybe: string | undefined;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_T extends true>(): void => undefined;

export async function selected(): Promise<void> {
  const one = await client.readChat({ resource: 'tags', id });
  is<Equal<typeof one, SingleRecord<Tag>>>();
  const page = await client.readChat({ resource: 'tags', offset: 50, limit: undefined });
  is<Equal<typeof page, RecordPage<Tag>>>();
  const either = await client.readChat({ resource: 'tags', id: maybe });
  is<Equal<typeof either, SingleRecord<Tag> | RecordPage<Tag>>>();
  const friend = await client.readChat({ resource: 'friends', accountId: id, userId: 'U' });
  is<Equal<typeof friend, SingleRecord<Friend>>>();
  const friends = await client.readChat({ resource: 'friends', accountId: id });
  is<Equal<typeof friends, RecordPage<Friend>>>();
  // The id of a form or a friend selects their submissions and messages, which are a page.
  const submissions = await client.readChat({ resource: 'form-submissions', id });
  const messages = await client.readChat({ resource: 'messages', accountId: id, userId: 'U' });
  console.log(submissions.records.length, messages.limited);
  // @ts-expect-error a submission belongs to a form
  void client.readChat({ resource: 'form-submissions' });
  // @ts-expect-error accounts have no id
  void client.readChat({ resource: 'accounts', id });
  // @ts-expect-error tags have no user
  void client.readChat({ resource: 'tags', id, userId: 'U' });
}
