const separator = Buffer.from('\r\n\r\n');
/** The end of a chunked body. A JSON body never ends like this. */
const lastChunk = '\r\n0\r\n\r\n';

/** Finds the end of each answer on a connection. At most one answer is in progress. */
export class AnswerReader {
  /** Status code of the last answer that began, as text. */
  status = '';
  #head: Buffer | undefined;
  /** Bytes of the body that have not arrived; undefined if the length is not known. */
  #left: number | undefined = 0;
  #tail = '';

  get isSuccess(): boolean {
    return this.status.startsWith('2');
  }

  /** Whether the answer ends with these bytes. */
  isWhole(chunk: Buffer): boolean {
    if (this.#left === 0) return this.#begin(chunk);
    if (this.#left === undefined) return this.#isLast(chunk);
    this.#left -= chunk.length;
    return this.#left <= 0 && this.#end();
  }

  #begin(chunk: Buffer): boolean {
    const bytes = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
    const at = bytes.indexOf(separator);
    if (at < 0) {
      this.#head = bytes;
      return false;
    }
    this.#head = undefined;
    const head = bytes.toString('latin1', 0, at);
    this.status = head.slice(9, 12);
    const body = bytes.subarray(at + separator.length);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#left = undefined;
      this.#tail = '\r\n';
      return this.#isLast(body);
    }
    this.#left = Number(length) - body.length;
    return this.#left <= 0 && this.#end();
  }

  #isLast(chunk: Buffer): boolean {
    this.#tail = (this.#tail + chunk.toString('latin1')).slice(-lastChunk.length);
    return this.#tail === lastChunk && this.#end();
  }

  #end(): boolean {
    this.#left = 0;
    this.#tail = '';
    return true;
  }
}
