import { meaningsByCode } from '@orgchat/spec';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock, MockOptionsError } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import { Raw } from '../../test-support/raw.ts';

const tagChange = { action: 'create-tags', data: data.tags };

/** A code for every meaning, different from the default. */
const codes = Object.fromEntries(Object.values(meaningsByCode).map((meaning) => [meaning, `X_${meaning}`]));

describe('a mock of a server with other codes', () => {
  const mock = createMock({ server: { server: 1, codes } });
  const caller = new Caller(mock);
  const fresh = (): Caller => new Caller(mock.sandbox());

  it('answers each meaning with its code', async () => {
    const made = (await caller.apply(tagChange)).body.result;
    const id = crypto.randomUUID();
    await caller.change(id, tagChange);
    const stale = { action: 'update-tags', id: made.id, ...createGuard(made), data: data.tags };
    await caller.apply(stale);
    mock.faults.arm({ effect: 'uncertain', answer: 500 });
    const unsure = crypto.randomUUID();
    const blank = { resource: 'tags', id: crypto.randomUUID() };
    const answers = [
      [await caller.as('nobody').me(), 401, 'X_unauthorized'],
      [await caller.as('demo-read-key').apply(tagChange), 403, 'X_forbidden'],
      [await caller.as('demo-no-api-key').me(), 403, 'X_planRequired'],
      [await caller.as('demo-suspended-key').me(), 403, 'X_suspended'],
      [await caller.read({ resource: 'nothing' }), 400, 'X_invalidInput'],
      [await caller.read(blank), 404, 'X_notFound'],
      [await caller.send('/me', undefined, { method: 'DELETE' }), 405, 'X_methodNotAllowed'],
      [await caller.apply(stale), 409, 'X_staleRevision'],
      [await caller.change(id, { ...tagChange, data: data.templates }), 400, 'X_invalidInput'],
      [await caller.change(id, { action: 'create-templates', data: data.templates }), 409, 'X_inputConflict'],
      [await caller.change(unsure, tagChange), 500, 'X_internalError'],
      [await caller.change(unsure, tagChange), 409, 'X_uncertain'],
    ] as const;
    for (const [{ status, body }, expected, error] of answers) {
      expect({ status, error: body.error }).toEqual({ status: expected, error });
    }
    expect(mock.requests.list().at(-1)?.error).toBe('X_uncertain');
  });

  it('answers limits and an unavailable runtime with their codes', async () => {
    const limited = new Caller(createMock({ server: { server: 1, codes }, rateLimit: 0 }));
    expect((await limited.me()).body.error).toBe('X_rateLimited');
    const spent = new Caller(createMock({ server: { server: 1, codes }, monthlyLimit: 0 }));
    expect((await spent.me()).body.error).toBe('X_quotaExceeded');
    const down = createMock({ server: { server: 1, codes } });
    down.patchOrganization({ runtime: 'down' });
    const asking = new Caller(down);
    expect(await asking.read({ resource: 'tags' })).toMatchObject({
      status: 404,
      body: { error: 'X_runtimeUnavailable' },
    });
    const full = createMock({
      server: { server: 1, codes },
      seed: {
        organizations: [
          { id: 'o', keys: [{ key: 'k', name: 'K', scope: 'write' }], sites: [{ id: 's', keywordLimit: 0 }] },
        ],
      },
    });
    const { body } = await new Caller(full, 'k').keywords('s', { keywords: ['a'] });
    expect(body.error).toBe('X_keywordLimitExceeded');
  });

  it('sends the answer of a fault unchanged, with the usual code by default', async () => {
    const own = mock.sandbox();
    own.faults.arm({ effect: 'respond', status: 500, error: 'AS_GIVEN' });
    own.faults.arm({ effect: 'respond', status: 429 });
    const asking = new Caller(own);
    expect((await asking.me()).body.error).toBe('AS_GIVEN');
    expect((await asking.me()).body.error).toBe('X_rateLimited');
  });

  it('sends the first of several codes, and defaults for the rest', async () => {
    const some = new Caller(createMock({ server: { server: 1, codes: { notFound: ['GONE', 'MISSING'] } } }));
    expect((await some.send('/nowhere')).body.error).toBe('GONE');
    expect((await some.as('nobody').me()).body.error).toBe('UNAUTHORIZED');
    expect((await fresh().send('/nowhere')).body.error).toBe('X_notFound');
  });

  it('has its own codes in the control API', async () => {
    const answer = await mock.fetch(`${mock.controlUrl}/nowhere`);
    expect(await answer.json()).toMatchObject({ error: 'NOT_FOUND' });
  });

  describe('over HTTP', () => {
    const listening = createMock({ server: { server: 1, codes } }).listen({ port: 0 });
    afterAll(async () => (await listening).close());

    it('answers a malformed request with the code of invalid input', async () => {
      const { port } = await listening;
      expect(await new Raw(port).send('nonsense\r\n\r\n').ended()).toContain('"error":"X_invalidInput"');
    });
  });

  it.each([
    [{ stale: 'X' }, /"stale" is not a known meaning/],
    [{ staleRevision: '' }, /codes\.staleRevision must be/],
    [{ staleRevision: 'SAME', inputConflict: 'SAME' }, /would mean both/],
    [[], /codes must be an object/],
  ])('refuses %j', (given, message) => {
    const make = () => createMock({ server: { server: 1, codes: given as object } });
    expect(make).toThrow(MockOptionsError);
    expect(make).toThrow(message);
  });
});
