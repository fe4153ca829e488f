/** By the result of a call, the request id of its answer. Results stay as they are, and nothing is kept for long. */
const requestIds = new WeakMap<object, string>();

/** Remembers the `X-Request-Id` of the answer that a result was made from. */
export function rememberRequestId(
  result: unknown,
  { requestId }: { readonly requestId: string | undefined },
): void {
  if (requestId === undefined || typeof result !== 'object' || result === null) return;
  // Several layers remember the same, and a look is cheaper.
  if (requestIds.get(result) !== requestId) requestIds.set(result, requestId);
}

/**
 * Returns the `X-Request-Id` of the answer that a result was made from: what support asks for. It takes what a call
 * resolves to, such as a record, the outcome of a change, or a page; of `edit()` and other methods that send several
 * requests, it is the last one. Undefined for another object, a copy, or if the server sent none.
 *
 * @example
 * const account = await client.account();
 * console.log(account.plan, getRequestId(account));
 */
export function getRequestId(result: object | undefined): string | undefined {
  return result && requestIds.get(result);
}
