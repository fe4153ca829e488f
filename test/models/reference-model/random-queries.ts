import { pickExisting, target } from './random-changes.ts';
import type { Json, Resource } from './resources.ts';
import type { Pair } from './session.ts';
import type { Steps } from './steps.ts';

type Query = { readonly body: Json; readonly valid: boolean };

/** The read of a step in the current world. */
export function createQuery(
  { model }: Pair,
  what: Steps['read']['what'],
  resource: Resource,
  pick: number,
  page: Steps['read']['page'],
  search: string | undefined,
): Query {
  const valid = (page.limit ?? 1) <= 50;
  const friend = pickExisting(model.database.friend.getAll(), pick);
  const accountId = friend?.accountId ?? '99999999-0000-4000-8000-000000000000';
  const userId = friend?.userId ?? `U${'f'.repeat(32)}`;
  switch (what) {
    case 'list':
      return { body: { resource, ...page }, valid };
    case 'one':
      return { body: { resource, id: target(model, resource, pick).id }, valid: true };
    case 'friends': {
      const filter = [{}, { accountId }, { userId }][pick % 3];
      return {
        body: { resource: 'friends', ...filter, ...page, ...(search !== undefined && { search }) },
        valid,
      };
    }
    case 'friend':
      return { body: { resource: 'friends', accountId, userId }, valid: true };
    case 'conversations':
      return { body: { resource: 'conversations', ...(pick % 2 === 0 && { accountId }) }, valid: true };
    case 'messages':
      return { body: { resource: 'messages', accountId, userId, limit: 1 }, valid: true };
    case 'automations':
      return { body: { resource: 'friend-automations', accountId, userId }, valid: true };
    case 'clicks':
      return { body: { resource: 'link-clicks', id: target(model, 'links', pick).id }, valid: true };
    case 'accounts':
      return { body: { resource: 'accounts' }, valid: true };
  }
}
