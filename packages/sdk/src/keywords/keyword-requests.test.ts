import { describe, expect, test } from 'vitest';
import { json, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { type KeywordRequest, OutcomeUnknownError, ServerError } from '../index.ts';

/* What an answer proves of the keywords of an import. A keyword that it does not name may be on the site or not. */

const answer = (added: readonly string[], skipped: readonly string[] = []): Step =>
  json({ added, skipped }, 201);
const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `word ${from + n}`);
const namesAll: Step = (request, body) => answer([], JSON.parse(body).keywords)(request, body);

describe('an answer', () => {
  test.each<[string, string[], string[], string[], Record<string, string[]>]>([
    ['that names each keyword', ['a', 'b'], ['a'], ['b'], { added: ['a'], skipped: ['b'] }],
    ['with white space', ['a', 'b'], [' a'], ['b\n'], { added: ['a'], skipped: ['b'] }],
    [
      'in the form of the server',
      ['ＳＥＯ', 'カ\u3099', 'Tokyo'],
      ['seo', 'ガ'],
      ['tokyo'],
      { added: ['ＳＥＯ', 'カ\u3099'], skipped: ['Tokyo'] },
    ],
    ['that tells case', ['Sale', 'sale'], ['sale'], ['Sale'], { added: ['sale'], skipped: ['Sale'] }],
    ['that folds two into one', ['Sale', 'SALE'], ['sale'], ['sale'], { added: ['Sale'], skipped: ['SALE'] }],
    ['that folds them and says so once', ['Sale', 'SALE'], ['sale'], [], { added: ['Sale', 'SALE'] }],
    ['that names a part', ['a', 'b', 'c'], ['a'], ['c'], { added: ['a'], skipped: ['c'], unknown: ['b'] }],
    ['to another request', ['a', 'b'], ['other'], [], { unknown: ['a', 'b'] }],
    ['that names nothing', ['a'], [], [], { unknown: ['a'] }],
    ['whose name is only a part', ['ab', 'a'], ['a'], [], { added: ['a'], unknown: ['ab'] }],
  ])('%s', async (_what, keywords, added, skipped, expected) => {
    const { client } = scripted([answer(added, skipped)]);
    const result = await client.keywords.import('s', keywords);
    expect(result).toMatchObject({
      added: [],
      skipped: [],
      unknown: [],
      refused: [],
      notSent: [],
      ...expected,
    });
  });
});

describe('keywords that an answer does not name', () => {
  test('are unknown, with an error that names them, and end the import', async () => {
    const { client, sent } = scripted([answer(words(48)), namesAll]);
    const result = await client.keywords.import('s', words(60));
    expect([result.added, result.unknown, result.notSent]).toEqual([words(48), words(2, 48), words(10, 50)]);
    const error = result.error as OutcomeUnknownError;
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({
      reason: 'UNEXPECTED_SHAPE',
      cause: { code: 'UNEXPECTED_SHAPE', status: 201 },
    });
    expect(error.cause).toBeInstanceOf(ServerError);
    expect(error.message).toMatch(/names 48 of its 50 keywords .* "word 48", "word 49"\. .*retryUnknown/);
    expect(sent).toHaveLength(1);
    const continued = await client.keywords.import('s', words(60), { continueAfterUnknown: true });
    expect([continued.unknown, continued.notSent]).toEqual([[], []]);
  });

  test('are sent again only if that is asked for, and what the answer named stays', async () => {
    const { client, sent } = scripted([answer(words(30)), namesAll]);
    const first = await client.keywords.import('s', words(50));
    const second = await first.resume();
    expect([second.added, second.unknown, sent.length]).toEqual([words(30), words(20, 30), 1]);
    const third = await second.resume({ retryUnknown: true });
    expect([third.added, third.skipped, third.unknown, third.error]).toEqual([
      words(30),
      words(20, 30),
      [],
      undefined,
    ]);
    expect(sent.map(({ body }) => JSON.parse(body).keywords.length)).toEqual([50, 20]);
    expect(third.requests.map(({ state, keywords }) => [state, keywords.length])).toEqual([
      ['added', 30],
      ['added', 20],
    ]);
  });

  test('are not done for a checkpoint', async () => {
    let stored: KeywordRequest[] = [];
    const checkpoint = {
      read: () => stored,
      write: (requests: readonly KeywordRequest[]) => {
        stored = JSON.parse(JSON.stringify(requests));
      },
    };
    const { client, sent } = scripted([answer(words(30)), namesAll]);
    await client.keywords.import('s', words(50), { checkpoint });
    expect(stored).toMatchObject([
      { state: 'unknown', added: words(30), error: { reason: 'UNEXPECTED_SHAPE' } },
    ]);
    const again = await client.keywords.import('s', words(50), { checkpoint });
    expect([again.added, again.unknown, sent.length]).toEqual([words(30), words(20, 30), 1]);
    const last = await client.keywords.import('s', words(50), { checkpoint, retryUnknown: true });
    expect([last.added, last.skipped]).toEqual([words(30), words(20, 30)]);
    expect(stored.map(({ state }) => state)).toEqual(['added', 'added']);
  });

  test('are unknown for the journal of an intent, too', async () => {
    const { client, sent } = scripted([answer(words(30)), namesAll]);
    const options = { intent: ['nightly'] };
    await client.keywords.import('s', words(50), options);
    const again = await client.keywords.import('s', words(50), options);
    expect([again.added, again.unknown, sent.length]).toEqual([words(30), words(20, 30), 1]);
  });
});
