import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClientOptions,
  createClient,
  memoryJournal,
  type OutcomeUnknownError,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, json, lost, record, type Step, scripted } from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const friend = {
  accountId: '0a1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  userId: `U${'1'.repeat(32)}`,
  revision: record.revision,
  label: 'Hana',
};
const { id } = record;
const withoutResult = json({ ok: true, applied: true, replayed: false, auditRecorded: true });
const refusal = failure(403, 'FORBIDDEN');
const key = {
  apiKey: 'test-key-1234567890',
  baseUrl: 'https://api.example.com/api/v1',
  pacing: false,
} as const;

/** A client whose every request is refused, after the answers in `steps`. */
const refusing = (...steps: Step[]) => scripted([...steps, refusal], { retry: false }).client;

/** A client with a change whose outcome is unknown, and every later request is refused. */
async function withUnknown() {
  const client = refusing(lost);
  const error = (await getRejection(client.tags.create(vip))) as OutcomeUnknownError;
  const operationId = `${error.operationId}`;
  return { client, error, operationId };
}

/** A client with a journal that fails. */
function withoutJournal() {
  const diskFull = () => Promise.reject(new Error('disk full'));
  const broken = { list: diskFull, get: diskFull, remove: diskFull };
  const journal: ClientOptions['journal'] = { ...memoryJournal(), ...broken };
  return createClient({ ...key, journal }).operations;
}

