import type { Outcome, PlainRequest, PlainResponse } from '../message.ts';

type Dispatch = (request: PlainRequest) => Outcome | Promise<Outcome>;

/**
 * Where the waiting of delayed answers is done, so that tests need not wait. `signal` is aborted where the rest of
 * the time need not be waited for: the server closes.
 */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** What `fetch` rejects with when the connection was reset. */
const reset = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  });

/** What reading a body rejects with when it was broken off. */
const terminated = (): TypeError =>
  new TypeError('terminated', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

async function translate(request: Request): Promise<PlainRequest> {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    origin: () => url.origin,
    header: (name) => request.headers.get(name) ?? undefined,
    body: request.body === null ? '' : new Uint8Array(await request.arrayBuffer()),
  };
}

/** An answer whose body breaks off half-way. */
function cut({ status, headers, body }: PlainResponse): Response {
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(terminated());
      else controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
      sent = true;
    },
  });
  return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Statuses whose answers have no body; `Response` takes none with them. */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Fulfils an outcome: waits, rejects, or answers. What was begun is finished even when nobody waits for it. */
async function fulfil(outcome: Outcome, sleep: Sleep, head: boolean): Promise<Response> {
  if (outcome.kind === 'later') {
    await sleep(outcome.delayMs);
    return fulfil(await outcome.resume(), sleep, head);
  }
  if (outcome.kind === 'reset') throw reset();
  if (outcome.kind === 'cut') return cut(outcome.response);
  const { status, headers, body } = outcome.response;
  return new Response(head || isBodiless(status) ? null : body, { status, headers });
}

/** A door in this process: a `fetch` that never touches the network, for any host. */
export function fetchDoor(dispatch: Dispatch, sleep: Sleep): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const outcome = await dispatch(await translate(request));
    const answer = fulfil(outcome, sleep, request.method === 'HEAD');
    if (outcome.kind !== 'later') return answer;
    answer.catch(() => {});
    return Promise.race([answer, aborted(request.signal)]);
  };
}
