import { parseBearerKey } from '../http/bearer-key.ts';
import { isLoopback } from '../http/loopback.ts';
import type { PlainRequest } from '../http/message.ts';
import { ControlError } from '../input-checks/control-error.ts';
import { isPageRequest } from '../inspector/page-requests.ts';

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Whether a request requires no token, because it exposes no data: health checks of containers, and the files of the
 * inspector, which then sends the token with each call.
 */
const isOpen = (request: PlainRequest, path: string): boolean =>
  path === '/health' || isPageRequest(request, path);

/**
 * Whether a page of another address sent a request. Browsers set this header, and pages cannot. Following a link to the
 * inspector is allowed.
 */
function isForeignPage(request: PlainRequest, path: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== 'cross-site' && site !== 'same-site') return false;
  const isNavigation =
    request.header('sec-fetch-mode') === 'navigate' && request.header('sec-fetch-dest') === 'document';
  return !(isNavigation && isPageRequest(request, path));
}

/**
 * Protects the control API over HTTP: rejects requests from other web pages by `Origin` and `Sec-Fetch-Site`, DNS
 * rebinding by `Host`, and, if the server has a token, requests without it. Throws a `ControlError`.
 */
export function guardControl(request: PlainRequest, path: string): void {
  const guard = request.controlGuard;
  if (guard === undefined) return;
  const host = parseUrl(`http://${request.header('host') ?? ''}`);
  if (host === undefined || (guard.loopbackOnly && !isLoopback(host.hostname))) {
    throw new ControlError(
      403,
      'FORBIDDEN',
      `Control requests must have a loopback Host header, got "${request.header('host') ?? ''}". Use 127.0.0.1 or localhost in the URL.`,
    );
  }
  const origin = request.header('origin');
  if (origin !== undefined && parseUrl(origin)?.host !== host.host) {
    throw new ControlError(
      403,
      'FORBIDDEN',
      `The control API does not accept cross-origin requests, got Origin "${origin}". Call it from a program, not from a web page.`,
    );
  }
  if (isForeignPage(request, path)) {
    throw new ControlError(
      403,
      'FORBIDDEN',
      'The control API does not accept requests from other web pages. Call it from a program, or open the inspector itself.',
    );
  }
  if (guard.token === undefined || isOpen(request, path)) return;
  if (!guard.isToken(parseBearerKey(request.header('authorization')) ?? '')) {
    throw new ControlError(
      401,
      'UNAUTHORIZED',
      'The control API requires a bearer token. Send Authorization: Bearer TOKEN with the token of this server: listen() returns it, and orgchat mock start prints it.',
    );
  }
}
