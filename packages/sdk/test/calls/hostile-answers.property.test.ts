import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type OrgChatClient, OrgChatError, OutcomeUnknownError } from '../../src/index.ts';
import {
  bodies,
  framings,
  type HostileAnswer,
  type HostileServer,
  hostileFriend,
  isWhole,
  maxBytes,
  openHostileServer,
} from '../../test-support/servers/hostile-server.ts';
import { record, retrySoon } from '../../test-support/servers/scripted.ts';

/*
 * Generated answers, as bytes on a real connection, to every kind of call. A call resolves only if its answer is whole
 * and right. A write is called refused only by a status that says so, has one id, and can be settled afterwards.
 */

let server: HostileServer;
beforeAll(async () => {
  server = await openHostileServer();
});
afterAll(() => server.close());

const apiKey = 'secret-key-0123456789';
const { id } = record;
const vip = { name: 'VIP', color: 'pink' } as const;

const readCalls: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  account: (client) => client.account(),
  get: ({ tags }) => tags.get(id),
  list: ({ tags }) => tags.list(),
  toArray: ({ tags }) => tags.list().toArray(),
  find: ({ tags }) => tags.find({ name: 'VIP' }),
  'friends.get': ({ friends }) => friends.get(hostileFriend),
  messages: ({ friends }) => friends.messages(hostileFriend),
  automations: ({ friends }) => friends.automations(hostileFriend),
  submissions: ({ forms }) => forms.submissions(id),
  clicks: ({ links }) => links.clicks(id),
  accounts: ({ accounts }) => accounts.list(),
  conversations: ({ conversations }) => conversations.list(),
  projects: ({ studio }) => studio.projects(),
  documents: ({ studio }) => studio.documents(id),
  document: ({ studio }) => studio.document(id, id),
};
const changeCalls: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  create: ({ tags }) => tags.create(vip),
  'create with an intent': ({ tags }) => tags.create(vip, { intent: ['once'] }),
  update: ({ tags }) => tags.update(record, vip),
  delete: ({ tags }) => tags.delete(record),
  edit: ({ tags }) => tags.edit(id, (data) => ({ ...data, name: 'Gold' })),
  upsert: ({ tags }) => tags.upsert({ ...vip, color: 'blue' }, { by: 'name' }),
  setTags: ({ friends }) => friends.setTags(hostileFriend, [id]),
  addTags: ({ friends }) => friends.addTags(hostileFriend, [id]),
  enroll: ({ friends }) => friends.enroll(hostileFriend, id),
  changeChat: (client) => client.changeChat({ action: 'create-tags', data: vip }),
};
const keywordCall = ({ keywords }: OrgChatClient): PromiseLike<unknown> =>
  keywords.add('site', { keywords: ['a'] });

const statuses = [
  ...[200, 200, 200, 201, 202, 203, 204, 206, 226, 299, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 421, 422, 425, 429, 431, 451],
  ...[500, 501, 502, 503, 504, 507, 520, 599],
] as const;
const headerLines = [
  'Content-Type: application/json',
  'Content-Type: text/html',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: nonsense',
  'Retry-After: 0',
  'Retry-After: tomorrow',
  'Retry-After: -1',
  'X-Request-Id: req-1',
  'X-Request-Id: req-2',
  'Set-Cookie: a=b',
  'Location: /elsewhere',
  'Location: http://127.0.0.1:9/elsewhere',
  `X-Echo: ${apiKey}`,
];
const anyAnswer: fc.Arbitrary<HostileAnswer> = fc.record({
  interim: fc.array(fc.constantFrom('102 Processing', '103 Early Hints', '100 Continue'), { maxLength: 2 }),
  status: fc.constantFrom(...statuses),
  headers: fc.array(fc.constantFrom(...headerLines), { maxLength: 4 }),
  body: fc.constantFrom(...bodies),
  framing: fc.constantFrom(...framings, 'length', 'length', 'length'),
  resets: fc.boolean(),
});
// Without the headers, a call waits for seconds.
const waits = Object.entries(retrySoon).map((line) => line.join(': '));
const answers = anyAnswer.map((answer) => (answer.status === 429 ? { ...answer, headers: waits } : answer));

const right: HostileAnswer = {
  ...{ interim: [], status: 200, headers: [], body: 'right', framing: 'length', resets: false },
};

function openClient(): OrgChatClient {
  return createClient({
    apiKey,
    baseUrl: server.baseUrl,
    pacing: false,
    timeoutMs: 20_000,
    maxResponseBytes: maxBytes,
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 },
  });
}

