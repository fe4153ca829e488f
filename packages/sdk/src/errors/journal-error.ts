import type { WriteRequest } from '../pipeline/api-request.ts';
import { OrgChatError } from './base.ts';
import { formatRequest } from './message.ts';

/** Creates the error for a write that the journal could not record, so that it was not sent. */
export function createJournalError(
  request: Pick<WriteRequest<unknown>, 'endpoint' | 'method' | 'path' | 'subject'>,
  operationId: string,
  cause: unknown,
): OrgChatError {
  // The journals of this project give their errors a reason.
  const { reason = 'journal-unavailable' } = Object(cause) as { readonly reason?: string };
  const code = 'JOURNAL_FAILED';
  const what = `The journal could not record operation ${operationId}, so nothing was sent. See its cause.`;
  return new OrgChatError(`${what} ${formatRequest(request, code)}`, {
    code,
    operation: request.endpoint,
    reason,
    operationId,
    cause,
  });
}
