import { isObject } from './assumed.ts';

/**
 * Errors of the phases before a request is written: name resolution, connecting, the server's certificate. A host
 * that cannot be reached is none of them by its code alone: that may also be said of a connection in use.
 */
const phases =
  /^(E(AI_|NOTFOUND|CONNREFUSED)|UND_ERR_CONNECT_|ConnectionRefused|UNABLE_TO_)|CERT[_ ]| (connect|getaddrinfo)$/;

/** Whether an error of `fetch` proves that the server cannot have seen the request. In doubt it does not. */
export function provablyUnsent(error: unknown, depth = 5): boolean {
  if (!isObject(error) || depth === 0) return false;
  const { code, syscall, message, errors, cause } = error;
  if (phases.test(`${code} ${syscall}`)) return true;
  // What fetch says of a port it never connects to.
  if (message === 'bad port') return true;
  // A host with several addresses: every one of them must have failed so.
  if (Array.isArray(errors) && errors.length > 0)
    return errors.every((one) => provablyUnsent(one, depth - 1));
  return provablyUnsent(cause, depth - 1);
}
