/** Errors of the phases before a request is written: name resolution, connecting, the server's certificate. */
const codes =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID)$/;

function field(value: object, name: string): unknown {
  return Reflect.get(value, name);
}

/** Whether an error of `fetch` proves that the server cannot have seen the request. In doubt it does not. */
export function provablyUnsent(error: unknown, depth = 5): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const code = field(error, 'code');
  if (typeof code === 'string' && codes.test(code)) return true;
  // What fetch says of a port it never connects to.
  if (field(error, 'message') === 'bad port') return true;
  const call = field(error, 'syscall');
  if (call === 'connect' || call === 'getaddrinfo') return true;
  // A host with several addresses: every one of them must have failed so.
  const errors = field(error, 'errors');
  if (Array.isArray(errors) && errors.length > 0)
    return errors.every((one) => provablyUnsent(one, depth - 1));
  return provablyUnsent(field(error, 'cause'), depth - 1);
}
