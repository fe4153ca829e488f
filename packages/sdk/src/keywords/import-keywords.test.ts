import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { createClient, type KeywordImportProgress, OutcomeUnknownError } from '../index.ts';

const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `word ${from + n}`);

atEachDoor((at) => {
  const onSite = (): string[] => at.mock.keywords('demo-site').map(({ keyword }) => keyword);
  const sent = (): number =>
    at.mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords').length;

  describe('keywords.import()', () => {
    test('adds any number of keywords, fifty per request, each once', async () => {
      const before = onSite().length;
      const given = [...words(120), ' word 3 ', 'spring sale'];
      const result = await at.client.keywords.import('demo-site', given, { group: ' season ' });
      expect(result).toMatchObject({ skipped: ['spring sale'], unknown: [], refused: [], notSent: [] });
      expect([result.added, result.duplicates, result.error]).toEqual([words(120), 1, undefined]);
      expect([sent(), onSite().length]).toEqual([3, before + 120]);
      const group = at.mock.keywords('demo-site').find(({ keyword }) => keyword === 'word 7')?.group;
      expect(group).toBe('season');
    });

    test('accepts an asynchronous source and reads it before the first request', async () => {
      async function* source() {
        for (const word of words(60)) {
          expect(sent()).toBe(0);
          yield word;
        }
      }
      const { added } = await at.client.keywords.import('demo-site', source());
      expect([added.length, sent()]).toEqual([60, 2]);
    });

    test('of nothing sends nothing', async () => {
      const result = await at.client.keywords.import('demo-site', new Set<string>());
      expect([result.added, result.notSent, sent()]).toEqual([[], [], 0]);
    });

    test('reports its progress in keywords and requests', async () => {
      const reported: KeywordImportProgress[] = [];
      const onProgress = (progress: KeywordImportProgress): void => {
        reported.push(progress);
        throw new Error('ignored');
      };
      await at.client.keywords.import('demo-site', words(60), { onProgress });
      expect(reported.map(({ added, notSent, requests }) => [added, notSent, requests.done])).toEqual([
        [0, 60, 0],
        [50, 10, 1],
        [60, 0, 2],
      ]);
      expect(reported.map(({ next }) => next)).toEqual(['word 0', 'word 50', undefined]);
      expect(reported.at(-1)).toMatchObject({ total: 60, requests: { total: 2 }, remainingMs: 0 });
    });

    test('ends at an unknown outcome, and says what may have been added', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', after: 1, times: 1 });
      const result = await at.client.keywords.import('demo-site', words(120));
      expect(result.added).toEqual(words(50));
      expect(result.unknown).toEqual(words(50, 50));
      expect(result.notSent).toEqual(words(20, 100));
      expect(result.error).toBeInstanceOf(OutcomeUnknownError);
      const request = result.requests.find(({ state }) => state === 'unknown');
      expect(request).toMatchObject({ keywords: words(50, 50), error: { code: 'OUTCOME_UNKNOWN' } });
      expect(sent()).toBe(2);
      // The rest is sent without them.
      const rest = await result.resume();
      expect([rest.added.length, rest.unknown.length, rest.notSent.length, sent()]).toEqual([70, 50, 0, 3]);
      // The site has them, and the journal does not ask about them any more.
      const all = await rest.resume({ retryUnknown: true });
      expect([all.added.length, all.skipped, all.unknown]).toEqual([70, words(50, 50), []]);
      expect(await at.client.operations.list({ open: true })).toEqual([]);
    });

    test('sends keywords again whose request was forgotten', async () => {
      at.mock.faults.arm({ effect: 'drop-request', operation: 'addSeoKeywords' });
      const { requests, resume, unknown } = await at.client.keywords.import('demo-site', words(60));
      expect(unknown).toEqual(words(50));
      for (const { operationId } of requests) await at.client.operations.forget(operationId);
      const resumed = await resume();
      expect([resumed.added, resumed.unknown, resumed.requests.length]).toEqual([words(60), [], 2]);
    });

    test('continues after an unknown outcome with continueAfterUnknown', async () => {
      at.mock.faults.arm({ effect: 'cut-response', operation: 'addSeoKeywords', times: 1 });
      const { added, unknown } = await at.client.keywords.import('demo-site', words(120), {
        continueAfterUnknown: true,
      });
      expect([added.length, unknown]).toEqual([70, words(50)]);
    });

    test('does not send keywords that another call left unknown', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', times: 1 });
      const lost = { keywords: [' word 1', 'word 2', 'of another list'], group: 'g ' };
      await at.client.keywords.add('demo-site', lost).catch(() => undefined);
      const held = await at.client.keywords.import('demo-site', words(4), { group: 'g' });
      expect([held.added, held.unknown]).toEqual([
        ['word 0', 'word 3'],
        ['word 1', 'word 2'],
      ]);
      // Another group is another request.
      const other = await at.client.keywords.import('demo-site', words(4), { group: 'h' });
      expect([other.skipped.length, other.unknown]).toEqual([4, []]);
      const [open] = await at.client.operations.list({ open: true });
      await at.client.operations.forget(String(open?.operationId));
      expect((await at.client.keywords.import('demo-site', words(4), { group: 'g' })).skipped).toHaveLength(
        4,
      );
    });

    test('stops at a limit of the site, and sends the rest once there is room', async () => {
      const before = onSite().length;
      at.mock.faults.arm({
        effect: 'respond',
        operation: 'addSeoKeywords',
        after: 1,
        times: 1,
        status: 400,
        error: 'KEYWORD_LIMIT_EXCEEDED',
      });
      const { refused, notSent, error, resume } = await at.client.keywords.import('demo-site', words(120));
      expect([refused, notSent.length, sent()]).toEqual([words(50, 50), 20, 2]);
      expect(error).toMatchObject({ meaning: 'keywordLimitExceeded' });
      const { added, refused: none } = await resume();
      expect([added.length, none, onSite().length]).toEqual([120, [], before + 120]);
    });

    test('continues after a request whose keywords the server refuses', async () => {
      const refusal = {
        effect: 'respond',
        operation: 'addSeoKeywords',
        status: 400,
        error: 'INVALID_INPUT',
      } as const;
      at.mock.faults.arm({ ...refusal, times: 1 });
      const { added, refused, error } = await at.client.keywords.import('demo-site', words(70));
      expect([added, refused]).toEqual([words(20, 50), words(50)]);
      expect(error).toMatchObject({ meaning: 'invalidInput' });
    });

    test.each([401, 403, 404, 405])('stops at %i', async (status) => {
      const refusal = { effect: 'respond', operation: 'addSeoKeywords', status, error: 'X' } as const;
      at.mock.faults.arm({ ...refusal, times: 1, undeclared: true });
      const { refused, notSent } = await at.client.keywords.import('demo-site', words(70));
      expect([refused.length, notSent.length, sent()]).toEqual([50, 20, 1]);
    });

    test('ends at a rate limit that does not fit into the deadline, with nothing lost', async () => {
      at.mock.faults.arm({
        effect: 'respond',
        operation: 'addSeoKeywords',
        status: 429,
        error: 'QUOTA_EXCEEDED',
        times: 1,
      });
      const { notSent, refused, error, resume } = await at.client.keywords.import('demo-site', words(60));
      expect([notSent.length, refused]).toEqual([60, []]);
      expect(error).toMatchObject({ meaning: 'quotaExceeded' });
      expect((await resume()).added).toHaveLength(60);
    });

    test('ends if the server cannot be reached', async () => {
      at.mock.faults.arm({ effect: 'drop-request', operation: 'addSeoKeywords', times: 1 });
      const unreachable = createClient({
        ...at.options,
        baseUrl: 'http://127.0.0.1:1/api/v1',
        fetch: undefined,
        retry: false,
      });
      const { notSent, error } = await unreachable.keywords.import('demo-site', words(60));
      expect([notSent.length, error]).toEqual([60, expect.objectContaining({ code: 'CONNECTION_FAILED' })]);
    });
  });
});
