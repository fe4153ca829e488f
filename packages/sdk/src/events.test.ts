import { describe, expect, test } from 'vitest';
import { applied, failure, lost, scripted } from '../test-support/scripted.ts';
import type { ClientEvent } from './index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

describe('events', () => {
  test('tell requests, attempts, waits and outcomes', async () => {
    const events: ClientEvent[] = [];
    const { client } = scripted([lost, failure(500, 'INTERNAL_ERROR'), applied], {
      onEvent: (event) => events.push(event),
    });
    const { operationId } = await client.tags.create(vip);
    expect(events.map(({ type }) => type)).toEqual([
      'request',
      'attempt',
      'wait',
      'attempt',
      'wait',
      'attempt',
      'outcome',
    ]);
    expect(events.every((event) => 'operationId' in event && event.operationId === operationId)).toBe(true);
    expect(new Set(events.map((event) => 'callId' in event && event.callId)).size).toBe(1);
    expect(events[1]).toMatchObject({
      attempt: 1,
      answer: 'lost',
      status: undefined,
      subject: 'create-tags',
    });
    expect(events[3]).toMatchObject({ attempt: 2, answer: '5xx', status: 500, requestId: 'req-500' });
    expect(events[6]).toMatchObject({ outcome: 'applied', attempts: 3, errorCode: undefined });
  });

  test('a listener that throws changes nothing', async () => {
    const onEvent = (): never => {
      throw new Error('mine');
    };
    expect(await scripted([applied], { onEvent }).client.tags.create(vip)).toMatchObject({ applied: true });
  });

  test('go to node:diagnostics_channel, where somebody listens', async () => {
    const { subscribe, unsubscribe } = await import('node:diagnostics_channel');
    const heard: unknown[] = [];
    const listener = (event: unknown) => heard.push(event);
    subscribe('orgchat', listener);
    await scripted([applied]).client.tags.create(vip);
    unsubscribe('orgchat', listener);
    await scripted([applied]).client.tags.create(vip);
    expect(heard).toMatchObject([{ type: 'request' }, { type: 'attempt' }, { type: 'outcome' }]);
  });
});
