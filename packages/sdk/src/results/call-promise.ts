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

/**
 * Starts a call of a public method. An error that `start` throws, such as a refused argument, rejects the call. The
 * stack of an error shows where the method was called: by default, it was just called.
 */
export function startCall<T>(
  start: () => Promise<ApiResponse<T>>,
  site: CallSite = captureCallSite(),
): Call<T> {
  const answered = startNow(start);
  // Nothing handles a rejection of `answered` before this does.
  const data = answered.then(
    (answer) => {
      rememberRequestId(answer.data, answer);
      return answer.data;
    },
    (error: unknown) => {
      showCallSite(error, site);
      throw error;
    },
  );
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of this promise; the other one must not be reported as unhandled.
      data.catch(() => undefined);
      return answered;
    },
  });
}
