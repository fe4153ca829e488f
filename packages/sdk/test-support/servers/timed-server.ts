import { type ClientOptions, createClient, memoryJournal, type OrgChatClient } from '../../src/index.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { account, failure, json, record, retrySoon, type Step } from './scripted.ts';

/* A server that takes its time and knows the truth, for tests with a clock of their own. */

/** What happens to a write on its way. Each takes some milliseconds. */
export const fates = [
  'answered',
  'slow body',
  'never connected',
  'lost before',
  'lost after',
  'arrives late',
  'unavailable',
  'failed after',
  'limited',
  'refused',
] as const;
export type Fate = (typeof fates)[number];

export interface TimedServer {
  readonly client: OrgChatClient;
  /** The writes that this process sent or tried to, by the time when it did. */
  readonly sent: { readonly at: number; readonly body: string }[];
  /** How often each write was applied: a change by its operation id, keywords by their body. */
  readonly effects: Map<string, number>;
}

export const timedFriend = {
  accountId: '0a1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  userId: `U${'1'.repeat(32)}`,
  displayName: 'Hana',
  notes: null,
  status: 'unread',
  tagIds: [],
  revision: record.revision,
  label: 'Hana',
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function breakOff(code: string, syscall: string): never {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  throw new TypeError('fetch failed', { cause });
}

/** A journal of which each call takes a millisecond, as one over a network does. */
function createSlowJournal(): Journal {
  const journal = memoryJournal();
  const slow =
    <A extends unknown[], R>(call: (...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => {
      await sleep(1);
      return call(...args);
    };
  return {
    add: slow(journal.add),
    get: slow(journal.get),
    claim: slow(journal.claim),
    settle: slow(journal.settle),
    list: slow(journal.list),
    remove: slow(journal.remove),
  };
}

/** Splits an answer: its body ends two milliseconds after its head. */
function slowly(answer: Response): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void answer.arrayBuffer().then(async (bytes) => {
    const writer = writable.getWriter();
    const write = (part: ArrayBuffer): Promise<void> => writer.write(new Uint8Array(part));
    void write(bytes.slice(0, 9)).catch(() => undefined);
    await sleep(2);
    void write(bytes.slice(9)).catch(() => undefined);
    void writer.close().catch(() => undefined);
  });
  return new Response(readable, answer);
}

/** Opens a server on which each write has the next fate, and every later one is answered. */
export function openTimedServer(plan: readonly Fate[], options: ClientOptions = {}): TimedServer {
  const sent: { at: number; body: string }[] = [];
  const effects = new Map<string, number>();

  /** Applies a write, as often as it arrives if it has no id. */
  function apply(request: Request, body: string): Step {
    const { operationId, change } = JSON.parse(body);
    const id = operationId ?? body;
    const isReplay = operationId !== undefined && effects.has(id);
    if (!isReplay) effects.set(id, (effects.get(id) ?? 0) + 1);
    if (!request.url.endsWith('/chat/changes')) return json({ added: ['a'], skipped: [] }, 201);
    const isDeletion = change.action.startsWith('delete');
    const shown = change.userId ? timedFriend : record;
    const result = isDeletion ? { id: record.id, deleted: true } : { ...shown, ...change.data };
    return json({ ok: true, applied: true, replayed: isReplay, auditRecorded: true, result });
  }

  const read: Step = (request, body) => {
    if (request.method === 'GET') return json(account)(request, body);
    const { id, userId, offset = 0 } = JSON.parse(body);
    if (userId) return json({ record: timedFriend })(request, body);
    if (id) return json({ record })(request, body);
    const ids = [0, 1, 2].map((n) => `${n}${record.id.slice(1)}`);
    const records = ids.map((one) => ({ ...record, id: one, name: one, label: one }));
    return json({ records: records.slice(offset, offset + 2), total: 3, limited: true })(request, body);
  };

  async function meet(fate: Fate, request: Request, body: string): Promise<Response> {
    sent.push({ at: performance.now(), body });
    if (fate === 'never connected') await sleep(1).then(() => breakOff('ECONNREFUSED', 'connect'));
    const applied = (): Response | Promise<Response> => apply(request, body)(request, body);
    const answer = (step: Step): Response | Promise<Response> => step(request, body);
    if (fate === 'arrives late') {
      // A proxy holds it back.
      setTimeout(applied, 9);
      await sleep(3);
      return breakOff('ECONNRESET', 'read');
    }
    await sleep(2);
    if (fate === 'lost before') return breakOff('ECONNRESET', 'read');
    if (fate === 'unavailable') return answer(failure(503, 'BUSY'));
    if (fate === 'limited') return answer(failure(429, 'RATE_LIMITED', retrySoon));
    if (fate === 'refused') return answer(failure(403, 'FORBIDDEN'));
    const whole = await applied();
    await sleep(2);
    if (fate === 'lost after') return breakOff('ECONNRESET', 'read');
    if (fate === 'failed after') return answer(failure(502, 'RUNTIME_UNAVAILABLE'));
    return fate === 'slow body' ? slowly(whole) : whole;
  }

  let writes = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.clone().text();
    const isRead = /\/(me|chat\/read)$/.test(request.url);
    const answer = isRead
      ? sleep(2).then(() => read(request, body))
      : meet(plan[writes++] ?? 'answered', request, body);
    // An abort ends the wait for an answer. What is on its way arrives nevertheless.
    const aborted = new Promise<never>((_, reject) => {
      if (request.signal.aborted) reject(request.signal.reason);
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
    return Promise.race([answer, aborted]);
  };
  const client = createClient({
    apiKey: 'test-key-1234567890',
    baseUrl: 'https://api.example.com/api/v1',
    pacing: false,
    retry: { maxAttempts: 3, baseDelayMs: 4, maxDelayMs: 8 },
    journal: createSlowJournal(),
    fetch,
    ...options,
  });
  return { client, sent, effects };
}