async function iterate(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** How each method is called so that it rejects, by its path in the client. */
const calls = {
  account: () => refusing().account(),
  readChat: () => refusing().readChat({ resource: 'tags' }),
  changeChat: () => refusing().changeChat({ action: 'create-tags', data: vip }),
  readStudio: () => refusing().readStudio({ resource: 'projects' }),
  addKeywords: () => refusing().addKeywords('site', { keywords: ['a'] }),
  bulk: () => refusing().bulk([1], String, { concurrency: 0 }),
  'keywords.add': () => refusing().keywords.add('site', { keywords: ['a'] }),
  'keywords.import': () => refusing().keywords.import('.', ['a']),
  watch: () => refusing().watch({ messages: true }).next(),
  'accounts.list': () => refusing().accounts.list(),
  'tags.list': () => refusing().tags.list(),
  'tags.get': () => refusing().tags.get(id),
  'tags.find': () => refusing().tags.find({ name: 'VIP' }),
  'tags.upsert': () => refusing().tags.upsert(vip, { by: 'name' }),
  'tags.sync': () => refusing().tags.sync([vip], { by: 'name' }),
  'tags.create': () => refusing().tags.create(vip),
  'tags.update': () => refusing().tags.update(record, vip),
  'tags.edit': () => refusing().tags.edit(id, (data) => data),
  'tags.delete': () => refusing().tags.delete(record),
  'forms.submissions': () => refusing().forms.submissions(id),
  'links.clicks': () => refusing().links.clicks(id),
  'friends.list': () => refusing().friends.list(),
  'friends.get': () => refusing().friends.get(friend),
  'friends.update': () => refusing().friends.update(friend, { tagIds: [] } as never),
  'friends.edit': () => refusing().friends.edit(friend, (data) => data),
  'friends.addTags': () => refusing().friends.addTags(friend, [id]),
  'friends.removeTags': () => refusing().friends.removeTags(friend, [id]),
  'friends.editTags': () => refusing().friends.editTags(friend, (tagIds) => tagIds),
  'friends.setTags': () => refusing().friends.setTags(friend, [id]),
  'friends.enroll': () => refusing().friends.enroll(friend, id),
  'friends.messages': () => refusing().friends.messages(friend),
  'friends.automations': () => refusing().friends.automations(friend),
  'conversations.list': () => refusing().conversations.list(),
  'studio.projects': () => refusing().studio.projects(),
  'studio.documents': () => refusing().studio.documents(id),
  'studio.document': () => refusing().studio.document(id, id),
  'operations.list': () => withoutJournal().list(),
  'operations.get': () => refusing().operations.get('no uuid'),
  'operations.problems': () => withoutJournal().problems(),
  'operations.stats': () => withoutJournal().stats(),
  'operations.resume': async () => {
    const { client, operationId } = await withUnknown();
    return client.operations.resume(operationId);
  },
  'operations.resumeAll': () => refusing().operations.resumeAll({ onWait: 1 as never }),
  'operations.drain': () => withoutJournal().drain(),
  'operations.forget': () => refusing().operations.forget('no uuid'),
  'operations.reconcile': async () => {
    const { client, error } = await withUnknown();
    return client.operations.reconcile(error);
  },
  'operations.adopt': () => refusing().operations.adopt({ previousKey: 'another-key' }),
} satisfies Record<string, () => PromiseLike<unknown>>;

/** More ways to use what a method returns. */
const uses = {
  'a list, iterated': () => iterate(refusing().tags.list()),
  'a list, iterated beyond its first page': () => {
    const page = json({ records: [record], total: 60, limited: true });
    return iterate(refusing(page).tags.list({ limit: 1 }));
  },
  'pages()': () => iterate(refusing().tags.list().pages()),
  'toArray()': () => refusing().tags.list().toArray(),
  'first()': () => refusing().tags.list().first(),
  'a list with its response': () => refusing().tags.list().withResponse(),
  'a list, caught': () =>
    refusing()
      .tags.list()
      .catch((error: unknown) => Promise.reject(error)),
  'a list of Studio, iterated': () => iterate(refusing().studio.projects()),
  'a call that an async function returns': async () => refusing().tags.get(id),
  'a read with its response': () => refusing().account().withResponse(),
  'a write that requires its result': () => refusing().tags.create(vip).requireResult(),
  'a write without the required result': () =>
    scripted([withoutResult]).client.tags.create(vip).requireResult(),
  'a write with its response': () => refusing().tags.create(vip).withResponse(),
  'a write with an intent': () => refusing().tags.create(vip, { intent: ['once'] }),
  'an argument that is refused': () => refusing().tags.create(vip, { operationId: 'no uuid' }),
  'an unknown outcome': () => refusing(lost).tags.create(vip),
  'resume() of an unknown outcome': async () => (await withUnknown()).error.resume?.(),
  'resume() of a bulk run': async () => {
    const run = await refusing().bulk([1], String);
    return run.resume({ onProgress: 1 as never });
  },
  'resume() of an import': async () => {
    const run = await refusing().keywords.import('site', ['a']);
    return run.resume({ onProgress: 1 as never });
  },
};

/** Runs a program that no function waits for, so that nothing of the test is on its stack. Returns what it passes to `end`. */
function failApart(program: (end: (error: unknown) => void) => unknown): Promise<{ stack?: string }> {
  return new Promise((resolve) => {
    setTimeout(() => void program((error) => resolve(Object(error))), 0);
  });
}

/** The paths of all methods of a client; a resource is represented by another with the same methods. */
function listMethods(): string[] {
  const client = createClient(key);
  const names = new Set<string>();
  for (const [name, member] of Object.entries(client)) {
    if (typeof member === 'function') names.add(name);
    else for (const method of Object.keys(member)) names.add(toSample(name, method));
  }
  names.delete('with');
  return [...names].sort();
}

function toSample(resource: string, method: string): string {
  const own = `${resource}.${method}`;
  const sample = `tags.${method}`;
  return !(own in calls) && sample in calls ? sample : own;
}

describe('the stack of an error shows the line that made the call', () => {
  test('all methods of the client are tried', () => {
    expect(listMethods()).toEqual(Object.keys(calls).sort());
  });

  test.each(Object.entries({ ...calls, ...uses }))('%s', async (_, call) => {
    const { stack = '' } = await failApart(async (end) => {
      try {
        await call();
      } catch (error) {
        end(error);
      }
    });
    expect(stack).toContain('call-sites.test.ts');
    expect(stack.match(/^ +at /gm)?.length).toBeLessThan(30);
  });

  test.each<[string, (end: (error: unknown) => void) => unknown]>([
    ['then()', (end) => refusing().tags.get(id).then(undefined, end)],
    ['catch()', (end) => refusing().tags.create(vip).catch(end)],
    [
      'finally()',
      (end) =>
        refusing()
          .tags.get(id)
          .finally(() => undefined)
          .catch(end),
    ],
    ['then() of a list', (end) => refusing().tags.list().then(undefined, end)],
    ['withResponse()', (end) => refusing().account().withResponse().catch(end)],
    ['requireResult()', (end) => refusing().tags.create(vip).requireResult().catch(end)],
    ['Promise.all()', (end) => Promise.all([refusing().tags.get(id), refusing().account()]).catch(end)],
    [
      'Promise.allSettled()',
      (end) => Promise.allSettled([refusing().tags.get(id)]).then(([settled]) => end(Object(settled).reason)),
    ],
  ])('%s without await', async (_, start) => {
    const { stack } = await failApart(start);
    expect(stack).toContain('call-sites.test.ts');
  });

  test('where the engine does not know what awaits a call, each call shows its line', async () => {
    vi.stubGlobal('Bun', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const load = async () => refusing().tags.get(id);
    const { stack } = await failApart((end) => load().catch(end));
    expect(stack).toContain('call-sites.test.ts');
  });

  test('a change shows the function that made it, whoever waits for it', async () => {
    const createTag = () => refusing().tags.create(vip);
    const handler = async () => createTag();
    const { stack } = await failApart((end) => handler().catch(end));
    expect(stack).toContain('createTag');
  });

  test('no frame is shown twice', async () => {
    const { stack = '' } = await getRejection(refusing().tags.find({ name: 'VIP' }));
    const frames = stack.split('\n').filter((line) => line.includes('/packages/sdk/'));
    expect(frames.length).toBeGreaterThan(2);
    expect(frames).toEqual([...new Set(frames)]);
  });

  test('a call that is not awaited at once shows its line, too', async () => {
    async function placeOrders(): Promise<unknown> {
      const client = refusing();
      const orders = [client.tags.create(vip), client.tags.create(vip)];
      return Promise.all(orders);
    }
    const { stack } = await getRejection(placeOrders());
    expect(stack).toContain('placeOrders');
  });

  test('what a callback throws is the same error, even if it is frozen', async () => {
    const thrown = Object.freeze(new Error('of the program'));
    const { client } = scripted([json({ record })]);
    const edit = client.tags.edit(id, () => {
      throw thrown;
    });
    expect(await getRejection(edit)).toBe(thrown);
  });
});
