import { randomBytes } from 'node:crypto';
import { tellMalformed } from './answers.ts';
import { isLoopback } from './control/guard.ts';
import { HttpDoor } from './doors/http.ts';
import type { Family } from './family.ts';
import type { Outcome, PlainRequest } from './message.ts';
import type { Addresses, Listening, ListenOptions } from './mock.ts';
import { MockOptionsError } from './options.ts';
import { bodyLimit } from './router.ts';

/** What listens. */
interface Served {
  handle(request: PlainRequest): Outcome | Promise<Outcome>;
  addresses(origin: string): Addresses;
  close(): void;
}

const noHttp = 'This is no HTTP request.';
const tooSlow = 'The request did not arrive in time.';

/** Opens the HTTP door of a mock. Beyond loopback a control token is made where none was given. */
export async function listen(mock: Served, family: Family, options: ListenOptions): Promise<Listening> {
  const { port = 4010, host = '127.0.0.1' } = options;
  const publicUrl = options.publicUrl === undefined ? undefined : checkPublicUrl(options.publicUrl);
  const door = await HttpDoor.open({
    port,
    host,
    publicUrl,
    dispatch: (request) => mock.handle(request),
    sleep: family.sleep,
    bodyLimit,
    onError: family.onError,
    guardOf: (address) => {
      const loopbackOnly = isLoopback(address);
      const made = loopbackOnly ? undefined : randomBytes(24).toString('base64url');
      return { loopbackOnly, token: family.controlToken ?? made };
    },
    malformed: (status) => {
      const response = {
        status,
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': family.nextRequestId() },
        body: JSON.stringify({
          error: family.codeOf('INVALID_INPUT'),
          message: status === 408 ? tooSlow : noHttp,
        }),
      };
      tellMalformed(response);
      return response;
    },
  });
  return {
    ...mock.addresses(publicUrl ?? door.url),
    port: door.port,
    url: door.url,
    loopbackOnly: door.guard?.loopbackOnly ?? false,
    controlToken: door.guard?.token,
    close: async () => {
      await door.close();
      mock.close();
    },
  };
}

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
