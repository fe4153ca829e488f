import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { applied, failure, lost, scripted } from '../../test-support/servers/scripted.ts';
import type { ClientEvent } from '../index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

describe('events', () => {
  test('report requests, attempts, waits and outcomes', async () => {
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

  test.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['is asynchronous and rejects', () => Promise.reject(new Error('mine'))],
  ])('a listener that %s changes nothing', async (_name, onEvent) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    expect(await scripted([applied], { onEvent }).client.tags.create(vip)).toMatchObject({ applied: true });
    // Node reports an unhandled rejection after the microtasks, before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('are published on node:diagnostics_channel if it has subscribers', async () => {
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
