import { createMock, type MockOptions } from '../src/index.ts';
import type { Trace } from '../src/request-log/trace.ts';
import type { ServedMock } from '../src/served-mock.ts';
import type { Reason } from '../src/why/cause.ts';
import type { SuccessReason } from '../src/why/success.ts';
import { Caller, type CallOptions, createGuard } from './caller.ts';
import { data, nobody, salon, shop, vip, welcome } from './data.ts';

/** Sends requests to a mock; the last one ends for a reason. */
type Act = (mock: ServedMock, caller: Caller) => Promise<unknown>;

export interface DecidedRequestCase {
  readonly act: Act;
  readonly options?: MockOptions;
}

const wrong = '0'.repeat(64);
const create = { action: 'create-tags', data: data.tags };

const chat =
  (input: object, options?: CallOptions): Act =>
  (_, caller) =>
    caller.read(input, options);

const raw = (body: string | Uint8Array<ArrayBuffer>): Act => chat({}, { raw: body });

/** A request that a fault resets is rejected. */
const ignoreReset = (sent: Promise<unknown>): Promise<unknown> => sent.catch(() => undefined);

const withFault =
  (fault: Parameters<ServedMock['faults']['arm']>[0]): Act =>
  (mock, caller) => {
    mock.faults.arm(fault);
    return ignoreReset(caller.apply(create));
  };

/** Changes a tag with its guard, after something else happened to it. */
const updateTag =
  (meanwhile: (mock: ServedMock, caller: Caller) => unknown, guard: object = {}): Act =>
  async (mock, caller) => {
    const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
    await meanwhile(mock, caller);
    return caller.apply({
      action: 'update-tags',
      id: vip,
      ...createGuard(record),
      data: data.tags,
      ...guard,
    });
  };

const sameOperation =
  (second: object, between: (mock: ServedMock) => void = () => {}): Act =>
  async (mock, caller) => {
    const id = crypto.randomUUID();
    between(mock);
    await ignoreReset(caller.change(id, create));
    return caller.change(id, second);
  };

const enroll: Act = async (_, caller) => {
  const { accountId, userId } = await caller.first('friends');
  const change = { action: 'enroll-scenario', accountId, userId, scenarioId: welcome };
  await caller.apply(change);
  return caller.apply(change);
};

const keepTags: Act = async (_, caller) => {
  const { accountId, userId, revision, label, tagIds } = await caller.first('friends');
  const guards = { expectedRevision: revision, expectedLabel: label };
  return caller.apply({ action: 'set-friend-tags', accountId, userId, ...guards, tagIds });
};

const onlyShop = { accountIds: [shop] };

const hideSalon =
  (send: (caller: Caller) => Promise<unknown>): Act =>
  (mock, caller) => {
    mock.patchKey('demo-write-key', onlyShop);
    return send(caller);
  };

