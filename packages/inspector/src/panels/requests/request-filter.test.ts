import { expect, test } from 'vitest';
import type { RequestEntry } from '../../control-api/types.ts';
import { filterRequests } from './request-filter.ts';
import {
  describeAnswer,
  describeOutcomes,
  describeReason,
  describeRequest,
  describeWithName,
  explainOutcome,
  findCandidateResource,
} from './request-words.ts';

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
  recordName: null,
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
  entry(1, { applied: true, faults: ['lose-response'], answered: false, recordName: 'Summer 2026' }),
  entry(2, { replayOf: 'req-1' }),
  entry(3, {
    operation: 'readChat',
    action: null,
    status: 404,
    error: 'NOT_FOUND',
    decidedBy: {
      step: 'applyCommand',
      clause: '4.3.32',
      because: 'No tag has the id f9501c7a-0000-4000-8000-000000000000. Use the id of an existing tag.',
    },
  }),
];

test('no filter gives the same list', () => {
  expect(filterRequests(log, none)).toBe(log);
});

test.each([
  ['changes', [1, 2]],
  ['errors', [3]],
  ['no answer', [1]],
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

test.each([
  ['a name', 'summer 2026', [1]],
  ['an outcome that a row shows', 'applied', [1]],
  ['another one', 'replayed', [2]],
  ['that no answer came', 'no answer', [1]],
  ['the reason', 'f9501c7a', [3]],
])('%s is found', (_name, search, expected) => {
  expect(ids(filterRequests(log, { ...none, search }))).toEqual(expected);
});

test('what the mock found in bodies is found too, within the other filters', () => {
  const search = 'in a body';
  expect(ids(filterRequests(log, { ...none, search }, new Set([1, 3])))).toEqual([1, 3]);
  expect(ids(filterRequests(log, { ...none, search, kind: 'errors' }, new Set([1, 3])))).toEqual([3]);
});

test('a row has the name, and the first words of the reason', () => {
  expect(log.map(describeWithName)[0]).toBe('create-tags “Summer 2026”');
  expect(log.map(describeReason)).toEqual([
    'It was the first request with this operationId.',
    undefined,
    'No tag has the id f9501c7a….',
  ]);
});

test.each([
  ['a success', {}, '200'],
  ['a lost answer', { answered: false, faults: ['lose-response'] }, 'no answer'],
  ['a cut answer', { answered: false, faults: ['cut-response'] }, 'no answer'],
  [
    'an uncertain change that was reset',
    { answered: false, status: null, faults: ['uncertain'] },
    'no answer',
  ],
  ['an uncertain change that was answered', { status: 502, faults: ['uncertain'] }, '502'],
  ['a dropped request', { answered: false, status: null, faults: ['drop-request'] }, 'no answer'],
  ['a request in progress', { answered: false, status: null }, '…'],
  ['a delayed request in progress', { answered: false, status: null, faults: ['delay'] }, '…'],
] as const)('the status of %s', (_name, changes, word) => {
  expect(describeAnswer(entry(1, changes as Partial<RequestEntry>)).word).toBe(word);
});

test('what a request asks for', () => {
  expect(log.map(describeRequest)).toEqual(['create-tags', 'create-tags', 'readChat tags']);
  const keywords = { operation: 'addSeoKeywords', action: null, path: '/sites/my%20site/keywords' } as const;
  expect(describeRequest(entry(5, keywords))).toBe('addSeoKeywords my site');
  expect(describeRequest(entry(4, { operation: null, action: null, method: 'GET', path: '/x' }))).toBe(
    'GET /x',
  );
});

test('the outcome of a request', () => {
  const words = log.map((one) => describeOutcomes(one).map(({ word }) => word));
  expect(words).toEqual([['applied', 'lose-response'], ['replayed'], ['NOT_FOUND']]);
  expect(explainOutcome(log[0] as RequestEntry)).toEqual([
    'The change was applied to “Summer 2026”.',
    'The fault lose-response hit it.',
    'The answer 200 did not arrive: the client cannot know whether the change was applied.',
  ]);
  expect(explainOutcome(log[1] as RequestEntry).join()).toContain('stored answer of req-1');
  // A refusal is said by its badges and its reason.
  expect(explainOutcome(log[2] as RequestEntry)).toEqual([]);
});

test.each([
  ['Use the id of an existing rich menu: "A" (1) and 2 more.', 'rich-menus'],
  ['Use the id of another tag with the same name: "A" (1).', 'tags'],
  ['Use the id of an existing nothing: "A" (1).', undefined],
  ['Use the id of an assigned account.', undefined],
])('the records that a sentence names are of a resource: %s', (sentence, resource) => {
  expect(findCandidateResource(sentence)).toBe(resource);
});

test('what happened is not said before it is known, and of a read nothing about a change', () => {
  const open = { answered: false, status: null };
  expect(explainOutcome(entry(1, open))).toEqual(['It is not answered yet.']);
  expect(explainOutcome(entry(1, { ...open, faults: ['delay'] }))).toEqual(['It is not answered yet.']);
  const read = { operation: 'readChat', action: null, answered: false, faults: ['lose-response'] } as const;
  expect(explainOutcome(entry(1, { ...read, faults: [...read.faults] }))).toEqual([
    'The fault lose-response hit it.',
    'The answer 200 did not arrive.',
  ]);
});

test('the reason of a misspelled value is what was meant, not all that is allowed', () => {
  const because = 'resource must be one of accounts, tags (did you mean tags?). A valid value: "tags".';
  const problems = [{ path: 'resource', message: because, sent: '"tag"', didYouMean: 'tags' }];
  const decidedBy = { step: 'parseCommand', clause: '4.3.28', because, problems };
  const refused = entry(1, { status: 400, error: 'INVALID_INPUT', decidedBy });
  expect(describeReason(refused)).toBe('did you mean tags? (resource "tag")');
});
