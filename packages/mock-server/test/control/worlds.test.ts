import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';

const { caller, control, server } = useServer();

interface Sandbox {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

const create = async (body: object): Promise<Sandbox> => {
  const answer = await control('POST', '/sandboxes', body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as unknown as Sandbox;
};

const send = async (method: string, url: string, body?: object): Promise<unknown> =>
  (await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })).json();

const statuses = async (subject: Caller, count: number): Promise<number[]> => {
  const found = [];
  for (let i = 0; i < count; i++) found.push((await subject.me()).status);
  return found;
};

describe('sandboxes', () => {
  it('are listed with their names, and dropped all at once', async () => {
    const named = await create({ name: 'orders test' });
    const plain = await create({});
    expect(named.name).toBe('orders test');
    expect(plain).not.toHaveProperty('name');
    const inner = await send('POST', `${named.controlUrl}/sandboxes`, { name: 'inner' });
    const entry = ({ id, baseUrl, controlUrl, name }: Sandbox) => ({
      id,
      baseUrl,
      controlUrl,
      name: name ?? null,
      expiresAt: null,
      requests: 0,
      refused: 0,
      lastRequestAt: null,
      lastRefusal: null,
    });
    expect((await control('GET', '/sandboxes')).body).toEqual({
      sandboxes: [named, plain, inner as Sandbox].map(entry),
    });
    expect(await send('GET', `${named.controlUrl}/sandboxes`)).toEqual({
      sandboxes: [entry(inner as Sandbox)],
    });
    expect(await send('DELETE', `${plain.controlUrl}/sandboxes`)).toEqual({ dropped: 0 });
    expect((await control('DELETE', '/sandboxes')).body).toEqual({ dropped: 3 });
    expect((await control('GET', '/sandboxes')).body).toEqual({ sandboxes: [] });
    expect((await fetch(`${named.controlUrl}/health`)).status).toBe(410);
    expect((await caller.me()).status).toBe(200);
  });

  it('drop only the sandboxes that were created from them', async () => {
    const one = await create({});
    const two = await create({});
    await send('POST', `${one.controlUrl}/sandboxes`, {});
    expect(await send('DELETE', `${one.controlUrl}/sandboxes`)).toEqual({ dropped: 1 });
    const { sandboxes } = (await control('GET', '/sandboxes')).body as { sandboxes: Sandbox[] };
    expect(sandboxes.map(({ id }) => id)).toEqual([one.id, two.id]);
  });

  it('drop by id only what was created from them', async () => {
    const one = await create({});
    const two = await create({});
    const inner = (await send('POST', `${one.controlUrl}/sandboxes`, {})) as Sandbox;
    const drop = async (by: Sandbox, of: Sandbox): Promise<number> =>
      (await fetch(`${by.controlUrl}/sandboxes/${of.id}`, { method: 'DELETE' })).status;
    expect([await drop(one, two), await drop(inner, one), await drop(one, one)]).toEqual([404, 404, 404]);
    for (const { controlUrl } of [one, two, inner])
      expect((await fetch(`${controlUrl}/health`)).status).toBe(200);
    expect([await drop(one, inner), await drop(one, inner)]).toEqual([200, 410]);
    expect((await control('DELETE', `/sandboxes/${two.id}`)).status).toBe(200);
    const mock = createMock();
    const nested = mock.sandbox().sandbox();
    nested.drop();
    expect([...mock.sandboxes.values()]).not.toContain(nested);
  });

  it('have limits of their own, which a reset and a restored state keep', async () => {
    const limited = await create({ rateLimit: 2, monthlyLimit: 50 });
    const inside = new Caller({ baseUrl: limited.baseUrl, fetch });
    expect(await statuses(inside, 3)).toEqual([200, 200, 429]);
    expect(await statuses(caller, 5)).toEqual([200, 200, 200, 200, 200]);
    await send('POST', `${limited.controlUrl}/reset`);
    expect(await statuses(inside, 3)).toEqual([200, 200, 429]);
    const state = await send('GET', `${server.controlUrl}/state`);
    await send('PUT', `${limited.controlUrl}/state`, state as object);
    await send('POST', `${limited.controlUrl}/clock`, { advanceMs: 60_000 });
    const { body } = await inside.me();
    expect(body.api).toMatchObject({ limit: 50, perMinute: 2 });
    // Sandboxes of a sandbox start with its limits.
    const inner = (await send('POST', `${limited.controlUrl}/sandboxes`, { monthlyLimit: 'off' })) as Sandbox;
    expect(await statuses(new Caller({ baseUrl: inner.baseUrl, fetch }), 3)).toEqual([200, 200, 429]);
  });

  it('start from a seed of their own', async () => {
    const seed = {
      organizations: [{ id: 'org_own', keys: [{ key: 'own-key', name: 'Own', scope: 'write' }] }],
    };
    const own = new Caller({ baseUrl: (await create({ seed, rateLimit: 1 })).baseUrl, fetch }, 'own-key');
    expect((await own.me()).body.organizationId).toBe('org_own');
    expect((await own.me()).status).toBe(429);
    expect((await control('POST', '/sandboxes', { seed: {} })).status).toBe(400);
    const both = await control('POST', '/sandboxes', { seed, state: seed });
    expect(both).toMatchObject({
      status: 400,
      body: { message: 'seed cannot be used together with state.' },
    });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ rateLimit: -1 }, 'rateLimit must be at least 0'],
    [{ rateLimit: 1.5 }, 'rateLimit'],
    [{ rateLimit: 'plan' }, 'rateLimit must be "off" or a whole number, 0 or greater'],
    [{ monthlyLimit: 'none' }, 'monthlyLimit must be "off", "plan" or a whole number, 0 or greater'],
    [{ limit: 1 }, 'unknown field'],
  ])('are not created with %j', async (body, why) => {
    const answer = await control('POST', '/sandboxes', body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(why) } });
    expect((await control('GET', '/sandboxes')).body).toEqual({ sandboxes: [] });
  });
});

