import { createClient, memoryJournal, OutcomeUnknownError, RateLimitError } from '@orgchat/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { document, validator } from '../../../spec/test-support/document.ts';
import { contract, operations, serve } from './service.ts';

/* The SDK does what the contract requires of a caller. The tests look at what it sends to the mock. */

function client(
  retry: { maxAttempts: number; baseDelayMs: number } | false = { maxAttempts: 4, baseDelayMs: 1 },
) {
  const { mock } = serve();
  const sent: { path: string; body: string }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push({ path: new URL(request.url).pathname, body: await request.clone().text() });
    return mock.fetch(request);
  };
  const sdk = createClient({
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch,
    retry,
    pacing: false,
    journal: memoryJournal(),
  });
  return { mock, sdk, sent };
}
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it should have been rejected'),
    (error: unknown) => error,
  );

afterEach(() => vi.useRealTimers());

describe('what a caller does', () => {
  it.each(['lose-response', 'cut-response'] as const)(
    '[4.2.7] [7.3.1] a keyword write after %s is not sent again, and says what to check',
    async (effect) => {
      const { mock, sdk, sent } = client();
      mock.faults.arm({ effect, operation: 'addSeoKeywords' });
      const error = await failure(sdk.keywords.add('demo-site', { keywords: ['lost'] }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect((error as Error).message).toMatch(/check/i);
      await sdk.operations.resumeAll();
      expect(sent).toHaveLength(1);
      expect(mock.keywords('demo-site').map(({ keyword }) => keyword)).toContain('lost');
    },
  );

  it('[7.3.1] the contract has no operation that reads the keywords of a site', () => {
    const about = operations.filter(({ path }) => path.includes('keywords'));
    expect(about.map(({ method }) => method)).toEqual(['post']);
    for (const name of ['ChatReadInput', 'StudioReadInput'] as const) {
      expect(JSON.stringify(document.components.schemas[name])).not.toMatch(/keyword/i);
    }
  });

  it('[4.4.4] [4.4.5] [7.3.2] a lost change is sent again with the same operationId and the same bytes', async () => {
    const { mock, sdk, sent } = client();
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 2 });
    const outcome = await sdk.tags.create({ name: 'once', color: 'pink' });
    expect(outcome.replayed).toBe(true);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(mock.operations()).toMatchObject([{ operationId: outcome.operationId, state: 'applied' }]);
  });

  it('[4.4.4] two intended changes have two operationIds, even with the same input', async () => {
    const { sdk } = client();
    const one = await sdk.tags.create({ name: 'same', color: 'pink' });
    const two = await sdk.tags.create({ name: 'same', color: 'pink' });
    expect(one.operationId).not.toBe(two.operationId);
  });

  it('[6.8] [7.3.3] an uncertain operation is blocked, and nothing repeats it', async () => {
    const { mock, sdk, sent } = client();
    mock.faults.arm({ effect: 'uncertain', applied: false });
    const error = await failure(sdk.tags.create({ name: 'uncertain', color: 'pink' }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    const before = sent.length;
    await sdk.operations.resumeAll();
    expect(sent.length).toBe(before + 1);
    expect(mock.audit()).toEqual([]);
  });

  it.each([
    [500, 2],
    [429, 2],
    [400, 1],
    [403, 1],
    [404, 1],
  ])('[7.3.4] a read answered %i is sent %i times, by decision', async (status, times) => {
    const { mock, sdk, sent } = client();
    mock.faults.arm({ effect: 'respond', status, operation: 'readChat' });
    await sdk.tags.list({ limit: 1 }).then(
      () => expect(times).toBe(2),
      () => expect(times).toBe(1),
    );
    expect(sent).toHaveLength(times);
  });

  it('[7.1.4] [7.1.5] the document allows any code, and the client passes on any code', async () => {
    const judge = validator('#/components/schemas/ErrorBody');
    for (const error of ['FORBIDDEN', 'NEVER_SEEN', 'x']) expect(judge({ error, message: 'm' })).toBe(true);
    const { mock, sdk } = client(false);
    mock.faults.arm({ effect: 'respond', status: 403, error: 'NEVER_SEEN' });
    expect(await failure(sdk.account())).toMatchObject({ status: 403, code: 'NEVER_SEEN' });
  });

  it.each([
    ['seconds', '120', '2026-04-01T00:02:00Z'],
    ['an HTTP date', 'Wed, 01 Apr 2026 07:28:00 GMT', '2026-04-01T07:28:00Z'],
    // Then the window of the limit is given a minute to move.
    ['nothing known', 'soon', '2026-04-01T00:01:00Z'],
    ['nothing', undefined, '2026-04-01T00:01:00Z'],
  ])('[7.2.13, 7.2.14] Retry-After may be %s', async (_, retryAfter, moment) => {
    const header = contract.components.responses.Error429?.headers['Retry-After'];
    expect(header?.schema).toEqual({ type: 'string' });
    const { mock, sdk } = client(false);
    mock.faults.arm({ effect: 'respond', status: 429, ...(retryAfter !== undefined && { retryAfter }) });
    // The time is computed from the wall clock, which is frozen here.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-04-01T00:00:00Z') });
    const error = await failure(sdk.account());
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAt).toEqual(new Date(moment));
  });
});
