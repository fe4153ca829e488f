import { OrgChatError } from '../errors/base.ts';
import { describeType, isPlainObject } from './values.ts';

/** Headers by name. One that is undefined is not sent, also if the client has it. */
export type HeadersOption = Readonly<Record<string, string | undefined>>;

const headersOfSdk = ['authorization', 'accept-language', 'content-type', 'content-length', 'host'];

/** Headers of the connection. `fetch` refuses most of them, with an error that does not name the option. */
const headersOfConnection = /^((proxy-)?connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding)$/;

/**
 * Returns the headers in lower case. Throws `INVALID_OPTIONS` if one cannot be sent, or belongs to the SDK or to the
 * connection.
 */
export function resolveHeaders(given: HeadersOption | undefined): Record<string, string | null> {
  const headers: Record<string, string | null> = {};
  // The entries of any other object are not its headers, and would be dropped or misread.
  if (!isPlainObject(given ?? {})) {
    throw invalid(
      'headers must be a plain object of names and values. For Headers, a Map or pairs, pass Object.fromEntries(headers).',
    );
  }
  for (const [spelled, value = null] of Object.entries(given ?? {})) {
    if (value !== null && typeof value !== 'string') {
      throw invalid(`headers: the value of "${spelled}" must be a string; got ${describeType(value)}.`);
    }
    const name = spelled.toLowerCase();
    if (headersOfSdk.includes(name)) throw invalid(`headers must not contain "${spelled}": the SDK sets it.`);
    if (headersOfConnection.test(name)) {
      throw invalid(`headers must not contain "${spelled}": it belongs to the connection.`);
    }
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name) || !/^[\t -~\xa0-\xff]*$/.test(value ?? '')) {
      // The value may be a secret, so it is not shown.
      throw invalid(
        `headers: "${spelled}" or its value contains characters that are not allowed in a header.`,
      );
    }
    // openapi-fetch removes a header that is null.
    headers[name] = value;
  }
  return headers;
}

function invalid(message: string): OrgChatError {
  return new OrgChatError(message, { code: 'INVALID_OPTIONS' });
}
