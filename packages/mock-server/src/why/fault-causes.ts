import type { OperationName } from '@orgchat/spec';
import type { ExplanationInput, Explanations, FaultReason } from './cause.ts';
import { explainSuccess } from './success.ts';

/* Armed faults that decided. */

/** What the contract says about a lost answer. */
const lostAnswer: Readonly<Record<OperationName, string>> = {
  getAccount: '7.3.4',
  addSeoKeywords: '7.3.1',
  readChat: '7.3.4',
  changeChat: '7.3.2',
  readStudio: '7.3.4',
};

const statusClauses: Readonly<Record<number, string>> = {
  400: '7.2.1',
  401: '7.2.3',
  403: '7.2.4',
  404: '7.2.5',
  409: '7.2.8',
  429: '7.2.9',
  500: '7.2.10',
  502: '7.2.11',
};

const getLostClause = ({ request }: ExplanationInput<FaultReason>): string =>
  lostAnswer[request.operation ?? 'getAccount'];

const disarm = (faultId: string): string => `Without it (DELETE /faults/${faultId})`;

export const faultCauses: Explanations<FaultReason> = {
  'dropped-request': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId } }) =>
      `The drop-request fault (${faultId}) reset the connection before anything was checked or applied. ${disarm(faultId)} the request would have been handled.`,
  },
  'fault-answer': {
    clause: ({ cause }) => statusClauses[cause.status] ?? '7.1.5',
    decision: 'D94',
    because: ({ cause: { faultId, status } }) =>
      `The respond fault (${faultId}) answered ${status} before anything was checked or applied. ${disarm(faultId)} the request would have been handled.`,
  },
  'lost-response': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId }, request }) =>
      `The lose-response fault (${faultId}) reset the connection instead of sending the answer ${request.status}. ${explainSuccess(request)}`,
  },
  'cut-response': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId }, request }) =>
      `The cut-response fault (${faultId}) cut the answer ${request.status} off halfway. ${explainSuccess(request)}`,
  },
  'failed-response': {
    clause: ({ cause }) => statusClauses[cause.status] ?? '7.1.5',
    decision: 'D94',
    because: ({ cause: { faultId, status }, request }) =>
      `The fail-response fault (${faultId}) answered ${status} instead of the success. ${explainSuccess(request)}`,
  },
  'not-applied': {
    decision: 'D66',
    because: ({ cause: { faultId } }) =>
      `The not-applied fault (${faultId}) left the change out: applied is false, and its operationId is free. ${disarm(faultId)} it would have been applied.`,
  },
  'unknown-outcome': {
    clause: '6.7',
    decision: 'D72',
    because: ({ cause: { faultId, applied }, request }) => {
      const ending = request.status === undefined ? 'reset the connection' : `answered ${request.status}`;
      return `The uncertain fault (${faultId}) ${ending}, and the change was ${applied ? '' : 'not '}applied. ${disarm(faultId)} it would have been answered 200.`;
    },
  },
};
