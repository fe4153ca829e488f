import type { Operation } from '../operations/lifecycle.ts';
import type { Explanations } from './cause.ts';
import { show, showMoment } from './words.ts';

/* What an operationId or an earlier change decides, and failures of the mock itself. */

type OperationReason =
  | 'other-input'
  | 'operation-running'
  | 'operation-uncertain'
  | 'already-enrolled'
  | 'same-tags'
  | 'mock-error'
  | 'unwritten-state';

export const operationCauses: Explanations<OperationReason> = {
  'other-input': {
    clause: '4.4.42',
    decision: 'D69',
    because: ({ cause: { operation } }) =>
      `operationId ${operation.operationId} belongs to ${operation.action} of ${operation.requestId}, with another input. Send that input again, or use a new operationId for this one.`,
  },
  'operation-running': {
    clause: '6.7',
    decision: 'D72',
    because: ({ cause: { operation } }) =>
      `${operation.requestId} with operationId ${operation.operationId} is still in progress. Send the same request again when that one is answered.`,
  },
  'operation-uncertain': {
    clause: '6.7',
    decision: 'D72',
    because: ({ cause: { operation } }) =>
      `The outcome of ${operation.requestId} with operationId ${operation.operationId} is unknown. ${showResolution(operation)}`,
  },
  'already-enrolled': {
    clause: '4.4.23',
    decision: 'D61',
    because: ({ cause }) =>
      `${show(cause.friend)} was already in ${show(cause.scenario)}. The running enrollment ${cause.automationId} was returned, and no second one was created.`,
  },
  'same-tags': {
    clause: '9.3',
    decision: 'D92',
    because: ({ cause }) =>
      `${show(cause.friend)} had exactly these tags already. The change was applied: the record has a new revision, and nobody is notified.`,
  },
  'mock-error': {
    clause: '7.2.10',
    because: () =>
      'The mock itself failed; its log has the error. The request was valid as far as it was checked.',
  },
  'unwritten-state': {
    clause: '7.2.10',
    because: ({ cause }) =>
      `The mock could not write its data file (${cause.message}). Send the request again when the file can be written.`,
  },
};

function showResolution({ resolution = 'never' }: Operation): string {
  if (resolution === 'never')
    return 'It stays unknown. Read the records first: only if the change is missing, use a new operationId.';
  if ('at' in resolution)
    return `It is resolved at ${showMoment(resolution.at)} of the mock's clock; send the same request again then.`;
  const { afterRequests } = resolution;
  if (afterRequests === 0) return 'Send the same request again: it is resolved now.';
  const more = afterRequests === 1 ? '1 more request' : `${afterRequests} more requests`;
  return `The same request is accepted after ${more} with this operationId got 409.`;
}
