import { demoKeys } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { atEachDoor } from '../test-support/mocked.ts';
import { getRejection } from '../test-support/rejection.ts';
import {
  createClient,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  type OutcomeUnknownError,
  PermissionError,
} from './index.ts';

atEachDoor((at) => {
  test('the account', async () => {
    expect(await at.client.account()).toMatchObject({ key: { scope: 'write' }, api: { perMinute: 60 } });
    const { data, status, headers, requestId, attempts } = await at.client.account().withResponse();
    expect(data.organizationId).toBeTypeOf('string');
    expect({ status, attempts }).toEqual({ status: 200, attempts: 1 });
    expect(headers.get('x-request-id')).toBe(requestId);
  });

  test('keywords', async () => {
    const first = await at.client.keywords.add('demo-site', { keywords: ['one', 'two'], group: 'numbers' });
    expect(first).toEqual({ added: ['one', 'two'], skipped: [] });
    expect(await at.client.addKeywords('demo-site', { keywords: ['two'] })).toEqual({
      added: [],
      skipped: ['two'],
    });
    expect(await getRejection(at.client.keywords.add('no-such-site', { keywords: ['x'] }))).toBeInstanceOf(
      NotFoundError,
    );
  });

  test('the bare operations', async () => {
    const page = await at.client.readChat({ resource: 'tags', limit: 2 });
    expect(page.records).toHaveLength(2);
    const one = await at.client.readChat({ resource: 'tags', id: page.records[0]?.id ?? '' });
    expect(one.record).toEqual(page.records[0]);
    const change = { action: 'create-tags', data: { name: 'Bare', color: 'blue' } } as const;
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const done = await at.client.changeChat(change, { operationId });
    expect(done).toMatchObject({ operationId, applied: true, replayed: false });
    expect(await at.client.changeChat(change, { operationId })).toMatchObject({
      replayed: true,
      result: done.result,
    });
    const stranger = createClient(at.options);
    const other = { ...change, data: { name: 'Other', color: 'blue' } } as const;
    const error = await getRejection(stranger.changeChat(other, { operationId }));
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', reason: 'intent-known' });
    expect(error.cause).toBeInstanceOf(InputConflictError);
  });

  test('an absent input is sent as an empty one, and the server says what is missing', async () => {
    const calls = [
      // @ts-expect-error Types do not let it be left out.
      () => at.client.readChat(),
      // @ts-expect-error
      () => at.client.readStudio(),
      // @ts-expect-error
      () => at.client.changeChat(),
      // @ts-expect-error
      () => at.client.keywords.add('demo-site'),
    ];
    for (const call of calls) {
      const error = await getRejection(call());
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error).toMatchObject({ status: 400, serverMessage: expect.any(String) });
    }
  });

  test('a key without write scope', async () => {
    const reader = createClient({ ...at.options, apiKey: 'demo-read-key', language: 'ja' });
    const error = await getRejection(reader.tags.create({ name: 'VIP', color: 'pink' }));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      serverMessage: expect.stringMatching(/API/),
    });
    expect((error as PermissionError).serverMessage).toMatch(/[\u3040-\u30ff]/);
    expect((error as PermissionError).message).toContain((error as PermissionError).serverMessage);
  });

  test('the methods of operations can be destructured', async () => {
    const { resumeAll, list, resume } = at.client.operations;
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 4 });
    const error = await getRejection(at.client.tags.create({ name: 'VIP', color: 'pink' }));
    expect(await resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
    const [entry] = await list({ state: 'applied' });
    expect(entry?.operationId).toBe((error as OutcomeUnknownError).operationId);
    expect(await resume(entry?.operationId ?? '')).toMatchObject({ replayed: true });
  });

  test('forget removes an operation, and an unknown one cannot be resumed', async () => {
    const { operationId } = await at.client.tags.create({ name: 'VIP', color: 'pink' });
    expect(await at.client.operations.forget(operationId)).toBe(true);
    expect(await at.client.operations.forget(operationId)).toBe(false);
    expect(await getRejection(at.client.operations.resume(operationId))).toMatchObject({
      code: 'UNKNOWN_OPERATION',
    });
  });

  test('every demo key has its own error', async () => {
    const codes = Object.fromEntries(
      await Promise.all(
        Object.values(demoKeys).map(async (apiKey) => {
          const said = await createClient({ ...at.options, apiKey })
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
