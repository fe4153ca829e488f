import type { ServerDescription } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, nobody, shop, step, vip } from '../../test-support/data.ts';

type Behavior = NonNullable<ServerDescription['behavior']>;
type Limits = NonNullable<ServerDescription['limits']>;

const callerOf = (behavior: Behavior): Caller => new Caller(createMock({ server: { server: 1, behavior } }));
const limitedCaller = (limits: Limits, options: MockOptions = {}): Caller =>
  new Caller(createMock({ server: { server: 1, limits }, ...options }));
const create = { action: 'create-tags', data: data.tags };

describe('the limits of a described server', () => {
  it('pageSize: a page has no more records, whatever limit is sent', async () => {
    const caller = limitedCaller({ pageSize: 2 });
    for (const query of [{}, { limit: 50 }, { limit: 1 }]) {
      const { records, limited } = (await caller.read({ resource: 'tags', ...query })).body;
      expect([records.length, limited]).toEqual(['limit' in query && query.limit === 1 ? 1 : 2, true]);
    }
    expect((await caller.read({ resource: 'friends', search: 'a' })).body.records.length).toBeLessThan(3);
  });

  it('perMinute: is the minute limit, unless the option says another', async () => {
    const caller = limitedCaller({ perMinute: 2 });
    expect((await caller.me()).body.api.perMinute).toBe(2);
    await caller.me();
    expect((await caller.me()).status).toBe(429);
    const other = limitedCaller({ perMinute: 2 }, { rateLimit: 3 });
    expect((await other.me()).body.api.perMinute).toBe(3);
  });

  it.each([
    ['seconds', /^\d+$/],
    ['date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
    ['none', undefined],
  ] as const)('retryAfter: %s', async (retryAfter, form) => {
    let now = Date.UTC(2026, 0, 1, 0, 0, 0, 700);
    const caller = limitedCaller({ perMinute: 1, retryAfter }, { now: () => now });
    await caller.me();
    const { status, headers } = await caller.me();
    const sent = headers.get('retry-after');
    expect(status).toBe(429);
    if (form === undefined) expect(sent).toBeNull();
    else expect(sent).toMatch(form);
    if (retryAfter === 'date') {
      now = Date.parse(sent ?? '');
      expect((await caller.me()).status).toBe(200);
    }
  });
});

describe('the behavior of a described server', () => {
  it('replayCompares: bytes makes the same change in another order of fields another input', async () => {
    const id = crypto.randomUUID();
    const { color, name } = data.tags;
    const reordered = { action: 'create-tags', data: { color, name } };
    for (const [replayCompares, status] of [
      ['bytes', 409],
      ['input', 200],
    ] as const) {
      const caller = callerOf({ replayCompares });
      await caller.change(id, create);
      expect((await caller.change(id, create)).body.replayed).toBe(true);
      expect((await caller.change(id, reordered)).status).toBe(status);
    }
  });

  it('refusedIdIsFree: false keeps the id of a refused change for its input', async () => {
    const id = crypto.randomUUID();
    const refused = { action: 'create-links', data: { ...data.links, tagId: nobody } };
    const mock = createMock({ server: { server: 1, behavior: { refusedIdIsFree: false } } });
    const caller = new Caller(mock);
    expect((await caller.change(id, refused)).status).toBe(404);
    const other = await caller.change(id, create);
    expect([other.status, other.body.error]).toEqual([409, 'INPUT_CONFLICT']);
    expect((await caller.change(id, refused)).status).toBe(404);
    expect(mock.operations()).toMatchObject([{ state: 'refused' }]);
    const copy = new Caller(createMock({ state: mock.state(), server: { server: 1 } }));
    expect((await copy.change(id, create)).status).toBe(409);
    const free = callerOf({});
    await free.change(id, refused);
    expect((await free.change(id, create)).status).toBe(200);
  });

  it('duplicateNames: refuses a name that another record of the resource has', async () => {
    const caller = callerOf({ duplicateNames: { status: 409, code: 'name_taken' } });
    const { result } = (await caller.apply(create)).body;
    const again = await caller.apply(create);
    expect([again.status, again.body.error]).toEqual([409, 'name_taken']);
    expect((await caller.apply({ action: 'create-templates', data: data.templates })).status).toBe(200);
    const guard = { expectedRevision: result.revision, expectedLabel: result.label };
    const own = await caller.apply({ action: 'update-tags', id: result.id, ...guard, data: data.tags });
    expect(own.status).toBe(200);
    expect((await callerOf({ duplicateNames: 'accepted' }).apply(create)).status).toBe(200);
  });

  it('unknownReference: has an answer of its own, or is accepted', async () => {
    const link = { action: 'create-links', data: { ...data.links, tagId: nobody } };
    const refusing = await callerOf({
      unknownReference: { status: 400, code: 'bad_reference' },
    }).apply(link);
    expect([refusing.status, refusing.body.error]).toEqual([400, 'bad_reference']);
    const accepting = await callerOf({ unknownReference: 'accepted' }).apply(link);
    expect(accepting.body.result).toMatchObject({ tagId: nobody });
    const plain = await callerOf({}).apply(link);
    expect([plain.status, plain.body.error]).toEqual([404, 'NOT_FOUND']);
  });

  it('unknownReference: is accepted in an update and in the tags of a friend, too', async () => {
    const caller = callerOf({ unknownReference: 'accepted' });
    const link = (await caller.apply({ action: 'create-links', data: data.links })).body.result;
    const update = { action: 'update-links', id: link.id, ...createGuard(link) };
    const updated = await caller.apply({ ...update, data: { ...data.links, tagId: nobody } });
    expect(updated.body.result).toMatchObject({ tagId: nobody });
    const friend = await caller.first('friends');
    const { accountId, userId } = friend;
    const tagged = { action: 'set-friend-tags', accountId, userId, ...createGuard(friend), tagIds: [nobody] };
    expect((await caller.apply(tagged)).body.result).toMatchObject({ tagIds: [nobody] });
  });

  it('unknownReference: a record of an unknown account is hidden from keys of some accounts', async () => {
    const server = { server: 1, behavior: { unknownReference: 'accepted' } } as const;
    const mock = createMock({ server, rateLimit: 'off' });
    const caller = new Caller(mock);
    const route = { ...data.routes, accountId: nobody };
    const made = (await caller.apply({ action: 'create-routes', data: route })).body.result;
    mock.patchKey('demo-read-key', { accountIds: [shop] });
    for (const of of [mock, createMock({ state: mock.state() })]) {
      const one = { resource: 'routes', id: made.id };
      expect((await new Caller(of).read(one)).body.record).toEqual(made);
      expect((await new Caller(of, 'demo-read-key').read(one)).status).toBe(404);
    }
    const edited = mock.edit({ resource: 'routes', id: made.id, data: { name: 'Renamed' } });
    expect(edited).toMatchObject({ name: 'Renamed', accountId: nobody });
    const moved = { resource: 'routes', id: made.id, data: { accountId: shop } } as const;
    expect(mock.edit(moved)).toMatchObject({ accountId: shop });
    const read = { resource: 'routes', id: made.id };
    expect((await caller.as('demo-read-key').read(read)).status).toBe(200);
  });

  it('onDelete: is what a deletion does to references, unless the option says otherwise', async () => {
    const statusOf = async (options: MockOptions): Promise<unknown> => {
      const caller = new Caller(
        createMock({ server: { server: 1, behavior: { onDelete: 'refuse' } }, ...options }),
      );
      const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
      await caller.apply({ action: 'create-links', data: { ...data.links, tagId: vip } });
      const guard = { expectedRevision: record.revision, expectedLabel: record.label };
      const deletion = { action: 'delete-configuration', resource: 'tags', id: vip, ...guard };
      return (await caller.apply(deletion)).status;
    };
    expect(await statusOf({})).toBe(400);
    expect(await statusOf({ onDelete: 'keep' })).toBe(200);
  });

  it('requestIdOn2xx: every answer has an X-Request-Id of its own without it', async () => {
    const caller = callerOf({});
    const answers = [
      await caller.me(),
      await caller.read({ resource: 'tags' }),
      await caller.apply(create),
      await caller.studio({ resource: 'projects' }),
      await caller.keywords('demo-site', { keywords: ['one'] }),
    ];
    expect(answers.every(({ status }) => status < 300)).toBe(true);
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length);
    expect(answers.every(({ headers }) => headers.get('x-request-id') !== null)).toBe(true);
  });

  it('requestIdOn2xx: false sends X-Request-Id with errors only', async () => {
    const caller = callerOf({ requestIdOn2xx: false });
    expect((await caller.me()).headers.has('x-request-id')).toBe(false);
    expect((await caller.read({ resource: 'nothing' })).headers.has('x-request-id')).toBe(true);
  });

  it('trims: false stores the white space around a text, and still counts without it', async () => {
    const name = ` ${'x'.repeat(100)} `;
    const change = { action: 'create-tags', data: { name, color: 'blue' } };
    const caller = callerOf({ trims: false });
    const { result } = (await caller.apply(change)).body;
    expect(result).toMatchObject({ name, label: name });
    const { id, revision: expectedRevision, label: expectedLabel } = result;
    const deletion = {
      action: 'delete-configuration',
      resource: 'tags',
      id,
      expectedRevision,
      expectedLabel,
    };
    expect((await caller.apply(deletion)).status).toBe(200);
    expect((await callerOf({}).apply(change)).body.result).toMatchObject({ name: name.trim() });
  });

  it('trims: false keeps the white space, and so the revision, when a state is loaded or edited', async () => {
    const server = { server: 1, behavior: { trims: false } } as const;
    const mock = createMock({ server });
    const caller = new Caller(mock);
    const steps = [{ ...step, text: ' Good morning. ' }];
    const scenario = { ...data.scenarios, name: ' Series ', steps };
    const made = (await caller.apply({ action: 'create-scenarios', data: scenario })).body.result;
    const copy = createMock({ state: mock.state(), server });
    const one = { resource: 'scenarios', id: made.id };
    expect((await new Caller(copy).read(one)).body.record).toEqual(made);
    const edited = mock.edit({ resource: 'scenarios', id: made.id, data: { active: false } });
    expect(edited).toMatchObject({ name: ' Series ', label: ' Series ', steps, active: false });
  });

  it('dates: s writes whole seconds, and leaves what users wrote', async () => {
    const caller = callerOf({ dates: 's' });
    const text = '2026-01-01T00:00:00.000Z';
    const made = await caller.apply({ action: 'create-templates', data: { name: 'x', text } });
    const whole = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
    expect(made.body.result).toMatchObject({ text, createdAt: expect.stringMatching(whole) });
    expect((await caller.me()).body.credits.resetsAt).toMatch(whole);
    expect((await caller.studio({ resource: 'projects' })).body.projects[0]?.updatedAt).toMatch(whole);
    const [message] = (await caller.read({ resource: 'conversations' })).body.records;
    expect(message).toMatchObject({ lastMessageAt: expect.stringMatching(whole) });
  });

  it.each([[['id', 'createdAt']], ['/made']] as const)(
    'dates: s also for a result that is %j',
    async (create) => {
      const server = { server: 1, behavior: { dates: 's' }, shapes: { result: { create } } } as const;
      const made = await new Caller(createMock({ server })).apply({ action: 'create-tags', data: data.tags });
      expect(JSON.stringify(made.body.result)).toMatch(/"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/);
    },
  );
});
