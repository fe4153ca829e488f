import { expect, test } from 'vitest';
import type { RequestEntry } from '../../control-api/types.ts';
import { filterRequests } from './request-filter.ts';
import { describeOutcomes, describeRequest, explainOutcome } from './request-words.ts';

const entry = (id: number, changes: Partial<RequestEntry> = {}): RequestEntry => ({
  id,
  requestId: `req-${id}`,
  receivedAt: '2026-01-01T00:00:00.000Z',
  method: 'POST',
  path: '/chat/changes',
  operation: 'changeChat',
  action: 'create-tags',
  resource: 'tags',
  operationId: null,
  key: null,
  keyName: 'Demo write key',
  answered: true,
  status: 200,
  error: null,
  applied: false,
  replayOf: null,
  recordId: null,
  revisionBefore: null,
  revisionAfter: null,
  faults: [],
  rewoundTo: null,
  decidedBy: { step: 'apply', clause: '4.4.1', because: 'It was the first request with this operationId.' },
  ...changes,
});
const none = { search: '', kind: '', operation: '' } as const;
const ids = (entries: readonly RequestEntry[]): number[] => entries.map(({ id }) => id);

const log = [
  entry(1, { applied: true, faults: ['lose-response'], answered: false }),
  entry(2, { replayOf: 'req-1' }),
  entry(3, { operation: 'readChat', action: null, status: 404, error: 'NOT_FOUND' }),
];

test('no filter gives the same list', () => {
  expect(filterRequests(log, none)).toBe(log);
});

test.each([
  ['changes', [1, 2]],
  ['errors', [3]],
  ['replayed', [2]],
  ['with a fault', [1]],
] as const)('the kind %s', (kind, expected) => {
  expect(ids(filterRequests(log, { ...none, kind }))).toEqual(expected);
});

test('all words of a search must occur, in any letter case', () => {
  expect(ids(filterRequests(log, { ...none, search: 'CREATE demo' }))).toEqual([1, 2]);
  expect(ids(filterRequests(log, { ...none, search: 'not_found 404' }))).toEqual([3]);
  expect(ids(filterRequests(log, { ...none, search: 'nowhere' }))).toEqual([]);
  expect(ids(filterRequests(log, { ...none, operation: 'readChat' }))).toEqual([3]);
});

test('what a request asks for', () => {
  expect(log.map(describeRequest)).toEqual(['create-tags', 'create-tags', 'readChat tags']);
  expect(describeRequest(entry(4, { operation: null, action: null, method: 'GET', path: '/x' }))).toBe(
    'GET /x',
  );
});

test('the outcome of a request', () => {
  const words = log.map((one) => describeOutcomes(one).map(({ word }) => word));
  expect(words).toEqual([['applied', 'lose-response'], ['replayed'], ['NOT_FOUND']]);
  expect(explainOutcome(log[0] as RequestEntry)).toEqual([
    'The change was applied.',
    'The fault lose-response hit it.',
    'The answer 200 did not arrive: the client cannot know whether the change was applied.',
  ]);
  expect(explainOutcome(log[1] as RequestEntry).join()).toContain('stored answer of req-1');
});