describe('PATCH /limits', () => {
  it('changes the limits of a running mock, and a reset restores them', async () => {
    expect((await control('PATCH', '/limits', {})).body).toMatchObject({
      rateLimit: 'off',
      monthlyLimit: 'plan',
      history: 0,
    });
    const changed = await control('PATCH', '/limits', { rateLimit: 2 });
    expect(changed).toMatchObject({ status: 200, body: { rateLimit: 2, monthlyLimit: 'plan' } });
    expect(await statuses(caller, 3)).toEqual([200, 200, 429]);
    await control('PATCH', '/limits', { rateLimit: 3 });
    expect(await statuses(caller, 2)).toEqual([200, 429]);
    await control('PATCH', '/limits', { rateLimit: 'off', monthlyLimit: 4 });
    const answers = [await caller.me(), await caller.me()];
    expect(answers.map(({ body }) => body.error ?? body.api.limit)).toEqual([4, 'QUOTA_EXCEEDED']);
    await control('POST', '/reset');
    expect((await control('PATCH', '/limits', {})).body).toMatchObject({
      rateLimit: 'off',
      monthlyLimit: 'plan',
      history: 0,
    });
  });

  it('counts the requests of the last minute for a lower limit', async () => {
    await control('PATCH', '/limits', { rateLimit: 10 });
    await statuses(caller, 4);
    await control('PATCH', '/limits', { rateLimit: 3 });
    expect(await statuses(caller, 1)).toEqual([429]);
  });

  it('does not reach a sandbox, in process either', () => {
    const mock = createMock();
    const sandbox = mock.sandbox({ name: 'own' });
    expect(mock.patchLimits({ rateLimit: 1 })).toEqual({ rateLimit: 1, monthlyLimit: 'plan', history: 0 });
    expect(sandbox.patchLimits({})).toEqual({ rateLimit: 60, monthlyLimit: 'plan', history: 0 });
    expect(mock.listSandboxes()).toMatchObject([{ name: 'own', baseUrl: sandbox.baseUrl }]);
    expect(mock.dropSandboxes()).toBe(1);
  });

  it.each([[{ rateLimit: '10' }], [{ monthlyLimit: -1 }], [{ perMinute: 1 }], [{ rateLimit: null }]])(
    'refuses %j and changes nothing',
    async (body) => {
      expect((await control('PATCH', '/limits', { rateLimit: 5 })).status).toBe(200);
      expect((await control('PATCH', '/limits', body)).status).toBe(400);
      expect((await control('PATCH', '/limits', {})).body).toMatchObject({ rateLimit: 5 });
    },
  );
});
