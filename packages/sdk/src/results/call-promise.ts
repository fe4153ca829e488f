import { type CallSite, captureCallSite, showCallSite } from './call-site.ts';
import { rememberRequestId } from './request-ids.ts';

/** The result of a call with the answer around it. */
export interface ApiResponse<T> {
  readonly data: T;
  /** The parsed body as the server sent it. For a keyword write that was answered from the journal: its result. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** Number of requests that were sent. */
  readonly attempts: number;
  /** The operation id of a write. */
  readonly operationId: string | undefined;
}

/** A call: await it for the result, or use `withResponse()` for the answer around it. */
export interface Call<T> extends Promise<T> {
  /**
   * Resolves to the result with status, headers, request id and number of attempts. Rejects as the call itself does.
   *
   * @example
   * const { data, requestId, attempts } = await client.account().withResponse();
   * console.log(data.plan, requestId, attempts);
   */
  withResponse(): Promise<ApiResponse<T>>;
}

/** Starts a call. What it throws rejects the promise. */
function startNow<T>(start: () => Promise<T>): Promise<T> {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Where a call was made, as far as that was captured. */
interface CapturedSite {
  site?: CallSite | undefined;
}

/**
 * Starts a call of a public method. An error that `start` throws, such as a refused argument, rejects the call. The stack
 * of an error shows what awaits the call, or where its methods were called, or else the `site`.
 */
export function startCall<T>(
  start: () => Promise<ApiResponse<T>>,
  // Of the runtimes with another engine than V8, which may not know what awaits a call, Bun is the one that is supported.
  site = 'Bun' in globalThis ? captureCallSite() : undefined,
): Call<T> {
  const answered = startNow(start);
  const captured: CapturedSite = { site };
  const data = takeData(answered, captured);
  const { then } = data;
  return Object.assign(data, {
    // Handlers, `catch()`, `finally()` and `Promise.all()` call this; `await` does not, and needs no captured site.
    // biome-ignore lint/suspicious/noThenProperty: it is the method of the promise, and notes where it was called
    then<A = T, B = never>(...handlers: Parameters<typeof data.then<A, B>>): Promise<A | B> {
      captured.site ??= captureCallSite();
      return then.apply(data, handlers) as Promise<A | B>;
    },
    withResponse() {
      // The caller handles the rejection of this promise; the other one must not be reported as unhandled. It calls `then()`.
      data.catch(() => undefined);
      return answered;
    },
  });
}

/** Waits for the data of an answer. Nothing handles a rejection of `answered` before this does. */
async function takeData<T>(answered: Promise<ApiResponse<T>>, captured: CapturedSite): Promise<T> {
  try {
    const answer = await answered;
    rememberRequestId(answer.data, answer);
    return answer.data;
  } catch (error) {
    // What awaits this function is on the stack now.
    for (const site of [captureCallSite(), captured.site]) showCallSite(error, site);
    throw error;
  }
}
