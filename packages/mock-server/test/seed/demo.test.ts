import { documentKinds } from '@orgchat/spec';
import { expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller, type Item } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const caller = new Caller(createMock({ rateLimit: 'off' }));
const list = async (input: object): Promise<readonly Item[]> => (await caller.read(input)).body.records;

it('has accounts that each have friends, and friends that each have messages', async () => {
  const accounts = await list({ resource: 'accounts' });
  expect(accounts.length).toBeGreaterThanOrEqual(2);
  for (const { id: accountId } of accounts) {
    const friends = await list({ resource: 'friends', accountId });
    expect(friends.length).toBeGreaterThan(0);
    for (const { userId } of friends) {
      expect((await list({ resource: 'messages', accountId, userId })).length).toBeGreaterThan(0);
    }
  }
});

it('has forms with submissions, and links with clicks', async () => {
  for (const [resource, below] of [
    ['forms', 'form-submissions'],
    ['links', 'link-clicks'],
  ]) {
    const parents = await list({ resource });
    expect(parents.length).toBeGreaterThan(0);
    for (const { id } of parents) expect((await list({ resource: below, id })).length).toBeGreaterThan(0);
  }
});

it('has projects that each have documents, one archived, one with more than a page and every kind', async () => {
  const { projects } = (await caller.studio({ resource: 'projects' })).body;
  expect(projects.length).toBeGreaterThanOrEqual(2);
  expect(projects.filter(({ archived }) => archived)).toHaveLength(1);
  const sizes: number[] = [];
  for (const { id: projectId } of projects) {
    const { total, documents } = (await caller.studio({ resource: 'documents', projectId })).body;
    expect(documents.length).toBeGreaterThan(0);
    sizes.push(total);
    if (total > 50) expect(new Set(documents.map(({ kind }) => kind))).toEqual(new Set(documentKinds));
  }
  expect(Math.max(...sizes)).toBeGreaterThan(50);
});

it('allows a thousand keywords on its site and a hundred thousand requests per month', async () => {
  const before = createMock().keywords('demo-site').length;
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `keyword ${from + n}`);
  for (let from = before; from < 1000; from += 50) {
    const keywords = words(from, Math.min(from + 50, 1000));
    expect((await caller.keywords('demo-site', { keywords })).status).toBe(201);
  }
  expect((await caller.keywords('demo-site', { keywords: ['one more'] })).body.error).toBe(
    'KEYWORD_LIMIT_EXCEEDED',
  );
  expect((await caller.me()).body.api.limit).toBeGreaterThanOrEqual(100_000);
});

it('gives the same identifiers for the same calls, and others for another random seed', async () => {
  const made = async (randomSeed: number): Promise<string> => {
    const { body } = await new Caller(createMock({ randomSeed })).apply({
      action: 'create-tags',
      data: data.tags,
    });
    return body.result.id;
  };
  expect(await made(7)).toBe(await made(7));
  expect(await made(7)).not.toBe(await made(8));
});
