import { createMock, type Mock } from '@orgchat/mock-server';
import {
  type ChangeOptions,
  type ClientEvent,
  createClient,
  type Friend,
  memoryJournal,
  type OrgChatClient,
  requireResult,
  type Tag,
} from '../src/index.ts';

/*
 * Two machines without a shared journal. One applied a change under an intent; what it did was changed since by somebody
 * else. The other repeats the change under the intent, from what it reads, and the server answers "input conflict". What
 * it says of that has to be the same everywhere, and nothing may be applied twice.
 */

export interface World {
  readonly mock: Mock;
  readonly here: OrgChatClient;
  readonly there: OrgChatClient;
  readonly events: ClientEvent[];
  readonly tag: Tag;
  readonly friend: Friend;
}

export async function createWorld(): Promise<World> {
  const mock = createMock();
  const events: ClientEvent[] = [];
  const options = {
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
  } as const;
  const here = createClient({ ...options, journal: memoryJournal() });
  const there = createClient({
    ...options,
    journal: memoryJournal(),
    onEvent: (event) => events.push(event),
  });
  const tag = requireResult(await here.tags.create({ name: 'Order', color: 'pink' }));
  const [friend] = await here.friends.list().toArray();
  if (!friend) throw new Error('the demo has no friend');
  await here.friends.setTags(friend, []);
  return { mock, here, there, events, tag, friend: await here.friends.get(friend) };
}

export interface KnownIntentCase {
  /** What the first machine does. */
  readonly first: (world: World, options: ChangeOptions) => Promise<unknown>;
  /** What somebody else does then, so that a read does not show the effect. */
  readonly undo?: (world: World) => Promise<unknown>;
  /** What the second machine does; by default the same. */
  readonly second?: (world: World, client: OrgChatClient, options: ChangeOptions) => Promise<unknown>;
  /** The part of the organization that must stay as it is. */
  readonly state: (world: World) => Promise<unknown>;
}

const other = { name: 'Other', color: 'green' } as const;

const readTag = async ({ here, tag }: World) => here.tags.get(tag.id);
const readFriend = async ({ here, friend }: World) => here.friends.get(friend);
const updateTag = async ({ here, tag }: World) =>
  here.tags.edit(tag.id, (data) => ({ ...data, color: 'green' }));

export const knownIntentCases: Readonly<Record<string, KnownIntentCase>> = {
  create: {
    first: ({ here }, options) => here.tags.create({ name: 'New', color: 'blue' }, options),
    second: (_, of, options) => of.tags.create(other, options),
    state: ({ here }) => here.tags.list().toArray(),
  },
  update: {
    first: async (world, options) =>
      world.here.tags.update(await readTag(world), { name: 'A', color: 'blue' }, options),
    undo: updateTag,
    second: async (world, of, options) =>
      of.tags.update(await readTag(world), { name: 'A', color: 'blue' }, options),
    state: readTag,
  },
  delete: {
    first: async (world, options) => world.here.tags.delete(await readTag(world), options),
    second: async ({ here }, of, options) =>
      of.tags.delete(requireResult(await here.tags.create(other)), options),
    state: async ({ here }) => (await here.tags.list().toArray()).map(({ name }) => name),
  },
  'update-friend': {
    first: async (world, options) =>
      world.here.friends.update(await readFriend(world), { notes: 'paid' }, options),
    undo: async (world) => world.here.friends.update(await readFriend(world), { notes: 'refunded' }),
    second: async (world, of, options) =>
      of.friends.update(await readFriend(world), { notes: 'paid' }, options),
    state: readFriend,
  },
  'set-friend-tags': {
    first: async (world, options) =>
      world.here.friends.setTags(await readFriend(world), [world.tag.id], options),
    undo: async (world) => world.here.friends.setTags(await readFriend(world), []),
    second: async (world, of, options) =>
      of.friends.setTags(await readFriend(world), [world.tag.id], options),
    state: readFriend,
  },
  addTags: {
    first: ({ here, friend, tag }, options) => here.friends.addTags(friend, [tag.id], options as object),
    undo: ({ here, friend, tag }) => here.friends.removeTags(friend, [tag.id]),
    second: ({ friend, tag }, of, options) => of.friends.addTags(friend, [tag.id], options as object),
    state: readFriend,
  },
  enroll: {
    first: async ({ here, friend }, options) =>
      here.friends.enroll(friend, (await scenarios(here))[0], options),
    second: async ({ friend, here }, of, options) =>
      of.friends.enroll(friend, (await scenarios(here))[1], options),
    state: async ({ here, friend }) => here.friends.automations(friend),
  },
  upsert: {
    first: ({ here }, options) =>
      here.tags.upsert({ name: 'Order', color: 'blue' }, { by: 'name', ...(options as object) }),
    undo: updateTag,
    second: (_, of, options) =>
      of.tags.upsert({ name: 'Order', color: 'blue' }, { by: 'name', ...(options as object) }),
    state: readTag,
  },
  edit: {
    first: ({ here, tag }, options) => here.tags.edit(tag.id, append, options as object),
    second: ({ tag }, of, options) => of.tags.edit(tag.id, append, options as object),
    state: readTag,
  },
};

const append = (data: Pick<Tag, 'name' | 'color'>) => ({ ...data, name: `${data.name}+` });
const scenarios = async (of: OrgChatClient) => {
  const [one] = await of.scenarios.list().toArray();
  if (!one) throw new Error('the demo has no scenario');
  const { name, accountId, trigger, triggerTagId, active, steps } = one;
  const more = await of.scenarios.upsert(
    { name: `${name} 2`, accountId, trigger, triggerTagId, active, steps },
    { by: 'name' },
  );
  return [one, more.record] as const;
};
