import { createServer, request as sendOn } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A server before a mock, which can keep its answers back. */
export interface HeldAnswers {
  /** Address of the API. */
  readonly baseUrl: string;
  /** From now on a request to a path that ends so reaches the mock, and its answer waits until the returned function is called. */
  hold(pathEnd: string): () => void;
  close(): void;
}

/**
 * Puts a server before a mock. A delay of the mock ends after a while, however slow the machine is: what a test does before
 * the answer is certain only if the test itself decides when the answer comes.
 */
export async function holdAnswersOf(baseUrl: string): Promise<HeldAnswers> {
  const { origin, pathname } = new URL(baseUrl);
  let held: { readonly pathEnd: string; readonly letGo: Promise<void> } | undefined;
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    const onward = sendOn(`${origin}${url}`, { method, headers }, async (answer) => {
      if (held !== undefined && url.endsWith(held.pathEnd)) await held.letGo;
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    hold(pathEnd) {
      let release = (): void => undefined;
      held = { pathEnd, letGo: new Promise<void>((resolve) => (release = resolve)) };
      return () => {
        held = undefined;
        release();
      };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
