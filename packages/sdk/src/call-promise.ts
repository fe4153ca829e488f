/** A result and what is told by `withResponse()`. */
export interface Answered<T> {
  readonly data: T;
  /** The body of the answer, parsed, as the server sent it. Of a keyword write that the journal answered: its result. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** How many requests it took. */
  readonly attempts: number;
  /** The operation of a write. */
  readonly operationId: string | undefined;
}

/** What every call returns: await it for the result, or ask for the answer around it. */
export interface Call<T> extends Promise<T> {
  /** The result with status, headers, request id and the number of attempts. Throws as the call itself does. */
  withResponse(): Promise<Answered<T>>;
}

/** Starts a call. What `start` throws, such as a refused argument, rejects the call. */
export function callOf<T>(start: () => Promise<Answered<T>>): Call<T> {
  const answered = (async () => start())();
  const data = answered.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for this one handles its rejection; the other must not be reported as unhandled then.
      data.catch(() => undefined);
      return answered;
    },
  });
}

/** The same call with another result. */
export function mapAnswer<A, B>(
  answered: Promise<Answered<A>>,
  map: (data: A, operationId: string | undefined) => B,
): Promise<Answered<B>> {
  return answered.then((answer) => ({ ...answer, data: map(answer.data, answer.operationId) }));
}
