import { ConnectionError, DeadlineError, type OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import type { Situation } from '../failures.ts';

/** Whether something answered that is not this API. */
export const isForeign = ({ code }: OrgChatError): boolean =>
  code === 'RESPONSE_TOO_LARGE' ||
  code === 'INVALID_RESPONSE' ||
  code === 'UNEXPECTED_SHAPE' ||
  code === 'REDIRECTED';

/** The word of the system in the chain of causes, such as ECONNREFUSED. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && /^[A-Z][A-Z0-9_]+$/.test(String(cause.code)) && !('operationId' in cause)
    ? String(cause.code)
    : systemCode(cause.cause);
}

/** What was answered, or what kept an answer from coming. */
function eventOf(status: number | undefined, code: string, { serverMessage, cause }: OrgChatError): string {
  const system = systemCode(cause);
  const words = serverMessage === undefined ? '' : `: ${serverMessage}`;
  if (status !== undefined && status >= 300) {
    return `the server answered ${code === `HTTP_${status}` ? status : `${status} ${code}`}${words}`;
  }
  return system === undefined || system === code ? code : `${code} (${system})`;
}

/** The facts of an error in the words of the command: what only a program can do about it is left out. */
export function messageOf(error: OrgChatError, { server }: Situation): string {
  const { status, code } = error;
  if (error instanceof OutcomeUnknownError) {
    const { operationId, reason = code } = error;
    return `It is not known whether operation ${operationId} was applied: ${eventOf(status, reason, error)}`;
  }
  const of = server === undefined ? '' : ` ${server}`;
  if (code === 'CONNECTION_FAILED')
    return `Could not connect to${of || ' the server'}: ${systemCode(error.cause) ?? code}`;
  if (code === 'REDIRECTED') return `The server${of} answered with a redirect (${status}).`;
  if (status !== undefined && status >= 300) {
    const event = eventOf(status, code, error);
    return `${event.charAt(0).toUpperCase()}${event.slice(1)}`;
  }
  const namesServer = error instanceof ConnectionError || error instanceof DeadlineError || isForeign(error);
  return namesServer && server !== undefined ? `${error.message}; asked ${server}` : error.message;
}
