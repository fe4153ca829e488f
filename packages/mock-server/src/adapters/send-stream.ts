import type { ServerResponse } from 'node:http';
import type { TextStream } from '../http/message.ts';

interface Options {
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal;
  readonly heartbeatMs: number;
}

/**
 * Sends a stream until its reader leaves, its source ends, or the server closes. Nothing is asked of the source while the
 * socket's buffer is full, so a slow reader needs no memory.
 */
export async function sendStream(
  stream: TextStream,
  response: ServerResponse,
  { closing, heartbeatMs }: Options,
): Promise<void> {
  let wake = (): void => {};
  const close = (): void => {
    stream.close();
    wake();
  };
  response.on('close', close).on('drain', () => wake());
  closing.addEventListener('abort', close);
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(stream.heartbeat);
  }, heartbeatMs);
  if (closing.aborted) close();
  try {
    while (!stream.isEnded) {
      const text = stream.next();
      if (text === '') await stream.wait();
      else if (!response.write(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearInterval(timer);
    closing.removeEventListener('abort', close);
    stream.close();
    // What the reader did not read in time would keep the connection open.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}
