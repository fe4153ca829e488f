import { isUtf8 } from 'node:buffer';
import { limits } from '@orgchat/spec';
import type { PlainRequest } from '../message.ts';
import { Refusal } from '../refusal.ts';

const refuse = (en: string, ja: string): never => {
  throw new Refusal('INVALID_INPUT', { en, ja });
};

const byteOrderMark = 0xfeff;

/** Whether a body is larger than it may be, also if the adapter did not keep it for that reason. */
export const isOversized = ({ body, oversized }: PlainRequest, maxBytes: number): boolean =>
  oversized === true || Buffer.byteLength(body) > maxBytes;

function textOf(request: PlainRequest, maxBytes: number): string {
  const { body } = request;
  if (isOversized(request, maxBytes)) {
    refuse(`The body is larger than ${maxBytes} bytes.`, `本文が${maxBytes}バイトを超えています。`);
  }
  if (typeof body === 'string') return body;
  const buffer = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = buffer.toString('utf8');
  // Bytes that are no UTF-8 become this character, which may also have been sent.
  if (text.includes('\ufffd') && !isUtf8(body)) {
    refuse('The body is not valid UTF-8.', '本文が正しいUTF-8ではありません。');
  }
  return text;
}

/** The body of a request, parsed when a step first asks for it. */
export class Body {
  readonly #request: PlainRequest;
  readonly #maxBytes: number;
  #value: object | undefined;

  constructor(request: PlainRequest, maxBytes: number = limits.bodyBytes) {
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  /** The JSON object; whatever is none is answered 400. */
  read(): object {
    this.#value ??= readJsonObject(this.#request, this.#maxBytes);
    return this.#value;
  }

  /** The JSON object, or undefined where there is none. */
  peek(): object | undefined {
    try {
      return this.read();
    } catch {
      return undefined;
    }
  }
}

/** The JSON object in a body (D5 to D9). */
function readJsonObject(request: PlainRequest, maxBytes: number): object {
  let text = textOf(request, maxBytes);
  if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse('The body is not JSON.', '本文がJSONではありません。');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('The body is not a JSON object.', '本文がJSONオブジェクトではありません。');
  }
  return value as object;
}
