import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AnswerMessage, createMock, type MockOptions } from '@orgchat/mock-server';
import type { ServedMock } from '../../../packages/mock-server/test-support/adapters.ts';
import { routeOf } from './route.ts';
import { type Prism, startPrism } from './start-prism.ts';

/** A server behind Prism, which validates requests and answers. */
interface ValidatedServer extends Omit<ServedMock, 'mock'> {
  /** Number of requests by route. */
  readonly routed: Readonly<Record<'strict' | 'lenient' | 'around', number>>;
  /** Prism's violations, of requests that the document allows and of all answers. */
  readonly violations: readonly string[];
}

export interface ProxiedMock extends ValidatedServer, ServedMock {}

/** One entry of Prism's `sl-violations` header. */
interface PrismViolation {
  readonly location: readonly [side: 'request' | 'response', ...where: string[]];
  readonly message: string;
}

/** For invalid requests, only violations of the answer count. */
function answerViolations(said: string): string[] {
  // A list that is too long for a header is truncated, and the rest may be about the answer.
  if (!said.startsWith('[')) return [said];
  return (JSON.parse(said) as PrismViolation[])
    .filter(({ location: [side] }) => side === 'response')
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}

/**
 * Puts two validating proxies before a server. Valid requests pass a strict one, which checks both sides. Invalid
 * requests pass a lenient one, which only checks the answer.
 */
export async function validateThroughPrism(upstream: string): Promise<ValidatedServer> {
  const [strict, lenient] = await Promise.all([
    startPrism(upstream),
    startPrism(upstream, { strict: false }),
  ]);
  const routed = { strict: 0, lenient: 0, around: 0 };
  const violations: string[] = [];

  // Prism waits forever for the rest of a truncated answer, so this aborts the request.
  let cut = new AbortController();
  /** Request IDs of answers with an undeclared status that a fault set. */
  const undeclared = new Set<string | null>();
  const listener = (message: unknown): void => {
    const { fault, headers } = message as AnswerMessage;
    if (fault === 'undeclared') undeclared.add(new Headers(headers).get('x-request-id'));
    if (fault !== 'cut') return;
    cut.abort(new TypeError('terminated'));
    cut = new AbortController();
  };
  subscribe('orgchat.mock.answer', listener);

  const sendThrough = async (
    prism: Prism,
    path: string,
    { method, headers }: Request,
    body: string | undefined,
  ) => {
    const answer = await fetch(prism.baseUrl + path, {
      method,
      headers,
      signal: cut.signal,
      ...(body !== undefined && { body }),
    });
    const note = (what: string): void => void violations.push(`${method} ${path}: ${what}`);
    if (answer.headers.get('content-type')?.includes('problem+json')) {
      const problem = await answer.text();
      // The connection to the mock was reset.
      if (/socket hang up|ECONNRESET/.test(problem)) throw new TypeError('fetch failed');
      note(problem);
      return new Response(problem, { status: answer.status });
    }
    if (undeclared.has(answer.headers.get('x-request-id'))) return answer;
    const said = answer.headers.get('sl-violations');
    if (said !== null) for (const what of prism === strict ? [said] : answerViolations(said)) note(what);
    return answer;
  };

  return {
    baseUrl: upstream,
    routed,
    violations,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const path = request.url.slice(upstream.length);
      const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
      // Only the client's own content type is sent: `Request` adds text/plain to every string body.
      const contentType = new Headers(init?.headers).get('content-type') ?? undefined;
      const route = routeOf(request, path, bytes, contentType);
      routed[route.kind]++;
      if (route.kind === 'around') return fetch(input, init);
      if (bytes !== undefined) request.headers.set('content-type', route.contentType);
      return sendThrough(route.kind === 'strict' ? strict : lenient, path, request, route.body);
    },
    close: async () => {
      unsubscribe('orgchat.mock.answer', listener);
      await Promise.all([strict.stop(), lenient.stop()]);
    },
  };
}

/** Starts a mock behind Prism. */
export async function serveThroughPrism(options: MockOptions): Promise<ProxiedMock> {
  const mock = createMock(options);
  const server = await mock.listen({ port: 0 });
  const route = await validateThroughPrism(server.baseUrl);
  return {
    ...route,
    mock,
    close: async () => {
      await route.close();
      await server.close();
    },
  };
}
