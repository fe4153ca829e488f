import { type ClientOptions, createClient, type OrgChatClient } from '../../src/index.ts';

/** What a scripted server does with a request. */
export type Step = (request: Request, body: string) => Response | Promise<Response>;

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** When, by `performance.now()`. */
  readonly at: number;
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json(body, { status, headers: { 'x-request-id': `req-${status}`, ...headers } });

export const failure = (status: number, error: string, headers: Record<string, string> = {}): Step =>
  json({ error, message: `In words: ${error}` }, status, headers);

/** The headers of an answer that asks for a wait of a millisecond: the shortest, so that a test does not take seconds. */
export const retrySoon = {
  date: 'Wed, 01 Apr 2026 12:00:00 GMT',
  'retry-after': 'Wed, 01 Apr 2026 12:00:00.001 GMT',
} as const;

/** A tag, as the tests create it. */
export const record = {
  id: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  revision: 'a'.repeat(64),
  label: 'VIP',
  name: 'VIP',
  color: 'pink',
};
/** The answer to `GET /me`. */
export const account = {
  organizationId: 'o',
  key: { name: 'Tests', scope: 'write' },
  plan: 'business',
  credits: { allowance: 10, used: 0, remaining: 10, resetsAt: '2026-05-01T00:00:00.000Z' },
  api: { used: 0, limit: 1_000, perMinute: 60 },
};
export const applied = json({
  ok: true,
  applied: true,
  replayed: false,
  auditRecorded: true,
  result: record,
});
/** The replay of a create of the tag, under a name. */
export const replayedAs = (name: string): Step =>
  json({
    ...{ ok: true, applied: true, replayed: true, auditRecorded: true },
    result: { ...record, name, label: name },
  });
export const replayed = replayedAs(record.name);

/** `fetch` as it rejects in Node: a TypeError with the system's error as its cause. */
export const broken =
  (code: string, syscall?: string): Step =>
  () => {
    const cause = Object.assign(new Error(`${syscall ?? 'read'} ${code}`), {
      code,
      ...(syscall && { syscall }),
    });
    throw new TypeError('fetch failed', { cause });
  };

/** The connection breaks after the request went out. */
export const lost = broken('ECONNRESET');
/** Nobody listens: the request never left. */
export const refusedConnection = broken('ECONNREFUSED', 'connect');

/** Never answers; rejects when it is aborted, as fetch does. */
export const hang: Step = (request) =>
  new Promise((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });

/** The head of an answer and a part of its body, then nothing: `error` breaks it off, else it stays open. */
export const cutBody =
  (status = 200, error = true): Step =>
  () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"ok":true,"appl'));
        if (error) setTimeout(() => controller.error(new TypeError('terminated')), 1);
      },
    });
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  };

export const html =
  (status = 200): Step =>
  () =>
    new Response('<html>Welcome to the hotel network</html>', {
      status,
      headers: { 'content-type': 'text/html' },
    });

/** A client against a script: each request takes the next step, and the last step repeats. */
export function scripted(
  steps: readonly Step[],
  options: ClientOptions = {},
): { client: OrgChatClient; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.clone().text();
    const { method, url, headers } = request;
    const step = steps[Math.min(sent.length, steps.length - 1)];
    sent.push({ method, url, headers, body, at: performance.now() });
    if (step === undefined) throw new Error('the script has no steps');
    return step(request, body);
  };
  const client = createClient({
    apiKey: 'test-key-1234567890',
    baseUrl: 'https://api.example.com/api/v1',
    pacing: false,
    retry: { baseDelayMs: 1, maxDelayMs: 2 },
    fetch,
    ...options,
  });
  return { client, sent };
}

let site = 0;
/** A base URL that no other call of this has; pacing is shared by base URL and key. */
export const elsewhere = (): { baseUrl: string } => ({
  baseUrl: `https://api-${++site}.example.com/api/v1`,
});
