import { ConnectionError, DeadlineError, type OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { operations } from '@orgchat/spec';

/** Whether something answered that is not this API. */
export const isNotTheApi = ({ code }: OrgChatError): boolean =>
  code === 'RESPONSE_TOO_LARGE' ||
  code === 'INVALID_RESPONSE' ||
  code === 'UNEXPECTED_SHAPE' ||
  code === 'REDIRECTED';

/** Describes the response, or why there was none. */
function describeAnswer(
  status: number | undefined,
  code: string,
  { serverMessage, systemCode }: OrgChatError,
): string {
  const words = serverMessage === undefined ? '' : `: ${serverMessage}`;
  if (status !== undefined && status >= 300) {
    return `the server answered ${code === `HTTP_${status}` ? status : `${status} ${code}`}${words}`;
  }
  return systemCode === undefined || systemCode === code ? code : `${code} (${systemCode})`;
}

/** ` (POST /changes)`: the method and path of the request. */
function describeRequest({ operation }: OrgChatError): string {
  if (operation === undefined) return '';
  const { method, path } = operations[operation];
  return ` (${method} ${path})`;
}

/** Errors whose messages advise programs to change an option, in words of this command; others are shown as they are. */
const ownTexts: Readonly<Record<string, (error: OrgChatError) => string>> = {
  DEADLINE_EXCEEDED: ({ retryAt }) =>
    retryAt === undefined
      ? 'The deadline passed'
      : `The rate limit has no free slot before the deadline; the next one is at ${retryAt.toISOString()}`,
  RESPONSE_TOO_LARGE: () => 'The response is too large to be from this API',
  INVALID_RESPONSE: () => 'The response did not come from this API',
};

/** Formats an error of the SDK for the command, without advice for programs. `server` is the one that was asked. */
export function formatSdkError(error: OrgChatError, server: string | undefined): string {
  const { status, code } = error;
  if (error instanceof OutcomeUnknownError) {
    const { operationId, reason = code } = error;
    return `Operation ${operationId} may or may not have been applied: ${describeAnswer(status, reason, error)}${describeRequest(error)}`;
  }
  const of = server === undefined ? '' : ` ${server}`;
  if (code === 'CONNECTION_FAILED')
    return `Could not connect to${of || ' the server'}: ${error.systemCode ?? code}${describeRequest(error)}`;
  if (code === 'REDIRECTED')
    return `The server${of} answered with a redirect: ${status}${describeRequest(error)}`;
  if (status !== undefined && status >= 300) {
    const event = describeAnswer(status, code, error);
    return `${event.charAt(0).toUpperCase()}${event.slice(1)}${describeRequest(error)}`;
  }
  const namesServer =
    error instanceof ConnectionError || error instanceof DeadlineError || isNotTheApi(error);
  const ownText = Object.hasOwn(ownTexts, code) ? ownTexts[code] : undefined;
  const text = ownText === undefined ? error.message : `${ownText(error)}${describeRequest(error)}`;
  return namesServer && server !== undefined ? `${text}; asked ${server}` : text;
}
