import { isObject } from './assumed.ts';

/** Errors of the phases before a request is written: name resolution, connecting, the server's certificate. */
const codes =
  /^(E(AI_|NOTFOUND|CONNREFUSED|HOSTUNREACH|NETUNREACH)|UND_ERR_CONNECT_|ConnectionRefused|CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_|ERR_TLS_CERT_)/;

/** Whether an error of `fetch` proves that the server cannot have seen the request. In doubt it does not. */
export function provablyUnsent(error: unknown, depth = 5): boolean {
  if (!isObject(error) || depth === 0) return false;
  const { code, syscall, message, errors, cause } = error;
  if (codes.test(String(code)) || syscall === 'connect' || syscall === 'getaddrinfo') return true;
  // What fetch says of a port it never connects to.
  if (message === 'bad port') return true;
  // A host with several addresses: every one of them must have failed so.
  if (Array.isArray(errors) && errors.length > 0)
    return errors.every((one) => provablyUnsent(one, depth - 1));
  return provablyUnsent(cause, depth - 1);
}
