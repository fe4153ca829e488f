import { describe, expect, test } from 'vitest';
import type { SentRequest } from './import-record.ts';
import { findSuperseded, getKeywordStatus } from './keyword-status.ts';

const request = (state: SentRequest['state'], ...keywords: string[]): SentRequest => ({
  operationId: `${state}-${keywords.join()}`,
  keywords,
  state,
  added: state === 'added' ? keywords : [],
  skipped: [],
});
const lost = request('unknown', 'a', 'b');

describe('the status of a keyword', () => {
  test.each<[what: string, requests: SentRequest[], open: string[], unknown: string[]]>([
    ['never sent', [], ['a', 'b', 'c'], []],
    ['lost', [lost], ['c'], ['a', 'b']],
    ['being sent when the process died', [request('sending', 'a')], ['b', 'c'], ['a']],
    ['refused', [request('refused', 'a', 'b')], ['a', 'b', 'c'], []],
    ['lost, then refused: it may be there all the same', [lost, request('refused', 'a')], ['c'], ['a', 'b']],
    ['lost, then answered for in part', [lost, request('added', 'a')], ['c'], ['b']],
    ['answered for, then lost', [request('added', 'a', 'b'), lost], ['c'], []],
  ])('%s', (_what, requests, open, unknown) => {
    const standing = getKeywordStatus(['a', 'b', 'c'], requests);
    expect(standing.open).toEqual(open);
    expect(standing.unknown.flatMap(({ keywords }) => keywords)).toEqual(unknown);
  });

  test('is reported only for the list', () => {
    const standing = getKeywordStatus(['b'], [lost, request('added', 'x')]);
    expect([standing.added, standing.unknown[0]?.keywords]).toEqual([[], ['b']]);
  });
});

test('a lost request matters until every keyword of it was answered for', () => {
  expect(findSuperseded([lost, request('added', 'a')])).toEqual([]);
  expect(findSuperseded([lost, request('added', 'a'), request('added', 'b')])).toEqual([lost]);
});
