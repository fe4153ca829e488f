import { describe, expect, it } from 'vitest';
import { createMock, generateSeed, type Mock, type SeedDocument } from '../../src/index.ts';
import { stateBytes } from '../../src/mock-limits.ts';
import { Caller } from '../../test-support/caller.ts';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const friends = 420;

/** A seed of friends whose notes are somewhat more than a body of the API may contain. */
function createLargeSeed(): SeedDocument {
  const { organizations, ...rest } = generateSeed({ friends });
  const notes = 'x'.repeat(40_000);
  return {
    ...rest,
    organizations: organizations.map((organization) => ({
      ...organization,
      friends: (organization.friends ?? []).map((friend) => ({ ...friend, notes })),
    })),
  };
}

const countFriends = async (mock: Pick<Mock, 'baseUrl' | 'fetch'>): Promise<number> =>
  (await new Caller(mock).read({ resource: 'friends', limit: 1 })).body.total;

describe('a state larger than the body limit of the API', { timeout: 60_000 }, () => {
  const large = createMock({ ...unlimited, seed: createLargeSeed() });
  const expected = friends + 5;

  it('is saved and loaded whole over HTTP', async () => {
    const target = createMock(unlimited);
    const from = await large.listen({ port: 0 });
    const to = await target.listen({ port: 0 });
    try {
      const state = await (await fetch(`${from.controlUrl}/state`)).text();
      expect(state.length).toBeGreaterThan(16 * 2 ** 20);
      const made = await fetch(`${to.controlUrl}/sandboxes`, { method: 'POST', body: `{"state":${state}}` });
      expect(made.status).toBe(201);
      const { baseUrl } = (await made.json()) as { baseUrl: string };
      expect(await countFriends({ baseUrl, fetch })).toBe(expected);
      expect(await countFriends(target)).toBe(5);
      expect((await fetch(`${to.controlUrl}/state`, { method: 'PUT', body: state })).status).toBe(200);
      expect(await countFriends(target)).toBe(expected);
    } finally {
      await from.close();
      await to.close();
    }
  });

  it('is saved and loaded whole through mock.fetch', async () => {
    const target = createMock(unlimited);
    const body = await (await large.fetch(`${large.controlUrl}/state`)).text();
    const put = await target.fetch(`${target.controlUrl}/state`, { method: 'PUT', body });
    expect(put.status).toBe(200);
    expect(await countFriends(target)).toBe(expected);
  });

  it('is saved and loaded whole by the methods', async () => {
    const target = createMock(unlimited);
    expect(await countFriends(target.sandbox({ state: large.state() }))).toBe(expected);
    expect(await countFriends(target)).toBe(5);
  });
});

describe('a state larger than the limit of a call', () => {
  it('is not written by GET /state', async () => {
    const body = 'x'.repeat(2 ** 20);
    const documents = Array.from({ length: 257 }, (_, n) => ({
      title: `Document ${n}`,
      kind: 'note' as const,
      updatedAt: '2026-01-01T00:00:00.000Z',
      body,
    }));
    const projects = [{ name: 'Large', updatedAt: '2026-01-01T00:00:00.000Z', documents }];
    const mock = createMock({ seed: { organizations: [{ id: 'org_large', projects }] } });
    const answer = await mock.fetch(`${mock.controlUrl}/state`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      error: 'STATE_TOO_LARGE',
      maxBytes: stateBytes,
      message: expect.stringContaining('--data'),
    });
  });
});

describe('an invalid state', () => {
  it.each([
    [
      { format: 'x' },
      'format: must be "orgchat-state" in a saved state, and "orgchat-seed" or absent in a seed, got "x".',
    ],
    [{ format: 5 }, 'got a value of type number.'],
    [{}, 'This is neither a seed nor a saved state: it has no "organizations".'],
    [[], 'A seed or a saved state must be an object with "organizations".'],
    [
      { organizations: [{ id: 'a', tags: [{ name: 'x', color: 'red' }], nobody: 1, plan: 5 }] },
      'organizations[0].tags[0].color must be one of neutral, ',
    ],
    [
      { organizations: [{ id: 'a', plan: 'constructor' }] },
      'organizations[0].plan: Unknown plan "constructor".',
    ],
  ])('%j is rejected with the expected form', (state, message) => {
    const mock = createMock();
    expect(() => mock.restore(state)).toThrow(message);
    expect(() => mock.sandbox({ state })).toThrow(message);
    expect(() => createMock({ state })).toThrow(message);
  });

  it('is rejected with all its problems', () => {
    const state = { organizations: [{ id: 'a', tags: [{ name: 'x', color: 'red' }], nobody: 1, plan: 5 }] };
    for (const place of ['tags[0].color', 'organizations[0].plan', 'nobody']) {
      expect(() => createMock().restore(state)).toThrow(place);
    }
  });
});
