import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeMeaning, codeMeanings } from '../../src/generated/code-meanings.ts';
import { type ClientOptions, type ErrorMeaning, OrgChatError, OutcomeUnknownError } from '../../src/index.ts';
import {
  failure,
  html,
  json,
  lost,
  retrySoon,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

/*
 * A server that knows the truth, behind a gateway that may send a request twice and lose answers, with codes that the
 * client may or may not have been told about. Whatever it answers: what the client calls refused is not applied, and
 * what it calls applied is.
 */

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const revisions = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const;
const foreign = (meaning: CodeMeaning): string => `X_${codeMeanings[meaning].code}`;

interface World {
  readonly isCreate: boolean;
  readonly isGiven: boolean;
  /** Whether the client has the option `server`. The codes of the server are never the default ones. */
  readonly isConfigured: boolean;
  /** The change is stale, or its record is gone, before anything is sent. */
  readonly obstacle: 'none' | 'stale' | 'gone' | 'runtime' | 'forbidden';
  /** What happens to each request in turn. */
  readonly ways: readonly ('once' | 'twice' | 'twice-uncertain' | 'lost' | 'dropped' | 'page')[];
}

const worlds: fc.Arbitrary<World> = fc.record({
  isCreate: fc.boolean(),
  isGiven: fc.boolean(),
  isConfigured: fc.boolean(),
  obstacle: fc.constantFrom('none', 'stale', 'gone', 'runtime', 'forbidden'),
  ways: fc.array(fc.constantFrom('once', 'twice', 'twice-uncertain', 'lost', 'dropped', 'page'), {
    minLength: 1,
    maxLength: 4,
  }),
});

function serve(world: World): { step: Step; isApplied: () => boolean } {
  let isApplied = false;
  let isUncertain = false;
  let writes = 0;
  const refuse = (meaning: CodeMeaning, status: number): Step => failure(status, foreign(meaning));
  const record = () => ({
    id,
    label: 'VIP',
    name: isApplied ? 'Sent' : 'Another',
    color: 'pink',
    revision: isApplied ? revisions[1] : world.obstacle === 'stale' ? revisions[2] : revisions[0],
  });

  function change(): Step {
    if (world.obstacle === 'forbidden') return refuse('forbidden', 403);
    if (world.obstacle === 'runtime') return refuse('runtimeUnavailable', 404);
    if (isUncertain) return refuse('uncertain', 409);
    const answer = { ok: true, applied: true, auditRecorded: true, result: record() };
    if (isApplied) return json({ ...answer, replayed: true });
    if (world.obstacle === 'gone') return refuse('notFound', 404);
    if (world.obstacle === 'stale' && !world.isCreate) return refuse('staleRevision', 409);
    isApplied = true;
    return json({ ...answer, replayed: false });
  }

  const step: Step = (request, body) => {
    if (request.url.endsWith('/chat/read')) {
      const answer = world.obstacle === 'gone' ? refuse('notFound', 404) : json({ record: record() });
      return answer(request, body);
    }
    const way = world.ways[Math.min(writes++, world.ways.length - 1)];
    if (way === 'dropped') return lost(request, body);
    if (way === 'page') return html(404)(request, body);
    const first = change();
    if (way === 'once') return first(request, body);
    if (way === 'lost') return lost(request, body);
    // The gateway lost the first answer and sends the request again. The server may not know the outcome of the first yet.
    isUncertain = way === 'twice-uncertain' && isApplied;
    return change()(request, body);
  };
  return { step, isApplied: () => isApplied };
}

async function runWorld(
  world: World,
): Promise<{ says: string; isApplied: boolean; state: string | undefined }> {
  const { step, isApplied } = serve(world);
  const codes = Object.fromEntries(
    (Object.keys(codeMeanings) as CodeMeaning[]).map((meaning) => [meaning, foreign(meaning)]),
  );
  const options: ClientOptions = world.isConfigured ? { server: { server: 1, codes } } : {};
  const { client } = scripted([step], options);
  const call = world.isGiven ? { intent: ['once'] } : {};
  const data = { name: 'Sent', color: 'pink' } as const;
  const says = await (world.isCreate
    ? client.tags.create(data, call)
    : client.tags.update({ id, revision: revisions[0], label: 'VIP' }, data, call)
  ).then(
    () => 'applied',
    (error: unknown) => {
      expect(error).toBeInstanceOf(OrgChatError);
      return error instanceof OutcomeUnknownError ? 'unknown' : 'refused';
    },
  );
  const [entry] = await client.operations.list();
  return { says, isApplied: isApplied(), state: entry?.state };
}

test('a refused change was not applied, and an applied one was', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { says, isApplied, state } = await runWorld(world);
      seen.add(`${says} ${isApplied}`);
      expect(state).toBe(says);
      if (says !== 'unknown') expect(isApplied).toBe(says === 'applied');
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual(['applied true', 'refused false', 'unknown false', 'unknown true']);
});