/** Requests that end for each reason there is. The compiler finds a reason without one. */
export const decidedRequests: Readonly<Record<Reason | SuccessReason, DecidedRequestCase>> = {
  'outside-base-url': { act: (mock) => mock.fetch(`${new URL(mock.baseUrl).origin}/elsewhere`) },
  'gone-sandbox': {
    act: async (mock) => {
      const sandbox = mock.sandbox({ name: 'a test' });
      sandbox.drop();
      await mock.fetch(`${sandbox.baseUrl}/me`);
    },
  },
  'unknown-sandbox': {
    act: (mock) => mock.fetch(new URL('/_sandbox/sandbox-x/api/v1/me', mock.baseUrl)),
  },
  'unknown-path': { act: (_, caller) => caller.send('/chat/write', {}) },
  'wrong-method': { act: (_, caller) => caller.send('/chat/read') },
  'no-key': { act: (_, caller) => caller.me({ key: '' }) },
  'no-bearer-key': { act: (_, caller) => caller.me({ key: '', headers: { Authorization: 'Basic eDp5' } }) },
  'unknown-key': { act: (_, caller) => caller.me({ key: 'nobody' }) },
  'revoked-key': { act: (_, caller) => caller.me({ key: 'demo-revoked-key' }) },
  'deleted-organization': { act: (_, caller) => caller.me({ key: 'demo-deleted-org-key' }) },
  'plan-without-access': { act: (_, caller) => caller.me({ key: 'demo-no-api-key' }) },
  'suspended-creator': { act: (_, caller) => caller.me({ key: 'demo-suspended-key' }) },
  'monthly-quota': {
    options: { monthlyLimit: 1 },
    act: async (_, caller) => [await caller.me(), await caller.me()],
  },
  'minute-limit': {
    options: { rateLimit: 1 },
    act: async (_, caller) => [await caller.me(), await caller.me()],
  },
  'read-only-key': { act: (_, caller) => caller.as('demo-read-key').apply(create) },
  'creator-cannot-edit': { act: (_, caller) => caller.as('demo-viewer-key').apply(create) },
  'body-too-large': { act: raw('x'.repeat(16 * 1024 * 1024 + 1)) },
  'body-not-utf8': { act: raw(new Uint8Array([0xff, 0xfe])) },
  'body-not-json': { act: raw('{') },
  'body-not-object': { act: raw('[1]') },
  'body-encoded': {
    act: (_, caller) =>
      caller.send('/chat/read', undefined, { raw: '\u001f', headers: { 'Content-Encoding': 'gzip' } }),
  },
  'content-type': {
    options: { requireJson: true },
    act: (_, caller) =>
      caller.send('/chat/read', { resource: 'tags' }, { headers: { 'Content-Type': 'text/plain' } }),
  },
  'invalid-field': { act: chat({ resource: 'tags', limit: 99 }) },
  'foreign-cursor': { act: (_, caller) => caller.studio({ resource: 'projects', cursor: 'x' }) },
  'runtime-down': {
    act: (mock, caller) => {
      mock.patchOrganization({ runtime: 'down' });
      return caller.read({ resource: 'tags' });
    },
  },
  'studio-disabled': {
    act: (mock, caller) => {
      mock.patchOrganization({ studio: false });
      return caller.studio({ resource: 'projects' });
    },
  },
  'other-input': { act: sameOperation({ ...create, data: { ...data.tags, name: 'Other' } }) },
  'operation-running': {
    options: { sleep: () => new Promise((resolve) => void setImmediate(resolve)) },
    act: async (mock, caller) => {
      mock.faults.arm({ effect: 'delay', delayMs: 1 });
      const id = crypto.randomUUID();
      return Promise.all([caller.change(id, create), caller.change(id, create)]);
    },
  },
  'operation-uncertain': {
    act: sameOperation(create, (mock) => void mock.faults.arm({ effect: 'uncertain' })),
  },
  'unknown-site': { act: (_, caller) => caller.keywords('nowhere', { keywords: ['a'] }) },
  'unknown-record': { act: chat({ resource: 'tags', id: nobody }) },
  'unassigned-account': {
    act: hideSalon((caller) => caller.read({ resource: 'conversations', accountId: salon })),
  },
  'other-project': {
    act: async (_, caller) => {
      const [one, two] = (await caller.studio({ resource: 'projects' })).body.projects;
      const { documents } = (await caller.studio({ resource: 'documents', projectId: one?.id })).body;
      return caller.studio({ resource: 'document', projectId: two?.id, documentId: documents[0]?.id });
    },
  },
  'unknown-reference': {
    act: (_, caller) => caller.apply({ action: 'create-links', data: { ...data.links, tagId: nobody } }),
  },
  'unassigned-reference': {
    act: hideSalon((caller) =>
      caller.apply({ action: 'create-routes', data: { ...data.routes, accountId: salon } }),
    ),
  },
  'still-used': {
    options: { onDelete: 'refuse' },
    act: async (_, caller) => {
      const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
      await caller.apply({ action: 'create-links', data: { ...data.links, tagId: vip } });
      return caller.apply({
        action: 'delete-configuration',
        resource: 'tags',
        id: vip,
        expectedRevision: record.revision,
        expectedLabel: record.label,
      });
    },
  },
  'other-account': {
    act: async (_, caller) => {
      const { accountId, userId } = await caller.first('friends');
      const owner = accountId === shop ? salon : shop;
      const scenario = { ...data.scenarios, accountId: owner };
      const { result } = (await caller.apply({ action: 'create-scenarios', data: scenario })).body;
      return caller.apply({ action: 'enroll-scenario', accountId, userId, scenarioId: result.id });
    },
  },
  'duplicate-name': {
    options: { server: { server: 1, behavior: { duplicateNames: { status: 400, code: 'name_taken' } } } },
    act: async (_, caller) => {
      await caller.apply({ action: 'create-tags', data: data.tags });
      return caller.apply({ action: 'create-tags', data: data.tags });
    },
  },
  'stale-revision': { act: updateTag(() => undefined, { expectedRevision: wrong }) },
  'stale-label': { act: updateTag(() => undefined, { expectedLabel: 'Other' }) },
  'site-keyword-limit': {
    act: async (_, caller) => {
      const many = (from: number) => ({
        keywords: Array.from({ length: 50 }, (__, i) => `word ${from + i}`),
      });
      await caller.keywords('demo-blog', many(0));
      await caller.keywords('demo-blog', many(50));
      return caller.keywords('demo-blog', many(100));
    },
  },
  'plan-keyword-limit': {
    options: {
      seed: {
        plans: { tiny: { apiAccess: true, monthlyRequests: 100, keywords: 1 } },
        organizations: [
          {
            id: 'org',
            plan: 'tiny',
            keys: [{ key: 'demo-write-key', name: 'Write', scope: 'write' }],
            sites: [{ id: 'site', keywordLimit: 10 }],
          },
        ],
      },
    },
    act: (_, caller) => caller.keywords('site', { keywords: ['a', 'b'] }),
  },
  'already-enrolled': { act: enroll },
  'same-tags': { act: keepTags },
  'mock-error': {
    options: { onError: () => {} },
    act: (mock, caller) => {
      const { plans } = mock.world;
      Object.assign(mock.world, {
        plans: {
          get: () => {
            throw new Error('broken');
          },
        },
      });
      return caller.me().finally(() => void Object.assign(mock.world, { plans }));
    },
  },
  'unwritten-state': {
    act: async (mock, caller) => {
      const { headers } = await caller.me();
      const { requestLog, rules } = mock.world;
      requestLog.noteUnwritten(
        headers.get('X-Request-Id') ?? '',
        rules.server.toServerCode('INTERNAL_ERROR'),
        { status: 500, headers: {}, body: '{}' },
        {
          step: 'endWithAnswer',
          cause: { reason: 'unwritten-state', message: 'disk full' },
          world: mock.world,
        },
      );
    },
  },
  'dropped-request': { act: withFault({ effect: 'drop-request' }) },
  'fault-answer': { act: withFault({ effect: 'respond', status: 409 }) },
  'lost-response': { act: withFault({ effect: 'lose-response' }) },
  'cut-response': { act: withFault({ effect: 'cut-response' }) },
  'failed-response': { act: withFault({ effect: 'fail-response', status: 500 }) },
  'not-applied': { act: withFault({ effect: 'not-applied' }) },
  'unknown-outcome': { act: withFault({ effect: 'uncertain' }) },
  'account-read': { act: (_, caller) => caller.me() },
  'keywords-added': { act: (_, caller) => caller.keywords('demo-site', { keywords: ['new'] }) },
  'keywords-skipped': { act: (_, caller) => caller.keywords('demo-site', { keywords: ['opening hours'] }) },
  'chat-read': { act: chat({ resource: 'tags' }) },
  'studio-read': { act: (_, caller) => caller.studio({ resource: 'projects' }) },
  'change-applied': { act: (_, caller) => caller.apply(create) },
  replayed: { act: sameOperation(create) },
  'changed-from-outside': {
    options: { history: 10 },
    act: async (mock) => mock.inject.friend({ displayName: 'Aiko' }),
  },
  rewound: {
    options: { history: 10 },
    act: async (mock, caller) => {
      await caller.apply(create);
      mock.rewind({ requestId: 1 });
    },
  },
};

/** The mock of a case, after its requests. */
export async function act(
  { act: send, options = {} }: DecidedRequestCase,
  create: (options: MockOptions) => unknown = createMock,
): Promise<ServedMock> {
  const mock = create({ now: () => Date.UTC(2026, 3, 10), ...options }) as ServedMock;
  await send(mock, new Caller(mock));
  return mock;
}

/** The last request of a case, in a mock of its own. */
export async function decide(given: DecidedRequestCase): Promise<Trace> {
  const last = (await act(given)).world.requestLog.list().at(-1);
  if (last === undefined) throw new Error('The mock received no request.');
  return last;
}