/** Runs a call against an answer. Checks what holds for every kind, and returns the error if it rejects. */
async function run(
  call: (client: OrgChatClient) => PromiseLike<unknown>,
  answer: HostileAnswer,
  isHostile = (_path: string): boolean => true,
): Promise<{ client: OrgChatClient; value?: unknown; error?: OrgChatError }> {
  server.answer(answer, isHostile);
  const client = openClient();
  const settled = await call(client).then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error: error as OrgChatError }),
  );
  // Neither a redirect nor anything else is followed.
  for (const { path } of server.requests) expect(path).toMatch(/^\/api\/v1\//);
  const isRight = ['right', 'byte order mark', 'another record', 'wrong types'].includes(answer.body);
  const mayResolve = answer.status < 300 && isWhole(answer) && isRight;
  if ('value' in settled) expect(mayResolve).toBe(true);
  else {
    expect(settled.error).toBeInstanceOf(OrgChatError);
    const { error } = settled;
    expect(
      `${error.stack}${JSON.stringify(error)}${error.bodyStart}${[...(error.headers ?? [])]}`,
    ).not.toContain(apiKey);
    expect(error.attempts).toBeLessThanOrEqual(2);
    expect(error.headers?.has('set-cookie') ?? false).toBe(false);
  }
  return { client, ...settled };
}

test.each(Object.entries({ ...readCalls, ...changeCalls, keywords: keywordCall }))(
  '%s resolves if the answer is right',
  async (_name, call) => {
    const { error } = await run(call, right);
    expect(error).toBeUndefined();
  },
);

test('a read resolves only to what was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(readCalls)), answers, async (name, answer) => {
      const call = readCalls[name] ?? expect.unreachable();
      const { error, value } = await run(call, answer);
      expect(error?.outcome).toBeUndefined();
      const isOfOne = /^(get|friends\.get)$/.test(name);
      if (error === undefined && isOfOne) expect(answer.body).not.toMatch(/another record|wrong types/);
      if (error === undefined && name === 'find')
        expect(value === undefined || answer.body !== 'wrong types').toBe(true);
    }),
    { numRuns: 100 },
  );
});

/** The statuses that say of a first request that nothing was changed. */
const refusing = (status: number): boolean =>
  [301, 307, 308].includes(status) || (status >= 400 && status < 500 && status !== 408 && status !== 409);

/** The changes that arrived. Node sends one again by itself after a 421, and without its body if the connection closes. */
function listChanges(): HostileServer['requests'] {
  return server.requests.filter(({ path, body }) => path.endsWith('/chat/changes') && body !== '');
}

test('a change ends as its answer proves, under one id, and can be settled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(changeCalls)), answers, async (name, answer) => {
      const call = changeCalls[name] ?? expect.unreachable();
      const { client, error, value } = await run(call, answer, (path) => path.endsWith('/chat/changes'));
      const sent = listChanges();
      expect(sent.map(({ body }) => body)).toEqual(sent.map(() => sent[0]?.body));
      const [entry] = await client.operations.list();
      const says = error === undefined ? 'applied' : error.outcome;
      expect(entry?.state).toBe(says);
      expect(error instanceof OutcomeUnknownError).toBe(says === 'unknown');
      if (says === 'applied' && answer.body === 'another record' && /update|setTags|enroll|delete/.test(name))
        expect(Object(value).result).toBeUndefined();
      if (says === 'refused') expect(refusing(answer.status)).toBe(true);
      expect(says).not.toBe('abandoned');
      server.answer(right, () => true);
      const resumed = await client.operations.resumeAll();
      expect(resumed.map(({ state }) => state)).toEqual(says === 'unknown' ? ['applied'] : []);
      for (const { body } of listChanges()) expect(body).toBe(sent[0]?.body);
    }),
    { numRuns: 100 },
  );
});

test('a keyword write is sent once, whatever the answer', async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const { client, error } = await run(keywordCall, answer);
      const says = error === undefined ? 'applied' : error.outcome;
      // A limit says that nothing was added, so the second request is the first that counts.
      const mayRepeat = answer.status === 429 || answer.status === 404;
      if (!mayRepeat) expect(server.requests).toHaveLength(1);
      if (says === 'refused') expect(refusing(answer.status)).toBe(true);
      expect((await client.operations.list())[0]?.state).toBe(says);
      server.answer(right, () => true);
      await client.operations.resumeAll();
      expect(server.requests).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('a change is sent again with its body after a 421 whose connection closes', async () => {
  let requests = 0;
  const misdirected = { ...right, status: 421, body: 'page', framing: 'until close' } as const;
  server.answer(misdirected, () => ++requests === 1);
  const client = openClient();
  expect(await client.tags.create(vip)).toMatchObject({ applied: true });
  const [first, ...others] = listChanges();
  expect(others).toEqual([first]);
  expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
});