test('a server whose codes are configured leaves nothing unknown that it answered for', async () => {
  const answered: fc.Arbitrary<World> = fc.record({
    isCreate: fc.boolean(),
    isGiven: fc.boolean(),
    isConfigured: fc.constant(true),
    obstacle: fc.constantFrom('none', 'stale', 'gone', 'forbidden'),
    ways: fc.constantFrom(['once'], ['twice']),
  });
  await fc.assert(
    fc.asyncProperty(answered, async (world) => {
      const { says, isApplied } = await runWorld(world);
      expect(says).toBe(isApplied ? 'applied' : 'refused');
    }),
    { numRuns: 100 },
  );
});

const meanings = Object.keys(codeMeanings) as CodeMeaning[];
const before: Record<'fresh' | 'given' | 'ambiguous', readonly Step[]> = {
  fresh: [],
  given: [],
  ambiguous: [lost],
};

/** The class, state and meaning of a create that is answered with a status and a code. */
async function answered(
  status: number,
  code: string,
  history: keyof typeof before,
  options: ClientOptions,
): Promise<{ name: string; state: string | undefined; meaning: ErrorMeaning | undefined; attempts: number }> {
  const { client } = scripted([...before[history], failure(status, code, retrySoon)], options);
  const call = history === 'given' ? { operationId: id } : {};
  const thrown: unknown = await client.tags
    .create({ name: 'VIP', color: 'pink' }, call)
    .catch((error) => error);
  if (!(thrown instanceof OrgChatError)) throw new Error('it was not refused', { cause: thrown });
  const [entry] = await client.operations.list();
  return { name: thrown.name, state: entry?.state, meaning: thrown.meaning, attempts: thrown.attempts };
}

test('an answer means the same, whichever code the server has for it', async () => {
  const codes = Object.fromEntries(meanings.map((meaning) => [meaning, foreign(meaning)]));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...meanings),
      fc.oneof(
        fc.constantFrom(400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 502),
        fc.integer({ min: 400, max: 599 }),
      ),
      fc.constantFrom('fresh' as const, 'given' as const, 'ambiguous' as const),
      async (meaning, status, history) => {
        const byDefault = await answered(status, codeMeanings[meaning].code, history, {});
        const configured = await answered(status, foreign(meaning), history, {
          server: { server: 1, codes },
        });
        expect(configured).toEqual(byDefault);
        const statuses: readonly number[] = codeMeanings[meaning].statuses;
        if (!statuses.includes(status)) expect(configured.meaning).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
});

test('a code that is not configured does not refuse a change that may have been applied', async () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'OUTCOME_UNKNOWN', 'stale_revision'),
  );
  await fc.assert(
    fc.asyncProperty(
      words.filter((word) => !meanings.some((meaning) => codeMeanings[meaning].code === word)),
      fc.constantFrom(404, 409, 410, 422),
      fc.constantFrom('fresh' as const, 'given' as const, 'ambiguous' as const),
      async (word, status, history) => {
        const { state, meaning } = await answered(status, word, history, {});
        expect(meaning).toBeUndefined();
        expect(state).toBe(history === 'fresh' && status !== 409 ? 'refused' : 'unknown');
      },
    ),
    { numRuns: 200 },
  );
});
