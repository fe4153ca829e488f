/** An answer has more bytes than `maxResponseBytes`. */
export class BodyTooLargeError extends Error {
  readonly code = 'RESPONSE_TOO_LARGE';

  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes. To read larger answers, raise maxResponseBytes.`);
  }
}

/** Reads a body as text, as far as `maxBytes` after decompression; rejects with a `BodyTooLargeError` beyond that. */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const { body } = response;
  // The answer of a caller's own fetch may have nothing else than text().
  if (typeof body?.getReader !== 'function') {
    const text = body === null ? '' : await response.text();
    if (new TextEncoder().encode(text).length > maxBytes) throw new BodyTooLargeError(maxBytes);
    return text;
  }
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  // A fetch of the caller may not end a body when its request is aborted.
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      cancel();
      throw new BodyTooLargeError(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}
