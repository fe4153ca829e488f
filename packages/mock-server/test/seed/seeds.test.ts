import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createMock, demoKeys, demoSeed, generateSeed, SeedError } from '../../src/index.ts';
import { deriveFriendId, deriveUuid } from '../../src/primitives/digest.ts';
import { resolveNames } from '../../src/seed/resolve-names.ts';
import { seedSchemas } from '../../src/seed/schema.ts';
import { Caller } from '../../test-support/caller.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orgchat-seed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const small = `
organizations:
  - id: org_small
    keys:
      - { key: a-key, name: A key, scope: write }
    accounts:
      - { id: main, name: Main }
    tags:
      - { id: vip, name: VIP, color: pink }
    friends:
      - accountId: main
        userId: someone
        displayName: Someone
        tagIds: [vip]
        messages:
          - { direction: incoming, text: Hi, sentAt: 2026-01-01T09:00:00+09:00 }
`;

const problem = async (seed: string): Promise<string> => {
  try {
    await createMock({ seed });
  } catch (error) {
    expect(error).toBeInstanceOf(SeedError);
    return (error as Error).message;
  }
  throw new Error('The seed was accepted.');
};

describe('a seed', () => {
  it('is read from YAML, with names for identifiers', async () => {
    const mock = await createMock({ seed: file('small.yaml', small) });
    const caller = new Caller(mock, 'a-key');
    expect((await caller.me()).body).toMatchObject({ organizationId: 'org_small', plan: 'business' });
    const friend = await caller.first('friends');
    expect(friend).toMatchObject({
      accountId: deriveUuid('main'),
      label: 'Someone',
      tagIds: [deriveUuid('vip')],
      status: 'unread',
    });
    const [message] = (
      await caller.read({ resource: 'messages', accountId: friend.accountId, userId: friend.userId })
    ).body.records;
    expect(message?.sentAt).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is read from JSON, and the demo is one', async () => {
    const seeds = [
      file('demo.json', JSON.stringify(demoSeed)),
      file('demo.yaml', stringify(demoSeed)),
      demoSeed,
    ];
    const mocks = await Promise.all(seeds.map((seed) => createMock({ seed })));
    const states = mocks.map((mock) => ({ ...(mock.state() as object), savedAt: '' }));
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
    expect(createMock({ seed: demoSeed }).keys).toEqual(expect.arrayContaining(Object.values(demoKeys)));
  });

  it('every link placeholder of the demo refers to a demo link', async () => {
    const mock = createMock();
    const caller = new Caller(mock);
    const links = (await caller.read({ resource: 'links' })).body.records.map(({ id }) => id);
    const named = Array.from(JSON.stringify(mock.state()).matchAll(/\{link:([^}]*)\}/g), ([, id]) => id);
    expect(named.length).toBeGreaterThan(0);
    for (const id of named) expect(links).toContain(id);
  });

  it('may also refer to a link by id in a placeholder', () => {
    const placeholder = `{link:${deriveUuid('x')}}`;
    const seed = { organizations: [{ broadcasts: [{ action: { type: 'uri', uri: placeholder } }] }] };
    expect(resolveNames(seed)).toEqual(seed);
  });

  it('keeps submitted values unchanged, whatever their field names', () => {
    const values = { id: 'A-17', uri: '{link:x}', userId: 'me' };
    const seed = { organizations: [{ forms: [{ submissions: [{ userId: 'someone', values }] }] }] };
    const [organization] = resolveNames(seed).organizations;
    expect(organization?.forms[0]?.submissions[0]).toEqual({ userId: deriveFriendId('someone'), values });
  });

  it('the demo is valid and complete, so that it need not be parsed', () => {
    const resolved = resolveNames(demoSeed);
    expect(seedSchemas().seedDocument.parse(resolved)).toEqual(resolved);
  });

  it.each([
    ['a broken text', 'organizations: [', /bad\.yaml: line 1: /],
    ['nothing', '{}', /organizations/],
    [
      'an unknown field',
      small.replace('color: pink', 'colour: pink'),
      /line 9: organizations\[0\]\.tags\[0\]/,
    ],
    [
      'a value that is not allowed',
      small.replace('color: pink', 'color: red'),
      /line 9: organizations\[0\]\.tags\[0\]\.color must be one of neutral, blue, /,
    ],
    [
      'an account that is not there',
      small.replace('accountId: main', 'accountId: other'),
      /line 11: organizations\[0\]\.friends\[0\]\.accountId: Unknown account/,
    ],
    [
      'a tag that is not there',
      small.replace('tagIds: [vip]', 'tagIds: [vop]'),
      /line 14: organizations\[0\]\.friends\[0\]\.tagIds\[0\]: No tag with id/,
    ],
    [
      'a plan that is not there',
      small.replace('id: org_small', 'id: org_small\n    plan: gold'),
      /line 4: organizations\[0\]\.plan: Unknown plan/,
    ],
    [
      'an invalid date',
      small.replace('2026-01-01T09:00:00+09:00', 'yesterday'),
      /line 16: .*sentAt must be a date and time/,
    ],
    [
      'an id twice',
      `${small}      - { accountId: main, userId: someone, displayName: Again }\n`,
      /friends\[1\]\.userId: Duplicate friend/,
    ],
  ])('describes the problem of %s with its line', async (_, text, expected) => {
    expect(await problem(file('bad.yaml', text))).toMatch(expected);
  });

  it('in JSON has the line of a problem too', async () => {
    const text = JSON.stringify(
      { organizations: [{ id: 'x', keys: [{ key: 'k', name: 'n', scope: 'admin' }] }] },
      null,
      2,
    );
    expect(await problem(file('bad.json', text))).toMatch(
      /bad\.json: line 9: organizations\[0\]\.keys\[0\]\.scope/,
    );
  });

  it('may refer to deleted records that it lists as missing, and to no others', async () => {
    const seed = (missingIds: string[]) => ({
      organizations: [
        {
          id: 'org_gaps',
          keys: [{ key: 'k', name: 'k', scope: 'read' as const }],
          accounts: [{ id: 'main', name: 'Main' }],
          routes: [{ accountId: 'main', name: 'Door', tagId: 'gone', scenarioId: 'gone-too' }],
          friends: [{ accountId: 'main', userId: 'aiko', displayName: 'Aiko', tagIds: ['gone'] }],
          missingIds,
        },
      ],
    });
    expect(() => createMock({ seed: seed([]) })).toThrow(/routes\[0\]\.tagId: No tag with id/);
    expect(() => createMock({ seed: seed(['gone']) })).toThrow(/routes\[0\]\.scenarioId: No scenario/);
    const caller = new Caller(createMock({ seed: seed(['gone', 'gone-too']) }), 'k');
    const gone = deriveUuid('gone');
    expect((await caller.read({ resource: 'routes' })).body.records).toMatchObject([{ tagId: gone }]);
    expect((await caller.read({ resource: 'friends' })).body.records).toMatchObject([{ tagIds: [gone] }]);
  });

  it('may limit the keywords of all sites together by plan', async () => {
    const seed = {
      plans: { tiny: { monthlyRequests: 10, keywords: 3 } },
      organizations: [
        {
          id: 'org_tiny',
          plan: 'tiny',
          keys: [{ key: 'k', name: 'k', scope: 'write' as const }],
          sites: [{ id: 'one', keywords: ['a', 'b'] }, { id: 'two' }],
        },
      ],
    };
    const caller = new Caller(createMock({ seed }), 'k');
    expect((await caller.keywords('two', { keywords: ['c', 'd'] })).body.error).toBe(
      'KEYWORD_LIMIT_EXCEEDED',
    );
    expect((await caller.keywords('two', { keywords: ['c'] })).status).toBe(201);
    expect((await caller.keywords('one', { keywords: ['c'] })).body.error).toBe('KEYWORD_LIMIT_EXCEEDED');
    expect((await caller.me()).body.api.limit).toBe(10);
  });

  it('accepts duplicates if a site already exceeds its limit', async () => {
    const seed = {
      organizations: [
        {
          id: 'org_full',
          keys: [{ key: 'k', name: 'k', scope: 'write' as const }],
          sites: [{ id: 'full', keywordLimit: 1, keywords: ['a', 'b'] }],
        },
      ],
    };
    const caller = new Caller(createMock({ seed }), 'k');
    expect(await caller.keywords('full', { keywords: ['b', 'a'] })).toMatchObject({
      status: 201,
      body: { added: [], skipped: ['b', 'a'] },
    });
    expect((await caller.keywords('full', { keywords: ['c'] })).status).toBe(400);
  });

  it('lists what is of any year newest first', async () => {
    const years = ['5300', '5100', '1971', '1969', '1930', '0001'];
    const projects = years.toSorted().map((year) => ({ name: year, updatedAt: `${year}-01-01` }));
    const keys = [{ key: 'k', name: 'k', scope: 'read' as const }];
    const caller = new Caller(createMock({ seed: { organizations: [{ id: 'org', keys, projects }] } }), 'k');
    const listed = (await caller.studio({ resource: 'projects' })).body.projects;
    expect(listed.map(({ name }) => name)).toEqual(years);
  });

  it('is generated in any size, the same for the same number', async () => {
    const options = { friends: 500, tags: 20, templates: 10, documents: 120, keywords: 30 };
    expect(generateSeed(options)).toEqual(generateSeed(options));
    expect(generateSeed({ ...options, randomSeed: 2 })).not.toEqual(generateSeed(options));
    const caller = new Caller(createMock({ seed: generateSeed(options) }));
    expect((await caller.read({ resource: 'friends', offset: 450 })).body).toMatchObject({
      total: 505,
      limited: true,
    });
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(23);
    expect((await caller.read({ resource: 'conversations' })).body).toMatchObject({ limited: true });
    expect(
      (await caller.studio({ resource: 'documents', projectId: deriveUuid('generated') })).body.total,
    ).toBe(120);
    expect((await caller.keywords('demo-site', { keywords: ['keyword 30'] })).body.skipped).toHaveLength(1);
  });
});
