import { createReadStream } from 'node:fs';

/** A key is much shorter. */
export const maxKeyBytes = 64 * 1024;
/** Larger texts are a mistake, such as a device that never ends. */
export const maxTextBytes = 256 * 1024 * 1024;

const formatSize = (bytes: number): string => {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} KiB` : `${kilobytes / 1024} MiB`;
};

/** A file, or what is on standard input, that has more bytes than a file of its kind can have. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  constructor(maxBytes: number) {
    super(`it is larger than ${formatSize(maxBytes)}`);
  }
}

/** Reads a stream to its end. Throws a `TooLargeError` as soon as it has more than `maxBytes`. */
export async function collectBytes(source: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBytes) throw new TooLargeError(maxBytes);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Reads a file, pipe or device to its end. Throws a `TooLargeError` as soon as it has more than `maxBytes`. */
export const readBytes = (path: string, maxBytes: number): Promise<Buffer> =>
  collectBytes(createReadStream(path, { highWaterMark: 256 * 1024 }), maxBytes);
