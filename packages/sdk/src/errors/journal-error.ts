import type { ClientContext } from '../client-context.ts';
import type { WriteRequest } from '../pipeline/api-request.ts';
import { OrgChatError } from './base.ts';
import { formatRequest } from './message.ts';

/** Creates the error for a write that the journal could not record, so that it was not sent. */
export function createJournalError(
  { redactor }: Pick<ClientContext, 'redactor'>,
  request: Pick<WriteRequest<unknown>, 'endpoint' | 'method' | 'path' | 'subject'>,
  operationId: string,
  cause: unknown,
): OrgChatError {
  // The journals of this project give their errors a reason.
  const { reason = 'journal-unavailable' } = Object(cause) as { readonly reason?: string };
  const code = 'JOURNAL_FAILED';
  const why = redactor.text(cause instanceof Error ? cause.message : String(cause));
  const what = `The journal could not record operation ${operationId}, so nothing was sent: ${why}`;
  return new OrgChatError(`${what} ${formatRequest(request, code)}`, {
    code,
    operation: request.endpoint,
    reason,
    operationId,
    outcome: 'abandoned',
    cause,
  });
}
