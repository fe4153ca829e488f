import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { publishMalformed } from '../http/answer-channel.ts';
import { isLoopback } from '../http/loopback.ts';
import type { Listening, ListenOptions } from '../mock-interface.ts';
import { MockOptionsError } from '../options/options.ts';
import { bodyLimit } from '../router.ts';
import type { ServedMock } from '../served-mock.ts';
import { HttpAdapter } from './http-adapter.ts';

const malformedMessage = 'Malformed HTTP request.';
const timeoutMessage = 'The request was not complete in time.';

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/** Opens the HTTP server of a mock. Generates a control token beyond loopback if none was given. */
export async function listen(mock: ServedMock, options: ListenOptions): Promise<Listening> {
  const { services } = mock;
  const { port = 4010, host = '127.0.0.1' } = options;
  const publicUrl = options.publicUrl === undefined ? undefined : checkPublicUrl(options.publicUrl);
  const adapter = await HttpAdapter.open({
    port,
    host,
    publicUrl,
    mock,
    sleep: services.sleep,
    bodyLimit,
    onError: services.onError,
    createGuard: (address) => {
      const loopbackOnly = isLoopback(address);
      const generated = loopbackOnly ? undefined : randomBytes(24).toString('base64url');
      const token = services.controlToken ?? generated;
      return { loopbackOnly, token, isToken: (text) => token !== undefined && isEqual(text, token) };
    },
    malformed: (status) => {
      const response = {
        status,
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': services.nextRequestId() },
        body: JSON.stringify({
          error: services.toServerCode('INVALID_INPUT'),
          message: status === 408 ? timeoutMessage : malformedMessage,
        }),
      };
      publishMalformed(response);
      return response;
    },
  });
  const addresses = mock.addresses(publicUrl ?? adapter.url);
  const controlToken = adapter.guard?.token;
  return {
    ...addresses,
    inspectorUrl: toInspectorUrl(addresses.controlUrl, controlToken),
    port: adapter.port,
    url: adapter.url,
    loopbackOnly: adapter.guard?.loopbackOnly ?? false,
    controlToken,
    close: async () => {
      await adapter.close();
      mock.close();
    },
  };
}

/** A browser does not send what follows `#`, so the token is in no log of a server or proxy. */
const toInspectorUrl = (controlUrl: string, token: string | undefined): string =>
  token === undefined ? `${controlUrl}/` : `${controlUrl}/#token=${encodeURIComponent(token)}`;

function checkPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.username || url.password || url.search || url.hash) {
    throw new MockOptionsError(
      `publicUrl must be an http or https URL without credentials, query or fragment, such as http://mock:4010; got "${text}".`,
    );
  }
  return url.href.replace(/\/$/, '');
}
