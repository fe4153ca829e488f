import { type OrgChatClient, requireResult, StaleRevisionError } from '@orgchat/sdk';

/** The code under test: tags a friend as welcomed, unless somebody else changed the friend first. */
export async function welcome(
  client: OrgChatClient,
  friend: { readonly accountId: string; readonly userId: string },
): Promise<'welcomed' | 'left alone'> {
  const tag = requireResult(
    await client.tags.create({ name: 'Welcomed', color: 'blue' }, { intent: ['welcome tag'] }),
  );
  const now = await client.friends.get(friend);
  try {
    await client.friends.setTags(now, [...now.tagIds, tag.id]);
    return 'welcomed';
  } catch (error) {
    if (error instanceof StaleRevisionError) return 'left alone';
    throw error;
  }
}
