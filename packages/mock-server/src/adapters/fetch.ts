import {
  type AdapterAction,
  isBodiless,
  type PlainRequest,
  type PlainResponse,
  type RequestHandler,
  type TextStream,
} from '../http/message.ts';
import type { Sleep } from '../options/options.ts';

/** What `fetch` rejects with when the connection was reset. */
const connectionReset = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  });

/** What reading a body rejects with when the body was cut off. */
const bodyTerminated = (): TypeError =>
  new TypeError('terminated', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

async function toPlainRequest(request: Request): Promise<PlainRequest> {
  const url = new URL(request.url);
  const { headers } = request;
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    origin: () => url.origin,
    header: (name) => headers.get(name) ?? undefined,
    headers,
    body: request.body === null ? '' : new Uint8Array(await request.arrayBuffer()),
  };
}

/** A response whose body is cut off halfway. */
function toCutResponse({ status, headers, body }: PlainResponse): Response {
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(bodyTerminated());
      else controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
      sent = true;
    },
  });
  return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } });
}

/** A body that ends when the reader cancels it, or when its source ends. */
function toStreamBody(stream: TextStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isCanceled = false;
  const cancel = (): void => {
    isCanceled = true;
    stream.close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = (): void => {
        cancel();
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      try {
        while (!stream.isEnded) {
          const text = stream.next();
          if (text !== '') return controller.enqueue(encoder.encode(text));
          await stream.wait();
        }
      } catch (error) {
        stream.close();
        throw error;
      }
      if (isCanceled) return;
      stream.close();
      controller.close();
    },
    cancel,
  });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Carries out an action: waits, rejects or resolves. A delayed request is finished even if its caller gave up. */
async function toResponse(action: AdapterAction, sleep: Sleep, request: Request): Promise<Response> {
  if (action.kind === 'later') {
    await sleep(action.delayMs);
    return toResponse(await action.resume(), sleep, request);
  }
  if (action.kind === 'reset') throw connectionReset();
  if (action.kind === 'cut') return toCutResponse(action.response);
  if (action.kind === 'stream') {
    return new Response(toStreamBody(action.stream, request.signal), action.response);
  }
  const { status, headers, body } = action.response;
  const head = request.method === 'HEAD';
  return new Response(head || isBodiless(status) ? null : body, { status, headers });
}

/** Creates a `fetch` that calls the mock in this process for any host, without the network. */
export function createFetch(mock: { readonly handle: RequestHandler }, sleep: Sleep): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const action = await mock.handle(await toPlainRequest(request));
    const answer = toResponse(action, sleep, request);
    if (action.kind !== 'later') return answer;
    answer.catch(() => {});
    return Promise.race([answer, rejectOnAbort(request.signal)]);
  };
}
