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
  return namesServer && server !== undefined ? `${error.message}; asked ${server}` : error.message;
}
