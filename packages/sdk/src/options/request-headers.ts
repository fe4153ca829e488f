import { createInvalidOptionsError as invalid } from '../errors/refused.ts';
import { isPlainObject } from '../values.ts';

/** Headers by name. One that is undefined is not sent, even if the client has it. */
export type HeadersOption = Readonly<Record<string, string | undefined>>;

/**
 * Headers of the SDK, and those of the connection: `fetch` refuses most of them with an error that does not name the
 * option.
 */
const reserved =
  /^(authorization|accept-language|content-(type|length)|host|(proxy-)?connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding)$/;

/**
 * Returns the headers in lower case. Throws `INVALID_OPTIONS` if one cannot be sent, or belongs to the SDK or to the
 * connection.
 */
export function resolveHeaders(given: HeadersOption | undefined): Record<string, string | null> {
  const headers: Record<string, string | null> = {};
  // The entries of any other object are not its headers, and would be dropped or misread.
  if (!isPlainObject(given ?? {})) {
    throw invalid('headers must be a plain object. Pass Object.fromEntries(headers) for Headers or a Map.');
  }
  for (const [spelled, value = null] of Object.entries(given ?? {})) {
    const name = spelled.toLowerCase();
    if (reserved.test(name))
      throw invalid(`headers must not contain "${spelled}": the SDK or the connection sets it.`);
    const isText = value === null || (typeof value === 'string' && /^[\t -~\xa0-\xff]*$/.test(value));
    if (!isText || !/^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
      // The value may be a secret, so it is not shown.
      throw invalid(
        `headers: "${spelled}" and its value must be strings of characters that are allowed in a header.`,
      );
    }
    // openapi-fetch removes a header that is null.
    headers[name] = value;
  }
  return headers;
}
