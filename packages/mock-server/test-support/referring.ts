import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { Caller, createGuard, type Item } from './caller.ts';
import { data, step, vip } from './data.ts';

const tagData = { name: 'Short-lived', color: 'blue' };
const scenarioData = { ...data.scenarios, name: 'Short-lived', accountId: null };

export interface World {
  readonly mock: Mock;
  readonly caller: Caller;
  /** A tag and a scenario, which the test deletes. */
  readonly tag: Item;
  readonly scenario: Item;
}

export async function openReferring(options: MockOptions = {}): Promise<World> {
  const mock = createMock({ rateLimit: 'off', ...options });
  const caller = new Caller(mock);
  const create = async (resource: string, given: object): Promise<Item> =>
    (await caller.apply({ action: `create-${resource}`, data: given })).body.result;
  return {
    mock,
    caller,
    tag: await create('tags', tagData),
    scenario: await create('scenarios', scenarioData),
  };
}

export const remove = (caller: Caller, resource: string, record: Item) =>
  caller.apply({ action: 'delete-configuration', resource, id: record.id, ...createGuard(record) });

/** Data of each resource that refer to a tag and a scenario in every way there is. */
export const referring = {
  links: (tagId: string, scenarioId: string) => ({ ...data.links, tagId, scenarioId }),
  routes: (tagId: string, scenarioId: string) => ({ ...data.routes, tagId, scenarioId }),
  forms: (submitTagId: string, submitScenarioId: string) => ({
    ...data.forms,
    submitTagId,
    submitScenarioId,
  }),
  broadcasts: (tagId: string) => ({ ...data.broadcasts, target: 'tags', tagIds: [vip, tagId] }),
  scenarios: (tagId: string) => ({
    ...data.scenarios,
    trigger: 'tag',
    triggerTagId: tagId,
    steps: [step, { ...step, condition: { type: 'tag_exists', tagId } }],
  }),
};
export type Referring = keyof typeof referring;
export const kinds = Object.keys(referring) as Referring[];

export const friendOf = async (caller: Caller): Promise<Item> => caller.first('friends');
export const setTags = (caller: Caller, friend: Item, tagIds: readonly string[]) =>
  caller.apply({
    action: 'set-friend-tags',
    accountId: friend.accountId,
    userId: friend.userId,
    ...createGuard(friend),
    tagIds,
  });
