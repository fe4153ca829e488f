import type { Operation } from '../operations/lifecycle.ts';
import type { Explanations } from './cause.ts';
import { showMoment } from './words.ts';

/* What an operationId or an earlier change decides, and failures of the mock itself. */

type OperationReason =
  | 'other-input'
  | 'operation-running'
  | 'operation-uncertain'
  | 'already-enrolled'
  | 'mock-error'
  | 'unwritten-state';

export const operationCauses: Explanations<OperationReason> = {
  'other-input': {
    clause: '4.4.42',
    decision: 'D69',
    because: ({ cause: { operation } }) =>
      `operationId ${operation.operationId} belongs to ${operation.action} of ${operation.requestId}, with another input. That input passes, or this one with a new operationId.`,
  },
  'operation-running': {
    clause: '6.7',
    decision: 'D72',
    because: ({ cause: { operation } }) =>
      `${operation.requestId} with operationId ${operation.operationId} is still in progress. The same request passes once that one is answered.`,
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
      `The friend was in that scenario already, so the running enrollment ${cause.automationId} was returned. No second one was made.`,
  },
  'mock-error': {
    clause: '7.2.10',
    because: () =>
      'The mock itself failed; its log has the error. The request was valid as far as it was checked.',
  },
  'unwritten-state': {
    clause: '7.2.10',
    because: ({ cause }) =>
      `The mock could not write its data file (${cause.message}). The request passes once the file can be written.`,
  },
};

function showResolution({ resolution = 'never' }: Operation): string {
  if (resolution === 'never') return 'It stays unknown: only a new operationId passes.';
  if ('at' in resolution)
    return `It is resolved at ${showMoment(resolution.at)} of the mock's clock; the same request passes then.`;
  const { afterRequests } = resolution;
  if (afterRequests === 0) return 'It is resolved now: the next request with it passes.';
  return `The same request passes after ${afterRequests} more of them were answered 409.`;
}
