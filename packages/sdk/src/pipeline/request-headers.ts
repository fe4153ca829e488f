import { OrgChatError } from '../errors/base.ts';

/** Headers by name. One that is undefined is not sent, also if the client has it. */
export type HeadersOption = Readonly<Record<string, string | undefined>>;

const headersOfSdk = ['authorization', 'accept-language', 'content-type', 'content-length', 'host'];

/** Returns the headers in lower case. Throws `INVALID_OPTIONS` if one cannot be sent, or belongs to the SDK. */
export function resolveHeaders(given: HeadersOption | undefined): Record<string, string | null> {
  const headers: Record<string, string | null> = {};
  for (const [spelled, value = null] of Object.entries(given ?? {})) {
    const name = spelled.toLowerCase();
    if (headersOfSdk.includes(name)) throw invalid(`headers must not contain "${spelled}": the SDK sets it.`);
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
