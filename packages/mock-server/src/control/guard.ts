import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { sha256 } from '../digest.ts';
import type { PlainRequest } from '../message.ts';
import { bearerKey } from '../steps/authenticate.ts';
import { ControlError } from './input.ts';

/** Whether an address, or a name of this machine, can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return isIP(bare) === 4 ? bare.startsWith('127.') : bare === '::1' || bare.startsWith('::ffff:127.');
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const equal = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));

/** What needs no token, so that a container's health check needs none: it shows nothing. */
const openPath = '/health';

/**
 * Keeps web pages and strangers from the control API: a page's request names another `Origin`, a name that was bound
 * to this machine's address shows in `Host`, and beyond loopback only the token opens. Throws a `ControlError`.
 */
export function guardControl(request: PlainRequest, path: string): void {
  const guard = request.controlGuard;
  if (guard === undefined) return;
  const host = urlOf(`http://${request.header('host') ?? ''}`);
  if (host === undefined || (guard.loopbackOnly && !isLoopback(host.hostname))) {
    throw new ControlError(403, 'FORBIDDEN', 'The Host of a control call must be this machine.');
  }
  const origin = request.header('origin');
  if (origin !== undefined && urlOf(origin)?.host !== host.host) {
    throw new ControlError(403, 'FORBIDDEN', 'The control API takes no calls of web pages.');
  }
  if (guard.token === undefined || path === openPath) return;
  if (!equal(bearerKey(request.header('authorization')) ?? '', guard.token)) {
    throw new ControlError(
      401,
      'UNAUTHORIZED',
      'The control API requires its token: Authorization: Bearer TOKEN. Whoever started the mock has it.',
    );
  }
}
