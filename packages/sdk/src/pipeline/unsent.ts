import { isObject } from '../values.ts';

interface Diagnostics {
  subscribe?(name: string, listener: (message: unknown) => void): void;
}

interface BuiltIns {
  getBuiltinModule?(name: string): Diagnostics | undefined;
}

/**
 * Errors of connections that were not made. Their codes do not say so: an error of TLS can come from the handshake, or
 * from a connection in use. Node reports them on a channel of its own.
 */
const connectErrors = new WeakSet<object>();
let isWatching = false;

/** Notices from now on which connections Node cannot make. */
export function watchConnections(): void {
  if (isWatching) return;
  isWatching = true;
  const runtime: BuiltIns | undefined = globalThis.process;
  const diagnostics = runtime?.getBuiltinModule?.('node:diagnostics_channel');
  diagnostics?.subscribe?.('undici:client:connectError', (message) => {
    const { error } = Object(message) as { readonly error?: unknown };
    if (isObject(error)) connectErrors.add(error);
  });
}

/**
 * Errors of the phases before a request is written: name resolution, connecting, the server's certificate.
 * EHOSTUNREACH and ENETUNREACH prove nothing alone, because a connection in use can fail with them too. They count only
 * with the syscall `connect`.
 */
const beforeWrite =
  /^(E(AI_|NOTFOUND|CONNREFUSED)|UND_ERR_CONNECT_|ConnectionRefused)| (connect|getaddrinfo)$/;

/**
 * Errors of the server's certificate, and of a request that `fetch` in Node does not write, such as one with a header
 * of the connection. They too come before a request is written, and another attempt meets them again.
 */
const permanent = /^UNABLE_TO_|CERT[_ ]|^UND_ERR_(INVALID_ARG|NOT_SUPPORTED) /;

/** The message of fetch for a port that it never connects to. */
const badPort = 'bad port';

/** Returns whether an error comes before a request is written, and another attempt meets it again. */
function isPermanent({ code, message }: Record<string, unknown>): boolean {
  return permanent.test(`${code} `) || message === badPort;
}

/** Returns whether an error of `fetch` proves that the server cannot have seen the request. */
export function isProvablyUnsent(error: unknown, depth = 5): boolean {
  if (!isObject(error) || depth === 0) return false;
  const { code, syscall, errors, cause, sent } = error;
  const words = `${code} ${syscall}`;
  // A custom `fetch` may say so with `sent: false`.
  if (sent === false || connectErrors.has(error)) return true;
  if (beforeWrite.test(words) || isPermanent(error)) return true;
  // A host with several addresses: every one of them must have failed in this way.
  if (Array.isArray(errors) && errors.length > 0)
    return errors.every((one) => isProvablyUnsent(one, depth - 1));
  return isProvablyUnsent(cause, depth - 1);
}

/** Returns whether a request that was not sent would fail in the same way again. */
export function isLasting(error: unknown, depth = 5): boolean {
  if (!isObject(error) || depth === 0) return false;
  return isPermanent(error) || isLasting(error.cause, depth - 1);
}

/**
 * Watches the body of a request that a `fetch` of the caller gets. The returned function says whether nobody has read it,
 * and makes sure that nobody can do so later. It needs Node, where sending, cloning, copying and reading a request all
 * lock the stream it had. Deno can forward a body unnoticed.
 */
export function watchBody(request: Request): () => boolean {
  const body = globalThis.process?.versions?.undici ? request.body : undefined;
  return () => {
    try {
      // A stream that was read and released is not locked.
      return !request.bodyUsed && body?.getReader() !== undefined;
    } catch {
      return false;
    }
  };
}
