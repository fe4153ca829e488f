import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cutBody,
  failure,
  json,
  lost,
  refusedConnection,
  retrySoon,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import { type KeywordImportResult, type KeywordRequest, memoryJournal } from '../index.ts';

/*
 * A site that knows the truth, behind a network that loses requests and answers. Whatever happens: each keyword of the
 * list has one outcome, what the import calls added or skipped is on the site, what it calls refused or not sent is not
 * there because of it, and no keyword is sent a second time unless that was asked for.
 */

const ways = [
  'answered',
  /** The server compares without case and width, and names keywords as it stores them. */
  'answered in its own form',
  /** The request is lost, or its answer. */
  'dropped',
  'lost',
  'cut',
  /** The request waits somewhere and is applied when the import has ended. */
  'late',
  'rate limit, then answered',
  'quota',
  'invalid',
  'site limit',
  'forbidden',
  'unreachable',
  /** The caller aborts while the request is on its way, or while it waits after a rate limit. */
  'abort',
  'abort in a wait',
  /** The process dies before it sees the answer. */
  'died',
] as const;
type Way = (typeof ways)[number];

interface World {
  readonly count: number;
  /** What happens to each request in turn; then all are answered. */
  readonly ways: readonly Way[];
  readonly siteHas: readonly number[];
  readonly continueAfterUnknown: boolean;
  readonly hasIntent: boolean;
  readonly hasCheckpoint: boolean;
}

const worlds: fc.Arbitrary<World> = fc.record({
  count: fc.integer({ min: 0, max: 230 }),
  ways: fc.array(fc.constantFrom(...ways), { maxLength: 6 }),
  siteHas: fc.array(fc.nat(229), { maxLength: 20 }),
  continueAfterUnknown: fc.boolean(),
  hasIntent: fc.boolean(),
  hasCheckpoint: fc.boolean(),
});

class ProcessDied extends Error {}

function createSite(world: World) {
  const keywords = new Set(world.siteHas.map((n) => `word ${n}`));
  /** How often each keyword was in a request that may have been applied. */
  const sentCounts = new Map<string, number>();
  /** Keywords that an import added, or will add. */
  const added = new Set<string>();
  const late: (() => void)[] = [];
  const rest = [...world.ways];
  const controller = new AbortController();
  let requestsAtOnce = 0;
  let hasRetriedRateLimit = false;

  function apply(body: string): { added: string[]; skipped: string[] } {
    const { keywords: asked } = JSON.parse(body) as { keywords: string[] };
    const fresh = asked.filter((keyword) => !keywords.has(keyword));
    for (const keyword of fresh) keywords.add(keyword);
    for (const keyword of fresh) added.add(keyword);
    return { added: fresh, skipped: asked.filter((keyword) => !fresh.includes(keyword)) };
  }

  const answer: Step = (request, body) => json(apply(body), 201)(request, body);

  const step: Step = async (request, body) => {
    expect(++requestsAtOnce).toBe(1);
    try {
      const { keywords: asked } = JSON.parse(body) as { keywords: string[] };
      expect(asked.length).toBeLessThanOrEqual(50);
      const way = rest[0] ?? 'answered';
      if (way !== 'rate limit, then answered' || hasRetriedRateLimit) rest.shift();
      if (way === 'rate limit, then answered' && !hasRetriedRateLimit) {
        hasRetriedRateLimit = true;
        return await failure(429, 'RATE_LIMITED', retrySoon)(request, body);
      }
      hasRetriedRateLimit = false;
      const refusals: Partial<Record<Way, Step>> = {
        quota: failure(429, 'QUOTA_EXCEEDED'),
        invalid: failure(400, 'INVALID_INPUT'),
        'site limit': failure(400, 'KEYWORD_LIMIT_EXCEEDED'),
        forbidden: failure(403, 'FORBIDDEN'),
        unreachable: refusedConnection,
        'abort in a wait': (...given) => {
          controller.abort();
          return failure(429, 'RATE_LIMITED', { 'retry-after': '30' })(...given);
        },
      };
      const refusal = refusals[way];
      if (refusal) return await refusal(request, body);
      for (const keyword of asked) sentCounts.set(keyword, (sentCounts.get(keyword) ?? 0) + 1);
      if (way === 'abort') controller.abort();
      if (way === 'died') {
        apply(body);
        throw new ProcessDied();
      }
      if (way === 'late') late.push(() => apply(body));
      if (way === 'lost' || way === 'cut') apply(body);
      if (way === 'answered in its own form') {
        const { added: fresh, skipped } = apply(body);
        const toOwn = (keyword: string): string => ` ${keyword.toUpperCase()}`;
        return await json({ added: fresh.map(toOwn), skipped: skipped.map(toOwn) }, 201)(request, body);
      }
      if (way === 'cut') return await cutBody(201)(request, body);
      return await (way === 'lost' || way === 'late' || way === 'dropped' ? lost : answer)(request, body);
    } finally {
      requestsAtOnce--;
    }
  };
  return {
    step,
    keywords,
    added,
    sentCounts,
    signal: controller.signal,
    end: () => {
      for (const arrive of late.splice(0)) arrive();
    },
    heal: () => rest.splice(0),
  };
}

