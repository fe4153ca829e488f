import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { TextStream } from '../http/message.ts';
import { sendStream } from './send-stream.ts';

it('a stream whose source fails ends, so that its reader connects again', async () => {
  let isClosed = false;
  let parts = 0;
  const stream: TextStream = {
    next: () => {
      if (parts++ === 0) return 'first';
      throw new Error('planted');
    },
    wait: async () => {},
    isEnded: false,
    heartbeat: '',
    close: () => {
      isClosed = true;
    },
  };
  let failure: unknown;
  const server = createServer((_, response) => {
    const options = { closing: new AbortController().signal, heartbeatMs: 60_000 };
    sendStream(stream, response, options).catch((error: unknown) => {
      failure = error;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await response.text()).toBe('first');
    expect(failure).toEqual(new Error('planted'));
    expect(isClosed).toBe(true);
  } finally {
    server.close();
  }
});
