import { isObject } from '@orgchat/spec';
import type { PlainRequest } from '../http/message.ts';
import { maxBodyBytes } from '../mock-limits.ts';
import { truncate } from '../primitives/kept-text.ts';
import { byteLength, decodeUtf8 } from '../primitives/platform.ts';
import type { Cause } from '../why/cause.ts';
import { ApiError } from './api-error.ts';

const refuse = (cause: Cause, en: string, ja: string): never => {
  throw new ApiError('INVALID_INPUT', cause, { en, ja });
};

/** Refuses a body that is not text or not JSON. If it is compressed, that is why (D5). */
function refuseUnreadable(request: PlainRequest, cause: Cause, en: string, ja: string): never {
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return refuse(cause, en, ja);
  const shown = truncate(encoding);
  return refuse(
    { reason: 'body-encoded', encoding: shown },
    `The body is compressed (Content-Encoding: ${shown}). Send it without.`,
    `本文が圧縮されています（Content-Encoding: ${shown}）。圧縮せずに送信してください。`,
  );
}

const byteOrderMark = 0xfeff;

/** Whether a body exceeds the limit, including bodies that the adapter did not keep for that reason. */
export const isOversized = ({ body, oversized }: PlainRequest, maxBytes: number): boolean =>
  oversized === true || byteLength(body) > maxBytes;

function decodeText(request: PlainRequest, maxBytes: number): string {
  const { body } = request;
  if (isOversized(request, maxBytes)) {
    const cause = { reason: 'body-too-large', maxBytes } as const;
    refuse(cause, `The body is larger than ${maxBytes} bytes.`, `本文が${maxBytes}バイトを超えています。`);
  }
  if (typeof body === 'string') return body;
  const text = decodeUtf8(body);
  if (text !== undefined) return text;
  return refuseUnreadable(
    request,
    { reason: 'body-not-utf8' },
    'The body is not valid UTF-8.',
    '本文が正しいUTF-8ではありません。',
  );
}

/** The body of a request, parsed on first use. */
export class Body {
  readonly #request: PlainRequest;
  readonly #maxBytes: number;
  #value: object | undefined;
  /** The decoded text; undefined if it was not read, or is not UTF-8. */
  text: string | undefined;

  constructor(request: PlainRequest, maxBytes: number = maxBodyBytes) {
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  /** Returns the JSON object; throws an `ApiError` 400 if the body is not one. */
  read(): object {
    this.#value ??= parseJsonObject(this.#request, this.#decode());
    return this.#value;
  }

  #decode(): string {
    this.text ??= decodeText(this.#request, this.#maxBytes);
    return this.text;
  }

  /** Returns the JSON object, or undefined if the body is not one. */
  peek(): object | undefined {
    try {
      return this.read();
    } catch {
      return undefined;
    }
  }
}

/** The JSON object in a body (D5 to D9). */
function parseJsonObject(request: PlainRequest, given: string): object {
  const text = given.charCodeAt(0) === byteOrderMark ? given.slice(1) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseUnreadable(
      request,
      { reason: 'body-not-json' },
      'The body is not JSON.',
      '本文がJSONではありません。',
    );
  }
  if (isObject(value)) return value;
  return refuse(
    { reason: 'body-not-object' },
    'The body is not a JSON object.',
    '本文がJSONオブジェクトではありません。',
  );
}