function check(
  list: readonly string[],
  site: ReturnType<typeof createSite>,
  result: KeywordImportResult,
): void {
  const { added, skipped, unknown, refused, notSent } = result;
  expect([...added, ...skipped, ...unknown, ...refused, ...notSent].sort()).toEqual([...list].sort());
  for (const keyword of added) expect(site.added.has(keyword)).toBe(true);
  for (const keyword of skipped) expect(site.keywords.has(keyword)).toBe(true);
  for (const keyword of [...refused, ...notSent]) expect(site.added.has(keyword)).toBe(false);
}

test('every keyword has the outcome that it really had, and is sent at most once', async () => {
  const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 41);
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const site = createSite(world);
      const list = Array.from({ length: world.count }, (_, n) => `word ${n}`);
      let stored: string | undefined;
      const checkpoint = {
        read: () => (stored === undefined ? undefined : (JSON.parse(stored) as KeywordRequest[])),
        write: (requests: readonly KeywordRequest[]) => {
          stored = JSON.stringify(requests);
        },
      };
      const { client, sent } = scripted([site.step], { journal: memoryJournal() });
      const mode = world.hasCheckpoint ? { checkpoint } : world.hasIntent ? { intent: ['list'] } : {};
      const options = { ...mode, continueAfterUnknown: world.continueAfterUnknown, timeoutMs: 20_000 };
      const first = await client.keywords.import('s', list, { ...options, signal: site.signal });
      site.end();
      check(list, site, first);
      if (first.unknown.length === 0)
        expect(first.notSent.length === 0 || first.error !== undefined).toBe(true);
      // Without an error everything has an outcome.
      expect(first.error === undefined).toBe(first.added.length + first.skipped.length === list.length);

      site.heal();
      const second = await first.resume();
      check(list, site, second);
      expect([second.refused, second.notSent]).toEqual([[], []]);
      // Unknown keywords are not sent again, by this import or another.
      expect(second.unknown).toEqual(first.unknown);
      const third = await client.keywords.import('s', list, options);
      expect(third.unknown).toEqual(first.unknown);
      if (world.hasCheckpoint || world.hasIntent) {
        for (const keyword of list) expect(site.sentCounts.get(keyword)).toBe(1);
        expect([...third.added].sort()).toEqual([...second.added].sort());
      }

      const requestsBefore = sent.length;
      const last = await third.resume({ retryUnknown: true });
      check(list, site, last);
      expect([last.unknown, last.added.length + last.skipped.length]).toEqual([[], list.length]);
      expect(sent.length - requestsBefore).toBeLessThanOrEqual(Math.ceil(list.length / 50));
      expect(await client.operations.list({ open: true })).toEqual([]);
    }),
    { seed, numRuns: 150 },
  );
});
