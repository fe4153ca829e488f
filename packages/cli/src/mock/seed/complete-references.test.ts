import { createMock } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import { completeReferences } from './complete-references.ts';
import { keepKnownFields } from './known-fields.ts';
import { createSeedDocument, type SeedOrganization } from './seed-organization.ts';

const id = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
const friend = `U${'0'.repeat(32)}`;
const at = '2026-01-01T00:00:00.000Z';

describe('the references of an organization', () => {
  const organization: SeedOrganization = {
    id: 'org_gaps',
    accounts: [{ id: id(1), name: 'Listed' }],
    tags: [{ id: id(2), name: 'VIP', color: 'pink' }],
    links: [
      {
        id: id(3),
        name: 'Page',
        url: 'https://example.com/',
        tagId: id(2),
        scenarioId: id(8),
        clicks: [
          { accountId: id(5), userId: friend, clickedAt: at },
          { accountId: null, userId: null, clickedAt: at },
        ],
      },
    ],
    routes: [{ id: id(4), accountId: id(6), name: 'Door', tagId: id(9), scenarioId: null }],
    friends: [{ accountId: id(1), userId: friend, displayName: 'Aiko', tagIds: [id(2), id(7)] }],
  };

  test('are completed by accounts that the API does not list, and by the ids of deleted records', () => {
    const completed = completeReferences(organization);
    expect(completed.accounts?.map((account) => [account.id, account.name])).toEqual([
      [id(6), 'Unlisted account 1'],
      [id(5), 'Unlisted account 2'],
      [id(1), 'Listed'],
    ]);
    expect([...(completed.missingIds ?? [])].sort()).toEqual([id(7), id(8), id(9)]);
    createMock({ seed: createSeedDocument(completed) });
  });

  test('stay as they are if nothing is missing', () => {
    const whole = { ...organization, links: [], routes: [], friends: [] };
    expect(completeReferences(whole)).toEqual(whole);
  });
});

test('fields that the contract does not know are left out at any depth, and no others', () => {
  const step = { delayValue: 1, delayUnit: 'days', sendTime: null, text: 'Hello' };
  const scenario = {
    name: 'Welcome',
    accountId: null,
    trigger: 'manual',
    triggerTagId: null,
    active: true,
    steps: [step, { ...step, condition: { type: 'tag_exists', tagId: id(1) } }],
  };
  const newer = {
    ...scenario,
    owner: 'Aiko',
    steps: [
      { ...step, channel: 'mail' },
      { ...step, condition: { type: 'tag_exists', tagId: id(1), since: at } },
    ],
  };
  expect(keepKnownFields('scenarios', newer)).toEqual(scenario);
  expect(newer.owner).toBe('Aiko');
  // What is invalid otherwise is left to the check of the whole seed.
  expect(keepKnownFields('tags', { name: 'VIP', color: 'gold' })).toEqual({ name: 'VIP', color: 'gold' });
});
