import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ClientOptions,
  createClient,
  memoryJournal,
  type OrgChatClient,
  OutcomeUnknownError,
  requireResult,
  UncertainOperationError,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../../test-support/servers/gateway.ts';

/* A real gateway between the client and the mock: it resends a POST after a reset, and may spell codes otherwise. */

const foreignCodes = {
  OPERATION_UNCERTAIN: 'IN_DOUBT',
  STALE_REVISION: 'VERSION_CHANGED',
  INPUT_CONFLICT: 'KEY_REUSED',
  NOT_FOUND: 'NO_SUCH_THING',
  RUNTIME_UNAVAILABLE: 'CHAT_UNAVAILABLE',
};
const configured = {
  uncertain: 'IN_DOUBT',
  staleRevision: 'VERSION_CHANGED',
  inputConflict: 'KEY_REUSED',
  notFound: 'NO_SUCH_THING',
  runtimeUnavailable: 'CHAT_UNAVAILABLE',
};
const vip = { name: 'Once', color: 'pink' } as const;

interface Behind {
  readonly mock: Mock;
  readonly gateway: Gateway;
  readonly client: OrgChatClient;
  readonly options: ClientOptions;
}

async function behind(options: GatewayOptions, client: ClientOptions = {}): Promise<Behind> {
  const mock = createMock({ rateLimit: 'off' });
  const listening = await mock.listen({ port: 0 });
  const gateway = await openGateway(listening.baseUrl, options);
  onTestFinished(async () => {
    await gateway.close();
    await listening.close();
  });
  const retry = { baseDelayMs: 1, maxDelayMs: 2 };
  const given = {
    baseUrl: gateway.baseUrl,
    apiKey: 'demo-write-key',
    pacing: false,
    retry,
    ...client,
  } as const;
  return { mock, gateway, client: createClient(given), options: given };
}

async function tagsNamed(client: OrgChatClient, name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const tag of client.tags.list()) if (tag.name === name) found.push(tag);
  return found;
}

describe('a gateway that resends a POST after a reset', () => {
  test.each([
    ['the default codes', {}, {}, UncertainOperationError],
    ['other codes', { codes: foreignCodes }, {}, OutcomeUnknownError],
    [
      'other codes, configured',
      { codes: foreignCodes },
      { server: { server: 1, codes: configured } },
      UncertainOperationError,
    ],
  ] as const)(
    'with %s: the first answer is uncertain, the change is applied once',
    async (_how, server, options, type) => {
      const { mock, gateway, client } = await behind({ resends: true, ...server }, options);
      mock.faults.arm({
        effect: 'uncertain',
        applied: true,
        action: 'create-tags',
        resolve: { afterRequests: 1 },
      });
      const error = await getRejection(client.tags.create(vip));
      // The client sent one request, the server saw two.
      expect(gateway.counts).toEqual({ received: 1, sent: 2 });
      expect(error.constructor).toBe(type);
      expect(await client.operations.list()).toMatchObject([{ state: 'unknown' }]);
      expect(await client.operations.resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
      expect(await tagsNamed(client, vip.name)).toHaveLength(1);
    },
  );

  test('reconcile() does not report such a change as not applied', async () => {
    const { mock, client } = await behind({ resends: true });
    mock.faults.arm({ effect: 'uncertain', applied: true, action: 'create-tags' });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(await client.operations.reconcile(error as OutcomeUnknownError)).toMatchObject({
      verdict: 'inconclusive',
      evidence: 'matches',
    });
  });

  test('an update that the gateway sent twice is not reported as stale', async () => {
    const { mock, client } = await behind({ resends: true, codes: foreignCodes });
    const tag = requireResult(await client.tags.create(vip));
    mock.faults.arm({ effect: 'uncertain', applied: true, action: 'update-tags' });
    const error = await getRejection(client.tags.update(tag, { name: 'Once more', color: 'blue' }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).not.toBeInstanceOf(UncertainOperationError);
    expect(error).toMatchObject({ reason: 'IN_DOUBT' });
  });

  test('a lost answer becomes a replay', async () => {
    const { mock, gateway, client } = await behind({ resends: true });
    mock.faults.arm({ effect: 'lose-response', action: 'create-tags' });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true, replayed: true });
    expect(gateway.counts).toEqual({ received: 1, sent: 2 });
  });
});

describe('a server of other codes', () => {
  test('that are configured is understood in full', async () => {
    const { mock, client, options } = await behind(
      { codes: foreignCodes },
      { server: { server: 1, codes: configured } },
    );
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const tag = requireResult(await client.tags.create(vip, { operationId }));
    const stale = { ...tag, revision: '0'.repeat(64) };
    const before = mock.requests.list().length;
    expect(await getRejection(client.tags.update(stale, vip))).toMatchObject({
      name: 'StaleRevisionError',
      code: 'VERSION_CHANGED',
      meaning: 'staleRevision',
    });
    // A known code costs no extra read.
    expect(mock.requests.list()).toHaveLength(before + 1);
    // Another journal does not know the id, so the server is asked.
    const other = createClient({ ...options, journal: memoryJournal() });
    const reused = other.tags.create({ name: 'Other', color: 'blue' }, { operationId });
    expect(await getRejection(reused)).toMatchObject({
      name: 'OutcomeUnknownError',
      reason: 'intent-known',
      cause: { name: 'InputConflictError', code: 'KEY_REUSED', meaning: 'inputConflict' },
    });
    expect(await getRejection(client.tags.get('0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10'))).toMatchObject({
      name: 'NotFoundError',
      code: 'NO_SUCH_THING',
      meaning: 'notFound',
    });
    const edited = await client.tags.edit(tag, (data) => {
      const name = 'Rival';
      if (data.name !== name) mock.edit({ resource: 'tags', id: tag.id, data: { name } });
      return { ...data, color: 'blue' };
    });
    expect(edited.result).toMatchObject({ name: 'Rival', color: 'blue' });
  });

  test('that are not configured loses and doubles nothing, and edit() works by evidence', async () => {
    const { mock, client } = await behind({ codes: foreignCodes });
    const tag = requireResult(await client.tags.create(vip));
    const stale = { ...tag, revision: '0'.repeat(64) };
    expect(await getRejection(client.tags.update(stale, { name: 'New', color: 'blue' }))).toMatchObject({
      name: 'StaleRevisionError',
      code: 'VERSION_CHANGED',
      versions: { current: { id: tag.id, revision: tag.revision } },
    });
    mock.faults.arm({ effect: 'rival-edit', operation: 'changeChat' });
    const edited = await client.tags.edit(tag, (data) => ({ ...data, color: 'blue' }));
    expect(requireResult(edited).color).toBe('blue');
    expect(await client.operations.list({ state: 'unknown' })).toEqual([]);
  });
});
