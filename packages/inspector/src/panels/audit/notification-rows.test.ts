import { expect, test } from 'vitest';
import type { Notification, RequestEntry } from '../../control-api/types.ts';
import { describeSilence, toNotificationRows } from './notification-rows.ts';

const request = (id: number, changed: Partial<RequestEntry>): RequestEntry =>
  ({
    id,
    requestId: `req-${id}`,
    receivedAt: `2026-01-01T00:00:0${id}.000Z`,
    action: 'set-friend-tags',
    applied: true,
    replayOf: null,
    operationId: `operation-${id}`,
    recordId: 'account/friend',
    decidedBy: { step: 'writePlannedChange', clause: '6.3', because: 'It is new.' },
    ...changed,
  }) as RequestEntry;

test('a change that notified nobody is a row with its cause', () => {
  const sameTags = {
    step: 'x',
    decision: 'D92',
    because: '"Dr. Dana" had exactly these tags already. More.',
  };
  const running = {
    step: 'x',
    decision: 'D61',
    because: '"Dr. \\"A. B\\" Dana" was already in "No. 1. After care". More.',
  };
  const log = [
    request(1, {}),
    request(2, { decidedBy: sameTags }),
    request(3, { action: 'enroll-scenario', decidedBy: running }),
    request(4, { applied: false, replayOf: 'req-1' }),
    // Refused, or without any friend: nobody expects a notification.
    request(5, { applied: false }),
    request(6, { action: 'create-tags' }),
  ];
  const notification = {
    id: 1,
    at: '2026-01-01T00:00:01.000Z',
    operationId: 'operation-1',
    accountId: 'account',
    userId: 'friend',
  } as Notification;
  const rows = toNotificationRows([notification], log);
  expect(rows.map(({ key, request: cause }) => [key, cause?.requestId])).toEqual([
    ['req-4', 'req-4'],
    ['req-3', 'req-3'],
    ['req-2', 'req-2'],
    ['1', 'req-1'],
  ]);
  expect(rows.slice(0, 3).map(({ request: cause }) => describeSilence(cause as RequestEntry))).toEqual([
    'a replay of req-1 changes nothing',
    '“Dr. "A. B" Dana” was already in “No. 1. After care”',
    '“Dr. Dana” had exactly these tags already',
  ]);
});
