import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AnswerMessage, createMock, type MockOptions } from '@orgchat/mock-server';
import type { Door } from '../../packages/mock-server/test/doors.ts';
import { type Prism, startPrism } from './prism.ts';
import { wayOf } from './way.ts';

/** A way to a server on which both sides are judged. */
interface Judged extends Omit<Door, 'mock'> {
  /** How many requests went which way. */
  readonly taken: Readonly<Record<'strict' | 'lenient' | 'around', number>>;
  /** What Prism had against requests that the document allows, or against any answer. */
  readonly violations: readonly string[];
}

export interface PrismDoor extends Judged, Door {}

/** What Prism says in the header beside an answer that it let pass. */
interface Remark {
  readonly location: readonly [side: 'request' | 'response', ...where: string[]];
  readonly message: string;
}

/** Of what the document does not allow to be asked, only what Prism has against the answer counts. */
function againstAnswer(said: string): string[] {
  // A list too long for a header is cut off, and what is missing may be about the answer.
  if (!said.startsWith('[')) return [said];
  return (JSON.parse(said) as Remark[])
    .filter(({ location: [side] }) => side === 'response')
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}

/**
 * Two validating proxies before a server. What the document allows is asked through a strict one, so that both sides
 * are judged; what it does not allow through one that lets it pass and judges the answer.
 */
export async function throughPrism(upstream: string): Promise<Judged> {
  const [strict, lenient] = await Promise.all([
    startPrism(upstream),
    startPrism(upstream, { strict: false }),
  ]);
  const taken = { strict: 0, lenient: 0, around: 0 };
  const violations: string[] = [];

  // Prism waits for ever for the rest of an answer that broke off; whoever asked is told of it here.
  let cut = new AbortController();
  /** Request ids of the answers whose status a fault was told to give although the document has none such. */
  const undeclared = new Set<string | null>();
  const listener = (message: unknown): void => {
    const { fault, headers } = message as AnswerMessage;
    if (fault === 'undeclared') undeclared.add(new Headers(headers).get('x-request-id'));
    if (fault !== 'cut') return;
    cut.abort(new TypeError('terminated'));
    cut = new AbortController();
  };
  subscribe('orgchat.mock.answer', listener);

  const ask = async (prism: Prism, path: string, { method, headers }: Request, body: string | undefined) => {
    const answer = await fetch(prism.baseUrl + path, {
      method,
      headers,
      signal: cut.signal,
      ...(body !== undefined && { body }),
    });
    const note = (what: string): void => void violations.push(`${method} ${path}: ${what}`);
    if (answer.headers.get('content-type')?.includes('problem+json')) {
      const problem = await answer.text();
      // The connection behind it was reset.
      if (/socket hang up|ECONNRESET/.test(problem)) throw new TypeError('fetch failed');
      note(problem);
      return new Response(problem, { status: answer.status });
    }
    if (undeclared.has(answer.headers.get('x-request-id'))) return answer;
    const said = answer.headers.get('sl-violations');
    if (said !== null) for (const what of prism === strict ? [said] : againstAnswer(said)) note(what);
    return answer;
  };

  return {
    baseUrl: upstream,
    taken,
    violations,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const path = request.url.slice(upstream.length);
      const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
      // What a client does not say of its body is not said here either: `Request` calls every text plain.
      const contentType = new Headers(init?.headers).get('content-type') ?? undefined;
      const way = wayOf(request, path, bytes, contentType);
      taken[way.kind]++;
      if (way.kind === 'around') return fetch(input, init);
      if (bytes !== undefined) request.headers.set('content-type', way.contentType);
      return ask(way.kind === 'strict' ? strict : lenient, path, request, way.body);
    },
    close: async () => {
      unsubscribe('orgchat.mock.answer', listener);
      await Promise.all([strict.stop(), lenient.stop()]);
    },
  };
}

/** A mock that is reached through Prism. */
export async function prismDoor(options: MockOptions): Promise<PrismDoor> {
  const mock = createMock(options);
  const server = await mock.listen({ port: 0 });
  const way = await throughPrism(server.baseUrl);
  return {
    ...way,
    mock,
    close: async () => {
      await way.close();
      await server.close();
    },
  };
}
