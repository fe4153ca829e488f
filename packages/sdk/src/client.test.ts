import { createMock, demoKeys, type Mock } from '@orgchat/mock-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  ConflictError,
  createClient,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  type OrgChatClient,
  OutcomeUnknownError,
  PermissionError,
  StaleRevisionError,
  UncertainOperationError,
} from './index.ts';

/* Against the mock server: in process, and once more over HTTP. */

const doors: Record<
  string,
  () => Promise<{ mock: Mock; options: ClientOptions; close: () => Promise<void> }>
> = {
  'in process': async () => {
    const mock = createMock({ rateLimit: 'off' });
    return { mock, options: { baseUrl: mock.baseUrl, fetch: mock.fetch }, close: async () => undefined };
  },
  'over HTTP': async () => {
    const mock = createMock({ rateLimit: 'off' });
    const { baseUrl, close } = await mock.listen({ port: 0 });
    return { mock, options: { baseUrl }, close };
  },
};

const errorOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable('it should have been rejected'),
    (error: unknown) => error,
  );

describe.each(Object.keys(doors))('%s', (door) => {
  let mock: Mock;
  let options: ClientOptions;
  let close: () => Promise<void>;
  let client: OrgChatClient;

  beforeAll(async () => {
    const opened = await doors[door]?.();
    if (opened === undefined) throw new Error('no such door');
    ({ mock, options, close } = opened);
  });
  afterAll(() => close());
  beforeEach(() => {
    mock.reset();
    options = {
      ...options,
      apiKey: 'demo-write-key',
      pacing: false,
      retry: { baseDelayMs: 1, maxDelayMs: 5 },
    };
    client = createClient(options);
  });

  const anyone = async () => {
    for await (const friend of client.friends.list({ maxItems: 1 })) return friend;
    throw new Error('the demo has no friends');
  };

  test('the account', async () => {
    expect(await client.account()).toMatchObject({ key: { scope: 'write' }, api: { perMinute: 60 } });
    const { data, status, headers, requestId, attempts } = await client.account().withResponse();
    expect(data.organizationId).toBeTypeOf('string');
    expect({ status, attempts }).toEqual({ status: 200, attempts: 1 });
    expect(headers.get('x-request-id')).toBe(requestId);
  });

  const account = async (): Promise<string> => (await client.accounts.list()).records[0]?.id ?? '';
  const data = {
    tags: async () => ({ name: 'VIP', color: 'pink' as const }),
    templates: async () => ({ name: 'Hello', text: 'Hello.' }),
    autoReplies: async () => ({
      accountId: null,
      keyword: 'hours',
      matchType: 'exact' as const,
      responseText: 'Nine to five.',
      active: true,
    }),
    scenarios: async () => ({
      name: 'Welcome',
      accountId: null,
      trigger: 'manual' as const,
      triggerTagId: null,
      active: true,
      steps: [{ delayValue: 1, delayUnit: 'days' as const, sendTime: '09:30', text: 'Good morning.' }],
    }),
    forms: async () => ({
      accountId: await account(),
      name: 'Survey',
      title: 'Tell us',
      description: '',
      fields: [
        { key: 'mail', label: 'Mail', type: 'email' as const, required: true, options: [], placeholder: '' },
      ],
      submitTagId: null,
      submitScenarioId: null,
      saveToProfile: true,
      thanksText: '',
      active: true,
    }),
    richMenus: async () => ({
      accountId: await account(),
      name: 'Main',
      chatBarText: 'Menu',
      size: 'large' as const,
      template: 'one',
      areas: [
        { x: 0, y: 0, width: 10, height: 10, action: { type: 'message' as const, text: 'Hi', label: 'Hi' } },
      ],
    }),
    links: async () => ({ name: 'Page', url: 'https://example.com/', tagId: null, scenarioId: null }),
    routes: async () => ({ accountId: await account(), name: 'Counter', tagId: null, scenarioId: null }),
    broadcasts: async () => ({
      accountId: await account(),
      title: 'News',
      messages: [{ type: 'text' as const, text: 'News.' }],
      target: 'all' as const,
      tagIds: [],
      scheduledAt: null,
    }),
  };

  /** The life of a record, the same for every resource; `never` because each has data of its own. */
  async function life(resource: keyof typeof data): Promise<void> {
    const api = client[resource] as unknown as OrgChatClient['tags'];
    const given = (await data[resource]()) as never;
    const created = await api.create(given);
    expect(created).toMatchObject({ applied: true, replayed: false, auditRecorded: true, result: given });
    expect(await api.get(created.result.id)).toEqual(created.result);
    const updated = await api.update(created.result, given);
    expect(updated.result.revision).not.toBe(created.result.revision);
    expect(await errorOf(api.update(created.result, given))).toBeInstanceOf(StaleRevisionError);
    const edited = await api.edit(created.result.id, (now) => {
      expect(now).toEqual(given);
      return now;
    });
    const { records, total } = await api.list({ limit: 1 });
    expect(records).toHaveLength(1);
    expect(total).toBeGreaterThan(1);
    if (resource === 'richMenus') return expect('delete' in api).toBe(false);
    expect(await api.delete(edited.result)).toMatchObject({
      result: { id: created.result.id, deleted: true },
    });
    expect(await errorOf(api.get(created.result.id))).toBeInstanceOf(NotFoundError);
  }

  test.each(Object.keys(data) as (keyof typeof data)[])('%s: create, get, update, edit, list, delete', life);

  test('friends', async () => {
    const friend = await anyone();
    expect(await client.friends.get(friend)).toEqual(friend);
    const updated = await client.friends.update(friend, { notes: 'Likes tea', status: 'resolved' });
    expect(updated.result).toMatchObject({ notes: 'Likes tea', status: 'resolved' });
    const tag = await client.tags.create({ name: 'VIP', color: 'pink' });
    const tagged = await client.friends.setTags(updated.result, [tag.result.id]);
    expect(tagged.result.tagIds).toEqual([tag.result.id]);
    const edited = await client.friends.edit(friend, ({ notes }) => ({ notes: `${notes}.` }));
    expect(edited.result).toMatchObject({ notes: 'Likes tea.', status: 'resolved' });
    const scenario = await client.scenarios.create(await data.scenarios());
    const enrolled = await client.friends.enroll(friend, scenario.result);
    expect(enrolled.result).toMatchObject({ scenarioId: scenario.result.id, userId: friend.userId });
    expect((await client.friends.automations(friend)).records[0]).toMatchObject({ id: enrolled.result.id });
    expect((await client.friends.messages(friend, { limit: 1 })).records).toHaveLength(1);
    const named = await client.friends.list({ accountId: friend.accountId, search: friend.displayName });
    expect(named.records.map(({ userId }) => userId)).toContain(friend.userId);
  });

  test('conversations, submissions, clicks', async () => {
    const accountId = await account();
    const conversations = await client.conversations.list({ accountId });
    expect(conversations.records.every((one) => one.accountId === accountId)).toBe(true);
    let submissions = 0;
    for await (const form of client.forms.list())
      submissions += (await client.forms.submissions(form.id)).records.length;
    let clicks = 0;
    for await (const link of client.links.list())
      clicks += (await client.links.clicks(link.id)).records.length;
    expect([submissions > 0, clicks > 0]).toEqual([true, true]);
  });

  test('studio: projects, documents page by page, one document', async () => {
    const projects: string[] = [];
    const perProject = new Map<string, number>();
    for await (const project of client.studio.projects()) {
      projects.push(project.name);
      let count = 0;
      for await (const document of client.studio.documents(project)) {
        if (count++ === 0) {
          const read = await client.studio.document(project, document);
          expect(read).toMatchObject({ project: { id: project.id }, document: { id: document.id } });
          expect(read.document.body).toBeTypeOf('string');
        }
      }
      perProject.set(project.id, count);
    }
    expect(projects.length).toBeGreaterThan(1);
    expect(Math.max(...perProject.values())).toBeGreaterThan(50);
    const archived = await client.studio.projects({ archived: true });
    expect(archived.projects.every((project) => project.archived)).toBe(true);
    const bare = await client.readStudio({ resource: 'projects' });
    expect(bare.projects.length).toBeGreaterThan(0);
  });

  test('keywords', async () => {
    const first = await client.keywords.add('demo-site', { keywords: ['one', 'two'], group: 'numbers' });
    expect(first).toEqual({ added: ['one', 'two'], skipped: [] });
    expect(await client.addKeywords('demo-site', { keywords: ['two'] })).toEqual({
      added: [],
      skipped: ['two'],
    });
    expect(await errorOf(client.keywords.add('no-such-site', { keywords: ['x'] }))).toBeInstanceOf(
      NotFoundError,
    );
  });

  test('the bare operations', async () => {
    const page = await client.readChat({ resource: 'tags', limit: 2 });
    expect(page.records).toHaveLength(2);
    const one = await client.readChat({ resource: 'tags', id: page.records[0]?.id ?? '' });
    expect(one.record).toEqual(page.records[0]);
    const change = { action: 'create-tags', data: { name: 'Bare', color: 'blue' } } as const;
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const done = await client.changeChat(change, { operationId });
    expect(done).toMatchObject({ operationId, applied: true, replayed: false });
    expect(await client.changeChat(change, { operationId })).toMatchObject({
      replayed: true,
      result: done.result,
    });
    const stranger = createClient(options);
    const other = { ...change, data: { name: 'Other', color: 'blue' } } as const;
    expect(await errorOf(stranger.changeChat(other, { operationId }))).toBeInstanceOf(InputConflictError);
  });

  test('an input left out is sent as an empty one, of which the server says what is missing', async () => {
    const calls = [
      // @ts-expect-error Types do not let it be left out.
      () => client.readChat(),
      // @ts-expect-error
      () => client.readStudio(),
      // @ts-expect-error
      () => client.changeChat(),
      // @ts-expect-error
      () => client.keywords.add('demo-site'),
    ];
    for (const call of calls) {
      const error = await errorOf(call());
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error).toMatchObject({ status: 400, serverMessage: expect.any(String) });
    }
  });

  test('a key that may not write', async () => {
    const reader = createClient({ ...options, apiKey: 'demo-read-key', language: 'ja' });
    const error = await errorOf(reader.tags.create({ name: 'VIP', color: 'pink' }));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      serverMessage: expect.stringMatching(/API/),
    });
    expect((error as PermissionError).serverMessage).toMatch(/[\u3040-\u30ff]/);
    expect((error as PermissionError).message).not.toMatch(/[\u3040-\u30ff]/);
  });

  describe('with faults', () => {
    const vip = { name: 'A name of its own', color: 'pink' } as const;

    test.each(['lose-response', 'cut-response', 'drop-request'] as const)(
      '%s: applied once',
      async (effect) => {
        mock.faults.arm({ effect, operation: 'changeChat', times: 2 });
        const outcome = await client.tags.create(vip);
        expect(outcome).toMatchObject({ applied: true, replayed: effect !== 'drop-request' });
        const { records } = await client.tags.list();
        expect(records.filter(({ name }) => name === vip.name)).toHaveLength(1);
        expect(mock.operations()).toHaveLength(1);
      },
    );

    test('a twin in flight: the outcome is unknown at once, and resume finishes it', async () => {
      mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 150 });
      const error = await errorOf(client.tags.create(vip, { attemptTimeoutMs: 30 }));
      expect(error).toBeInstanceOf(UncertainOperationError);
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await (error as UncertainOperationError).resume?.()).toMatchObject({
        applied: true,
        replayed: true,
      });
    });

    test('an uncertain operation is never polled', async () => {
      mock.faults.arm({ effect: 'uncertain', answer: 502, applied: false });
      expect(await errorOf(client.tags.create(vip))).toBeInstanceOf(UncertainOperationError);
      const before = mock.requests.list().length;
      const [outcome] = await client.operations.resumeAll();
      expect(outcome).toMatchObject({ state: 'unknown', error: { code: 'OPERATION_UNCERTAIN' } });
      expect(mock.requests.list()).toHaveLength(before + 1);
    });

    test.each([true, false])('keywords, lost after applied=%s: unknown, sent once', async (isApplied) => {
      mock.faults.arm({ effect: isApplied ? 'lose-response' : 'drop-request', operation: 'addSeoKeywords' });
      const error = await errorOf(client.keywords.add('demo-site', { keywords: ['once'] }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords')).toHaveLength(1);
    });

    test('the minute limit is waited for; the quota is not', async () => {
      mock.faults.arm({ effect: 'respond', status: 429, error: 'RATE_LIMITED', retryAfter: 0, times: 2 });
      expect((await client.account().withResponse()).attempts).toBe(3);
      mock.faults.arm({ effect: 'respond', status: 429, error: 'QUOTA_EXCEEDED' });
      expect(await errorOf(client.account())).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        attempts: 1,
        limit: 'quota',
      });
    });

    test('auditRecorded is handed on', async () => {
      mock.faults.arm({ effect: 'skip-audit' });
      expect(await client.tags.create(vip)).toMatchObject({ applied: true, auditRecorded: false });
    });
  });

  describe('edit', () => {
    const rename = (suffix: string) => (data: { name: string; color: 'pink' }) => ({
      ...data,
      name: `${data.name}${suffix}`,
    });

    test('reads again when a rival was faster, as a new operation', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      mock.faults.arm({ effect: 'rival-edit', times: 2 });
      let calls = 0;
      const edited = await client.tags.edit(result.id, (data) => {
        calls++;
        return { ...data, color: 'blue' };
      });
      expect(calls).toBe(3);
      expect(edited.result.color).toBe('blue');
      const ids = mock.requests.list().filter(({ operation }) => operation === 'changeChat');
      expect(ids).toHaveLength(4);
      expect((await client.operations.list()).filter(({ state }) => state === 'refused')).toHaveLength(2);
    });

    test('gives up after its tries, with both versions', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const error = await errorOf(
        client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), { maxTries: 2 }),
      );
      expect(error).toBeInstanceOf(StaleRevisionError);
      const { versions } = error as StaleRevisionError;
      expect(versions).toMatchObject({
        expected: { id: result.id },
        current: { id: result.id },
        data: { color: 'blue' },
      });
      expect(versions?.expected).not.toEqual(versions?.current);
      expect(mock.requests.list().filter(({ operation }) => operation === 'changeChat')).toHaveLength(3);
    });

    test('tells stale by evidence, whatever the code', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      mock.faults.arm({ effect: 'respond', status: 409, error: 'SOMETHING_ELSE', operation: 'changeChat' });
      const error = await errorOf(client.tags.edit(result.id, (data) => data));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ code: 'SOMETHING_ELSE' });
      mock.faults.arm({ effect: 'respond', status: 409, error: 'SOMETHING_ELSE', operation: 'changeChat' });
      let tries = 0;
      const edited = await client.tags.edit(result.id, (data) => {
        if (++tries === 1) mock.edit({ resource: 'tags', id: result.id, data: { name: 'Rival' } });
        return { ...data, color: 'blue' };
      });
      expect(edited.result).toMatchObject({ name: 'Rival', color: 'blue' });
    });

    test('with an intent is done once by a script that runs twice', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      const again = { intent: ['add a plus', result.id] };
      const first = await client.tags.edit(result.id, rename('+') as never, again);
      const second = await client.tags.edit(result.id, rename('+') as never, again);
      expect([first.result.name, second.result.name, second.replayed]).toEqual(['VIP+', 'VIP+', true]);
    });

    test('takes no operationId, and says why', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      const before = mock.requests.list().length;
      const options = { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' };
      const error = await errorOf(client.tags.edit(result.id, (data) => data, options as never));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect((error as Error).message).toBe('edit() takes no operationId: each try is a new operation');
      expect(mock.requests.list()).toHaveLength(before);
    });

    test.each([0, Number.NaN])('with maxTries of %s still ends', async (maxTries) => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const edit = client.tags.edit(result.id, (data) => ({ ...data, color: 'blue' }), { maxTries });
      expect(await errorOf(edit)).toBeInstanceOf(StaleRevisionError);
    });

    test('what the function throws stays as it is', async () => {
      const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
      const mine = new Error('no');
      expect(await errorOf(client.tags.edit(result.id, () => Promise.reject(mine)))).toBe(mine);
    });
  });

  describe('lists', () => {
    const pages = (): number =>
      mock.requests.list().filter(({ operation }) => operation === 'readChat').length;
    const many = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await client.templates.create({ name: `Template ${n}`, text: 'x' });
    };

    test('fetch nothing before it is needed, and no page too many', async () => {
      await many(12);
      const list = client.templates.list({ limit: 5 });
      expect(pages()).toBe(0);
      let seen = 0;
      for await (const _ of list) if (++seen === 5) break;
      expect(pages()).toBe(1);
      seen = 0;
      for await (const _ of client.templates.list({ limit: 5, maxItems: 7 })) seen++;
      expect([seen, pages()]).toEqual([7, 3]);
    });

    test('give every record once while others are made', async () => {
      await many(12);
      const seen: string[] = [];
      for await (const template of client.templates.list({ limit: 5 })) {
        seen.push(template.id);
        if (seen.length === 5) await many(3);
      }
      expect(new Set(seen).size).toBe(seen.length);
      const total = (await client.templates.list()).total;
      expect(seen).toHaveLength(total - 3);
    });

    test('awaited twice are fetched once, and each iteration begins anew', async () => {
      const list = client.templates.list({ limit: 2 });
      const [first, second] = [await list, await list];
      expect(second).toBe(first);
      expect((await list.withResponse()).data).toBe(first);
      expect(pages()).toBe(1);
      for (let round = 0; round < 2; round++) for await (const _ of list) break;
      expect(pages()).toBe(3);
    });

    test.each([-1, 1.5, Number.NaN])('of at most %s records are a mistake', async (maxItems) => {
      expect(() => client.templates.list({ maxItems })).toThrow(InvalidInputError);
      expect(() => client.studio.projects({ maxItems })).toThrow(/maxItems must be a whole number/);
      expect(pages()).toBe(0);
    });

    test('of at most Infinity records are whole', async () => {
      let seen = 0;
      for await (const _ of client.templates.list({ maxItems: Infinity })) seen++;
      expect(seen).toBe((await client.templates.list()).total);
    });

    test('maxItems of none is none', async () => {
      for await (const _ of client.templates.list({ maxItems: 0 })) expect.unreachable();
      expect(pages()).toBe(0);
    });
  });

  test('the methods of operations can be taken out of it', async () => {
    const { resumeAll, list, resume } = client.operations;
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 4 });
    const error = await errorOf(client.tags.create({ name: 'VIP', color: 'pink' }));
    expect(await resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
    const [entry] = await list({ state: 'applied' });
    expect(entry?.operationId).toBe((error as OutcomeUnknownError).operationId);
    expect(await resume(entry?.operationId ?? '')).toMatchObject({ replayed: true });
  });

  test('forget removes an operation, and an unknown one cannot be resumed', async () => {
    const { operationId } = await client.tags.create({ name: 'VIP', color: 'pink' });
    expect(await client.operations.forget(operationId)).toBe(true);
    expect(await client.operations.forget(operationId)).toBe(false);
    expect(await errorOf(client.operations.resume(operationId))).toMatchObject({ code: 'UNKNOWN_OPERATION' });
  });

  test('every demo key is told apart', async () => {
    const codes = Object.fromEntries(
      await Promise.all(
        Object.values(demoKeys).map(async (apiKey) => {
          const said = await createClient({ ...options, apiKey })
            .account()
            .then(
              () => 'ok',
              (error) => error.name,
            );
          return [apiKey, said] as const;
        }),
      ),
    );
    expect(codes).toMatchObject({
      'demo-write-key': 'ok',
      'demo-read-key': 'ok',
      'demo-revoked-key': 'AuthenticationError',
      'demo-deleted-org-key': 'AuthenticationError',
      'demo-suspended-key': 'PermissionError',
      'demo-no-api-key': 'PermissionError',
    });
  });
});
